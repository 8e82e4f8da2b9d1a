import type { Clock } from '../../platform/clock.ts';

/** Nothing happened within the time limit. */
export class DeadlineError extends Error {}

interface Deadline {
  readonly ms: number;
  readonly clock: Clock;
  /** True while the user is asked. That time does not count. */
  readonly isPaused: () => boolean;
}

/**
 * Runs `work`, and aborts its signal with `DeadlineError` after `ms` without activity.
 * @param work calls `alive` on each activity
 */
export async function withDeadline<T>(
  { ms, clock, isPaused }: Deadline,
  signal: AbortSignal,
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const done = new AbortController();
  let end = clock.now() + ms;
  const alive = () => {
    end = clock.now() + ms;
  };
  const watch = async () => {
    while (!done.signal.aborted) {
      if (isPaused()) alive();
      const rest = end - clock.now();
      if (rest <= 0) return over.abort(new DeadlineError());
      await clock.sleep(rest, done.signal).catch(() => {
        // Its end is handled by the loop.
      });
    }
  };
  void watch();
  try {
    return await work(AbortSignal.any([signal, over.signal]), alive);
  } catch (error) {
    signal.throwIfAborted();
    if (over.signal.aborted) throw over.signal.reason;
    throw error;
  } finally {
    done.abort();
  }
}
