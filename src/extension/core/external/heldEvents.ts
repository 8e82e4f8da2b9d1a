import type { SessionEventBody } from '../../../protocol/events.ts';

/** Events of a call that may turn out to need no row: they are held back until that is known. */
export class HeldEvents {
  private readonly emit: (event: SessionEventBody) => void;
  private held: SessionEventBody[] | undefined = [];
  private isDropped = false;

  constructor(emit: (event: SessionEventBody) => void) {
    this.emit = emit;
  }

  /** A call that asks has its row from then on. */
  take(event: SessionEventBody): void {
    if (this.isDropped) return;
    if (event.type === 'call.asked') this.show();
    if (this.held) this.held.push(event);
    else this.emit(event);
  }

  show(): void {
    if (this.isDropped) return;
    const { held = [] } = this;
    this.held = undefined;
    for (const event of held) this.emit(event);
  }

  /** Another row stands for it; without effect once it is shown. */
  drop(): void {
    this.isDropped = this.held !== undefined;
  }
}
