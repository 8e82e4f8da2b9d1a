/** Abort reason of a session that closes and may be opened again. */
export class SessionClosedError extends DOMException {
  constructor(why: string) {
    super(why, 'AbortError');
  }
}

/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it aborts. The promise itself keeps running;
 * its result is dropped.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {
      // The late rejection is dropped, too.
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
 * Yields the values until the signal aborts, even while none arrives. Rejects like `abortable`. Does not wait for
 * values that are left unread.
 */
export async function* eachUntilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = values[Symbol.asyncIterator]();
  // One listener for all values: there may be thousands.
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
      // These values are abandoned; how they end does not matter.
    });
  }
}

/** Resolves when the signal aborts, at once if it already has. */
export async function whenAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
