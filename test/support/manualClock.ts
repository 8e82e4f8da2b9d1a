import type { Clock } from '../../src/extension/platform/clock.ts';

/** Time that stands still but for sleeping, which passes at once, and `pass`; ids and chance that repeat. */
export class ManualClock implements Clock {
  /** What was slept, in milliseconds, in order. */
  readonly slept: number[] = [];
  private time = 1_000_000;
  private ids = 0;
  private readonly alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.pass(ms);
    // A real turn of the event loop, as real sleeping would give.
    await new Promise(resolve => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  after(ms: number, ring: () => void): () => void {
    const alarm = { at: this.time + ms, ring };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Time continues, and what is due by then rings in its order. */
  pass(ms: number): void {
    this.time += ms;
    const due = [...this.alarms].filter(({ at }) => at <= this.time).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.alarms.delete(alarm)) alarm.ring();
  }

  /** When the next alarm rings; never: Infinity. */
  get next(): number {
    return Math.min(...[...this.alarms].map(({ at }) => at));
  }

  random(): number {
    return 0.5;
  }

  newId(): string {
    this.ids++;
    return `id${this.ids}`;
  }
}
