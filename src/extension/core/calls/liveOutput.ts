import { newestOutput } from '../../../protocol/fold/liveOutput.ts';
import type { Clock } from '../../platform/clock.ts';
import { newestLines } from '../recording/unfinishedText.ts';

const pauseMs = 60;

/** Characters written to disk at once, so that a command with endless output does not block the host. */
const keptLimit = 32_000;

interface Readers {
  /** Shows the newest part. */
  readonly send: (text: string) => void;
  /** Writes it to disk before it is shown. */
  readonly keep: (text: string) => void;
}

/**
 * Forwards a call's live output in few chunks of limited size, however fast it is written. Only the newest part stays
 * in memory; the tool handles the full output.
 */
export class LiveOutput {
  private readonly clock: Clock;
  private readonly readers: Readers;
  private waiting = '';
  private unkept = '';
  private lost = 0;
  private newest = '';
  private pending = false;

  constructor(clock: Clock, readers: Readers) {
    this.clock = clock;
    this.readers = readers;
  }

  readonly write = (text: string): void => {
    this.addUnkept(text);
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
    const gap = this.lost > 0 ? `\n… ${this.lost} characters were not kept …\n` : '';
    this.readers.keep(gap + this.unkept);
    this.unkept = '';
    this.lost = 0;
    this.readers.send(this.waiting);
    this.waiting = '';
  }

  /** The newest output, cut to what the panel retains. */
  get text(): string {
    return this.newest;
  }

  private addUnkept(text: string): void {
    const all = this.unkept + text;
    this.unkept = newestLines(all, keptLimit);
    this.lost += all.length - this.unkept.length;
  }
}
