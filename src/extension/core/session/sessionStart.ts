import type { SessionEventBody } from '../../../protocol/events.ts';
import type { ToldEvent } from '../../../protocol/fold/agents.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Journal } from '../../platform/storage.ts';
import type { ClosedAgent } from '../recording/closeWork.ts';

/** A session as the journal left it, or a new one. */
export interface SessionStart {
  readonly sessionId: string;
  /** What the journal holds, folded and as it is. */
  readonly state?: SessionState;
  readonly past?: readonly ToldEvent[];
  /** The journal that this was read from, open for what comes; absent: it could not be opened. */
  readonly journal?: Journal;
  /** Subagents that were at work when it ended; told before the opening events. */
  readonly closedAgents?: readonly ClosedAgent[];
  readonly opening: readonly SessionEventBody[];
  /** Hears all that happens, the opening events too. */
  readonly listener?: (told: ToldEvent) => void;
}
