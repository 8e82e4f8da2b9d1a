/* What happens in a session, to itself or to a subagent, for tests that check both. */

import type { Session } from '../../src/extension/core/session/session.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { type AgentEvent, type EmittedEvent, eventOf, isOfAgent } from '../../src/protocol/fold/agents.ts';

/** An event without its number and time, as a scene tells it. */
export type EmittedBody = SessionEventBody | AgentBody;

interface AgentBody {
  readonly callId: string;
  readonly agent: string;
  readonly event: SessionEventBody;
}

export function numbered(body: EmittedBody, seq: number, at: number): EmittedEvent {
  if ('type' in body) return { ...body, seq, at };
  return { ...body, event: { ...body.event, seq, at } };
}

/** @param of absent: it happened to the session itself */
export type HearEmitted = (event: SessionEvent, of?: AgentEvent) => void;

export function onEmitted(session: Session, hear: HearEmitted): void {
  session.onEvent(event => hear(event));
  session.onAgentEvent(reported => hear(reported.event, reported));
}

/** What happened inside of agents, in order. */
export function inside(reported: readonly EmittedEvent[]): readonly SessionEvent[] {
  return reported.filter(isOfAgent).map(({ event }) => event);
}

/** The session's own events and those of its agents, as if they were one. */
export function all(reported: readonly EmittedEvent[]): readonly SessionEvent[] {
  return reported.map(eventOf);
}
