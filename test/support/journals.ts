/* The journals of a session in memory, its own and its subagents', as one list of lines in the order of their numbers. */

import type { SessionEvent } from '../../src/protocol/events.ts';
import type { MemorySessionStore } from './memorySessionStore.ts';

export interface JournalLine {
  /** Of the call that sent a subagent out; absent: the session's own. */
  readonly callId?: string;
  readonly text: string;
}

export function journalLines(store: MemorySessionStore, sessionId: string): readonly JournalLine[] {
  const own = (store.journals.get(sessionId) ?? []).map(text => ({ text }));
  const agents = [...(store.agentJournals.get(sessionId) ?? [])].flatMap(([callId, lines]) =>
    lines.map(text => ({ callId, text })),
  );
  return [...own, ...agents].sort((a, b) => eventIn(a).seq - eventIn(b).seq);
}

export function eventIn({ text }: JournalLine): SessionEvent {
  return JSON.parse(text) as SessionEvent;
}

export function putJournals(
  store: MemorySessionStore,
  sessionId: string,
  lines: readonly JournalLine[],
): void {
  const agents = new Map<string, string[]>();
  const own: string[] = [];
  for (const { callId, text } of lines) {
    if (callId === undefined) own.push(text);
    else agents.set(callId, [...(agents.get(callId) ?? []), text]);
  }
  store.journals.set(sessionId, own);
  store.agentJournals.set(sessionId, agents);
}
