import type { ReachedBudget } from '../../../protocol/budgets.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import type { SessionState } from '../../../protocol/state.ts';
import type { CallSurroundings } from '../calls/surroundings.ts';
import type { SessionHooks } from '../hooks/sessionHooks.ts';
import type { Routing } from '../routing/routing.ts';
import type { ComposePrompt, SessionSurroundings } from '../session/surroundings.ts';
import type { AnyTool } from '../tool.ts';

/** What an agent has of the session that sends it out. */
export interface AgentSession {
  readonly around: SessionSurroundings;
  readonly state: () => SessionState;
  readonly emit: (event: SessionEventBody) => void;
  /** Tools that are there now, in their order, whether the model is told of them or not. */
  readonly tools: () => readonly AnyTool[];
  /** Permissions, approvals and files are the session's. */
  readonly calls: () => CallSurroundings;
  readonly hooks: () => Pick<SessionHooks, 'beside'>;
  readonly routing: Pick<Routing, 'working' | 'side' | 'attempts' | 'answered' | 'afterFailure'>;
  /** As the running turn read its files. */
  readonly compose: ComposePrompt;
  /** Of the turn that runs, and of the session. */
  readonly findReachedBudget: () => ReachedBudget | undefined;
  /** The person wants nothing more of the turn that runs. */
  readonly stopTurn: () => void;
}
