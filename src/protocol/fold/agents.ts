/* Subagents: each works on one task and returns a report. */

import type { SessionEvent } from '../events.ts';

/**
 * An event of a subagent. Its conversation begins with `session.started` and `turn.started`, ends with `turn.ended`,
 * and folds by the same `reduce`. Its events are numbered with the session's, which gives one order for all.
 */
export interface AgentEvent {
  /** Id of the call that started the subagent. */
  readonly callId: string;
  /** Name of the subagent, such as `codebase_investigator`. */
  readonly agent: string;
  readonly event: SessionEvent;
}

/** An event of a session or of one of its subagents. */
export type EmittedEvent = SessionEvent | AgentEvent;

export function isAgentEvent(reported: EmittedEvent): reported is AgentEvent {
  return !('type' in reported);
}

/** Returns the event without the subagent around it. */
export function eventOf(reported: EmittedEvent): SessionEvent {
  return isAgentEvent(reported) ? reported.event : reported;
}
