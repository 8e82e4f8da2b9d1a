/* What happens in a session, to itself or to a subagent, for tests that look at both. */

import type { Session } from '../../src/extension/core/session/session.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { type AgentEvent, eventOf, isOfAgent, type ToldEvent } from '../../src/protocol/fold/agents.ts';

/** An event without its number and time, as a scene tells it. */
export type ToldBody = SessionEventBody | AgentBody;

interface AgentBody {
  readonly callId: string;
  readonly agent: string;
  readonly event: SessionEventBody;
}

export function numbered(body: ToldBody, seq: number, at: number): ToldEvent {
  if ('type' in body) return { ...body, seq, at };
  return { ...body, event: { ...body.event, seq, at } };
}

/** @param of absent: it happened to the session itself */
export type HearTold = (event: SessionEvent, of?: AgentEvent) => void;

export function onTold(session: Session, hear: HearTold): void {
  session.onEvent(event => hear(event));
  session.onAgentEvent(told => hear(told.event, told));
}

/** What happened inside of agents, in order. */
export function inside(told: readonly ToldEvent[]): readonly SessionEvent[] {
  return told.filter(isOfAgent).map(({ event }) => event);
}

/** The session's own events and those of its agents, as if they were one. */
export function all(told: readonly ToldEvent[]): readonly SessionEvent[] {
  return told.map(eventOf);
}
