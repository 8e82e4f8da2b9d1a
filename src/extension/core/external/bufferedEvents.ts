import type { SessionEventBody } from '../../../protocol/events.ts';

/** Buffers events of a call until it is known whether it needs a row of its own. */
export class BufferedEvents {
  private readonly emit: (event: SessionEventBody) => void;
  private buffer: SessionEventBody[] | undefined = [];
  private isDropped = false;

  constructor(emit: (event: SessionEventBody) => void) {
    this.emit = emit;
  }

  /** A call that asks is shown from then on. */
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

  /** Discards the events, since another row represents the call. No effect once it is shown. */
  drop(): void {
    this.isDropped = this.buffer !== undefined;
  }
}
