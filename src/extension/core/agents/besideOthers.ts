import { abortable } from '../../base/abort.ts';
import type { Beside } from '../calls/calling.ts';
import type { TimeLimit } from '../calls/timeLimit.ts';

/** Work that only one agent of a session may do at a time. */
export interface Lanes {
  /** A call that writes or runs, from when it is prepared until it has ended. */
  readonly writing: OneAtATime;
  readonly asking: OneAtATime;
}

/** Waiting for the others and for the person does not use up an agent's time. */
export function besideOthers(
  { writing, asking }: Lanes,
  limit: Pick<TimeLimit, 'hold' | 'release'>,
  signal: AbortSignal,
): Beside {
  return {
    write: async work => {
      let begun = false;
      limit.hold();
      const begin = () => {
        if (!begun) limit.release();
        begun = true;
      };
      try {
        await writing.run(() => {
          begin();
          return work();
        }, signal);
      } catch (error) {
        if (begun || !signal.aborted) throw error;
        // Nothing of it will run any more, but each call must still end.
        await work();
      } finally {
        begin();
      }
    },
    ask: async work => {
      limit.hold();
      try {
        return await asking.run(work, signal);
      } finally {
        limit.release();
      }
    },
  };
}

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
