/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it is aborted. The promise itself goes
 * on; its result is dropped.
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

/** Goes through the values until the signal says stop, also while none comes. Rejects as `abortable` does. */
export async function* eachUntilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await abortable(iterator.next(), signal);
    if (done) return;
    yield value;
  }
}
