import { abortable } from '../../base/abort.ts';

/** Runs work one at a time, in the order of calls. */
export class SerialQueue {
  private last: Promise<void> = Promise.resolve();

  /** Rejects with the signal's reason if aborted while waiting. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.last;
    let leave = () => {};
    this.last = new Promise(resolve => {
      leave = resolve;
    });
    try {
      await abortable(before, signal);
    } catch (error) {
      // Later callers still have to wait for earlier ones.
      void before.then(leave);
      throw error;
    }
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
