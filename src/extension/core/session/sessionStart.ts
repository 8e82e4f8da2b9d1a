import type { SessionEventBody } from '../../../protocol/events.ts';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';
import type { Journal } from '../../platform/storage.ts';
import type { ClosedAgent } from '../recording/closeWork.ts';
import type { ReadSession } from '../recording/restore.ts';

/** A session as the journal left it, or a new one. */
export interface SessionStart {
  readonly sessionId: string;
  /** The journal's content; the session continues with its history. */
  readonly past?: Pick<ReadSession, 'state' | 'history' | 'places' | 'reported'>;
  /** The journal that this was read from, open for what comes; absent: it could not be opened. */
  readonly journal?: Journal;
  /** Subagents that were at work when it ended; told before the opening events. */
  readonly closedAgents?: readonly ClosedAgent[];
  readonly opening: readonly SessionEventBody[];
  /** Hears all that happens, the opening events too. */
  readonly listener?: (reported: EmittedEvent) => void;
}
