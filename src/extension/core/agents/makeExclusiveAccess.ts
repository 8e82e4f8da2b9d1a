import type { ExclusiveAccess } from '../calls/calling.ts';
import type { PausableTimer } from '../calls/pausableTimer.ts';
import type { SerialQueue } from './serialQueue.ts';

/** Queues for work that only one agent of a session may do at a time. */
export interface AgentLocks {
  /** Calls that write or run, from preparation to end. */
  readonly writing: SerialQueue;
  readonly asking: SerialQueue;
}

/** Does not count waiting for other agents and for the user against an agent's time. */
export function makeExclusiveAccess(
  { writing, asking }: AgentLocks,
  limit: Pick<PausableTimer, 'hold' | 'release'>,
  signal: AbortSignal,
): ExclusiveAccess {
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
        // It is aborted, but each call must still end.
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
