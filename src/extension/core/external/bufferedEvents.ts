import type { SessionEventBody } from '../../../protocol/events.ts';

/** Events of a call that may turn out to need no row: they are held back until that is known. */
export class BufferedEvents {
  private readonly emit: (event: SessionEventBody) => void;
  private buffer: SessionEventBody[] | undefined = [];
  private isDropped = false;

  constructor(emit: (event: SessionEventBody) => void) {
    this.emit = emit;
  }

  /** A call that asks has its row from then on. */
  take(event: SessionEventBody): void {
    if (this.isDropped) return;
    if (event.type === 'call.asked') this.show();
    if (this.buffer) this.buffer.push(event);
    else this.emit(event);
  }

  show(): void {
    if (this.isDropped) return;
    const { buffer = [] } = this;
    this.buffer = undefined;
    for (const event of buffer) this.emit(event);
  }

  /** Another row stands for it; without effect once it is shown. */
  drop(): void {
    this.isDropped = this.buffer !== undefined;
  }
}
