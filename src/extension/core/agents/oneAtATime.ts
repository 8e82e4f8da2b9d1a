import { abortable } from '../../base/abort.ts';

/** Lets work begin only when all that came before has ended, in the order in which it came. */
export class OneAtATime {
  private last: Promise<void> = Promise.resolve();

  /** Rejects with the signal's reason when aborted before its turn has come. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.last;
    let leave = () => {};
    this.last = new Promise(resolve => {
      leave = resolve;
    });
    try {
      await abortable(before, signal);
    } catch (error) {
      // A caller behind this one still has to wait for those before it.
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
