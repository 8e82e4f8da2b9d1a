import type { ExclusiveWork } from '../calls/calling.ts';
import type { TimeLimit } from '../calls/timeLimit.ts';
import type { OneAtATime } from './oneAtATime.ts';

/** Work that only one agent of a session may do at a time. */
export interface AgentLocks {
  /** A call that writes or runs, from when it is prepared until it has ended. */
  readonly writing: OneAtATime;
  readonly asking: OneAtATime;
}

/** Waiting for the others and for the user does not use up an agent's time. */
export function exclusiveWork(
  { writing, asking }: AgentLocks,
  limit: Pick<TimeLimit, 'hold' | 'release'>,
  signal: AbortSignal,
): ExclusiveWork {
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
