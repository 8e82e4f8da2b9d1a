import { newestOutput } from '../../../protocol/liveOutput.ts';
import type { Clock } from '../../platform/clock.ts';

const pauseMs = 60;

/**
 * Passes a call's live output on in few, bounded pieces, however fast and much it writes. Only the newest part
 * is kept: the whole output is the tool's business.
 */
export class LiveOutput {
  private readonly clock: Clock;
  private readonly send: (text: string) => void;
  private waiting = '';
  private newest = '';
  private pending = false;

  constructor(clock: Clock, send: (text: string) => void) {
    this.clock = clock;
    this.send = send;
  }

  readonly write = (text: string): void => {
    this.waiting = newestOutput(this.waiting + text);
    this.newest = newestOutput(this.newest + text);
    if (this.pending) return;
    this.pending = true;
    void this.clock.sleep(pauseMs).then(() => {
      this.pending = false;
      this.flush();
    });
  };

  flush(): void {
    if (this.waiting === '') return;
    this.send(this.waiting);
    this.waiting = '';
  }

  /** What was written last, at most as much as the panel keeps. */
  get text(): string {
    return this.newest;
  }
}
