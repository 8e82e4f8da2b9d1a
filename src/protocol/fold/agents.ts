/* Agents that the agent sends out: each works automatically on one task and answers with a report. */

import type { SessionEvent } from '../events.ts';

/**
 * Something happened in the work of a subagent. Its work is a conversation of its own, with the events of one: they
 * begin with `session.started` and `turn.started`, end with `turn.ended`, and fold by the same `reduce`. Their numbers
 * are the session's, so that one order holds for all that happens in it.
 */
export interface AgentEvent {
  /** The call that sent it out. */
  readonly callId: string;
  /** Its name, for example `codebase_investigator`. */
  readonly agent: string;
  readonly event: SessionEvent;
}

/** An event of a session: of itself, or of one of its subagents. */
export type EmittedEvent = SessionEvent | AgentEvent;

export function isOfAgent(reported: EmittedEvent): reported is AgentEvent {
  return !('type' in reported);
}

/** The event itself, whoever it happened to. */
export function eventOf(reported: EmittedEvent): SessionEvent {
  return isOfAgent(reported) ? reported.event : reported;
}
