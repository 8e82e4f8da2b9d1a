/* From the lines of a journal back to a session, also when it ended in the middle of something. */

import type { Message, SessionEvent, SessionEventBody } from '../../../protocol/events.ts';
import { iterate } from '../../../protocol/pages.ts';
import { reduce } from '../../../protocol/reduce.ts';
import { emptySession, type SessionState } from '../../../protocol/state.ts';
import { failedResult, History, unansweredCalls } from '../history/history.ts';

export interface RestoredSession {
  readonly state: SessionState;
  readonly events: readonly SessionEvent[];
  /** What must be recorded to close what was open; empty when the session had come to rest. */
  readonly closing: readonly SessionEventBody[];
  /** Lines that could not be read. */
  readonly unreadable: number;
}

export function restoreSession(lines: readonly string[]): RestoredSession {
  let state = emptySession;
  let unreadable = 0;
  const events: SessionEvent[] = [];
  const history = new History();
  for (const line of lines) {
    const event = parseEvent(line);
    if (!event) {
      unreadable++;
      continue;
    }
    state = reduce(state, event);
    events.push(event);
    history.fold(event);
  }
  return { state, events, closing: closeOpenWork(state, history.messages), unreadable };
}

/** The shape of an event is trusted once it has a number and a type: the journal is our own file. */
export function parseEvent(line: string): SessionEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Counted as unreadable by the caller.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { seq, at, type } = value as { seq?: unknown; at?: unknown; type?: unknown };
  const isEvent = typeof seq === 'number' && typeof at === 'number' && typeof type === 'string';
  return isEvent ? (value as SessionEvent) : undefined;
}

function closeOpenWork(state: SessionState, messages: readonly Message[]): readonly SessionEventBody[] {
  const closing = closeOpenCalls(
    state,
    messages,
    'Folio was closed before this call finished; whether it took effect is unknown.',
  );
  const { activity } = state;
  if (activity.status !== 'resting') {
    closing.push({ type: 'turn.ended', turnId: activity.turnId, end: { kind: 'stopped' } });
  }
  if (closing.length > 0) closing.push({ type: 'session.resumed' });
  return closing;
}

/** Ends every open call and answers it in history; `because` is what the model reads. */
export function closeOpenCalls(
  state: SessionState,
  messages: readonly Message[],
  because: string,
): SessionEventBody[] {
  const closing: SessionEventBody[] = [];
  for (const callId of openCalls(state)) {
    closing.push({
      type: 'call.ended',
      callId,
      outcome: 'cancelled',
      display: { summary: 'Interrupted' },
      durationMs: 0,
    });
  }
  const unanswered = unansweredCalls(messages);
  if (unanswered.length > 0) {
    const parts = unanswered.map(call => failedResult(call, because));
    closing.push({ type: 'message.added', message: { role: 'user', parts } });
  }
  return closing;
}

function* openCalls(state: SessionState): Generator<string> {
  for (const chapter of state.chapters) {
    for (const item of iterate(chapter.items)) {
      if (item.type === 'call' && item.status.kind !== 'ended') yield item.id;
    }
  }
}
