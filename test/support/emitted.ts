/* Events of a session and its subagents, for tests that check both. */

import type { Session } from '../../src/extension/core/session/session.ts';
import type { SessionEvent, SessionEventBody } from '../../src/protocol/events.ts';
import { type AgentEvent, type EmittedEvent, eventOf, isAgentEvent } from '../../src/protocol/fold/agents.ts';

/** An event without number and time. */
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

/** @param of absent for events of the session itself */
export type HearEmitted = (event: SessionEvent, of?: AgentEvent) => void;

export function onEmitted(session: Session, hear: HearEmitted): void {
  session.onEvent(event => hear(event));
  session.onAgentEvent(reported => hear(reported.event, reported));
}

/** Returns the events of subagents, in order. */
export function inside(reported: readonly EmittedEvent[]): readonly SessionEvent[] {
  return reported.filter(isAgentEvent).map(({ event }) => event);
}

/** Returns the events of the session and its subagents as one list. */
export function all(reported: readonly EmittedEvent[]): readonly SessionEvent[] {
  return reported.map(eventOf);
}
