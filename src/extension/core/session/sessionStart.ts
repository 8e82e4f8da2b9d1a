import type { SessionEventBody } from '../../../protocol/events.ts';
import type { EmittedEvent } from '../../../protocol/fold/agents.ts';
import type { Journal } from '../../platform/storage.ts';
import type { LoadedSession } from '../recording/restore.ts';
import type { ClosedAgent } from '../recording/workClosingEvents.ts';

/** A new session, or one restored from its journal. */
export interface SessionStart {
  readonly sessionId: string;
  /** Content of the journal; the session continues its history. */
  readonly past?: Pick<LoadedSession, 'state' | 'history' | 'places' | 'reported'>;
  /** The open journal; absent: it could not be opened for writing. */
  readonly journal?: Journal;
  /** Interrupted subagents, which are reported before the opening events. */
  readonly closedAgents?: readonly ClosedAgent[];
  readonly opening: readonly SessionEventBody[];
  /** Receives all events, including the opening ones. */
  readonly listener?: (reported: EmittedEvent) => void;
}
