/* Agents that the agent sends out: each works by itself on one task and answers with a report. */

import type { SessionEventBody } from './events.ts';

/**
 * Something happened in the work of a subagent. Its work is told with the events of a session of its own: they begin
 * with `session.started` and `turn.started`, end with `turn.ended`, and fold by the same `reduce`.
 */
export interface AgentEvent {
  readonly type: 'agent.event';
  /** The call that sent it out. */
  readonly callId: string;
  /** Its name, for example `codebase_investigator`. */
  readonly agent: string;
  readonly event: SessionEventBody;
}
