/** The reason of an abort where a session closes, and may be opened again. */
export class SessionClosed extends DOMException {
  constructor(why: string) {
    super(why, 'AbortError');
  }
}

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it is aborted. The promise itself continues;
 * its result is dropped.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {
      // Dropped like a result: nobody waits for it any more.
    });
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * Goes through the values until the signal says stop, also while none comes. Rejects as `abortable` does. Values
 * that are left early are not waited for.
 */
export async function* eachUntilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = values[Symbol.asyncIterator]();
  // One listener for all: values may come by the thousand.
  let stop = (_reason: unknown) => {};
  const abort = () => stop(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    while (true) {
      const { done, value } = await new Promise<IteratorResult<T>>((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        stop = reject;
        iterator.next().then(resolve, reject);
      });
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    iterator.return?.().catch(() => {
      // They are given up; how they end does not matter any more.
    });
  }
}

/** At once for one that is aborted already. */
export async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
