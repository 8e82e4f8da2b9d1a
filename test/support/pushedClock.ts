import { SystemClock } from '../../src/extension/node/systemClock.ts';

/** The system clock, which a test can advance instead of waiting. */
export class PushedClock extends SystemClock {
  private ahead = 0;
  private readonly alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  override now(): number {
    return super.now() + this.ahead;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const takeBack = this.after(ms, resolve);
      const abort = () => {
        takeBack();
        reject(signal!.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  override after(ms: number, ring: () => void): () => void {
    const takeBack = () => {
      this.alarms.delete(alarm);
      stop();
    };
    const ringOnce = () => {
      takeBack();
      ring();
    };
    const stop = super.after(ms, ringOnce);
    const alarm = { at: this.now() + ms, ring: ringOnce };
    this.alarms.add(alarm);
    return takeBack;
  }

  /** Advances time and runs due alarms in order. */
  pass(ms: number): void {
    this.ahead += ms;
    const due = [...this.alarms].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at);
    for (const { ring } of due) ring();
  }

  /** Advances time repeatedly until the work is done. */
  async passUntil<T>(work: Promise<T>, ms: number): Promise<T> {
    const beat = setInterval(() => this.pass(ms), 20);
    try {
      return await work;
    } finally {
      clearInterval(beat);
    }
  }
}
