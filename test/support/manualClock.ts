import type { Clock } from '../../src/extension/platform/clock.ts';

/** A clock that moves only by `sleep`, which returns at once, and `pass`. Ids and random numbers are repeatable. */
export class ManualClock implements Clock {
  /** Durations of sleeps in milliseconds, in order. */
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
    // Yields to the event loop, as real sleeping does.
    await new Promise(resolve => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  after(ms: number, ring: () => void): () => void {
    const alarm = { at: this.time + ms, ring };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Advances time and runs due alarms in order. */
  pass(ms: number): void {
    this.time += ms;
    const due = [...this.alarms].filter(({ at }) => at <= this.time).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.alarms.delete(alarm)) alarm.ring();
  }

  /** Time of the next alarm; Infinity if none. */
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
