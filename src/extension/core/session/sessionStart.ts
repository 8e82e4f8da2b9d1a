import type { SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { Journal } from '../../platform/storage.ts';

/** A session as the journal left it, or a new one. */
export interface SessionStart {
  readonly sessionId: string;
  /** What the journal holds, folded and as it is. */
  readonly state?: SessionState;
  readonly past?: readonly SessionEvent[];
  /** The journal that this was read from, open for what comes; absent: it could not be opened. */
  readonly journal?: Journal;
  readonly opening: readonly SessionEventBody[];
  /** Hears the opening events too. */
  readonly listener?: (event: SessionEvent) => void;
}
