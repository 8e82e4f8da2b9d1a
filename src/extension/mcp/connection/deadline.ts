import type { Clock } from '../../platform/clock.ts';

export class TimeRanOut extends Error {}

interface Deadline {
  readonly ms: number;
  readonly clock: Clock;
  /** A user is being asked: that is not the server's time. */
  readonly isPaused: () => boolean;
}

/**
 * Runs `work` with a signal that is aborted with `TimeRanOut` once nothing was heard of it for so long.
 * @param work calls `heard` at each sign of life
 */
export async function withDeadline<T>(
  { ms, clock, isPaused }: Deadline,
  signal: AbortSignal,
  work: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const done = new AbortController();
  let end = clock.now() + ms;
  const heard = () => {
    end = clock.now() + ms;
  };
  const watch = async () => {
    while (!done.signal.aborted) {
      if (isPaused()) heard();
      const rest = end - clock.now();
      if (rest <= 0) return over.abort(new TimeRanOut());
      await clock.sleep(rest, done.signal).catch(() => {
        // It is done; the loop sees it.
      });
    }
  };
  void watch();
  try {
    return await work(AbortSignal.any([signal, over.signal]), heard);
  } catch (error) {
    signal.throwIfAborted();
    if (over.signal.aborted) throw over.signal.reason;
    throw error;
  } finally {
    done.abort();
  }
}
