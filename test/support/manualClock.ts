import type { Clock } from '../../src/extension/platform/clock.ts';

/** Time that stands still but for sleeping, which passes at once; ids and chance that repeat. */
export class ManualClock implements Clock {
  /** What was slept, in milliseconds, in order. */
  readonly slept: number[] = [];
  private time = 1_000_000;
  private ids = 0;

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += ms;
    // A real turn of the event loop, as real sleeping would give.
    await new Promise(resolve => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  random(): number {
    return 0.5;
  }

  newId(): string {
    this.ids++;
    return `id${this.ids}`;
  }
}
