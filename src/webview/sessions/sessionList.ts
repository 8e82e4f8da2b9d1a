/* The list as the person sees it: what the host found, with what was just deleted still in its place. */

import type { SessionEntry } from '../../protocol/sessions.ts';
import type { SessionsTold } from '../panel/store.ts';

/** A deleted session stays where it can be brought back, as long as the words that are searched fit it. */
export function withDeleted(
  { query, sessions }: SessionsTold,
  deleted: readonly SessionEntry[],
): readonly SessionEntry[] {
  const missing = deleted.filter(entry => fits(entry, query) && !has(sessions, entry));
  if (missing.length === 0) return sessions;
  return [...sessions, ...missing].sort((a, b) => b.changedAt - a.changedAt);
}

export function withTitle(told: SessionsTold, sessionId: string, title: string): SessionsTold {
  const sessions = told.sessions.map(each => (each.sessionId === sessionId ? { ...each, title } : each));
  return { ...told, sessions };
}

export function has(sessions: readonly SessionEntry[], { sessionId }: SessionEntry): boolean {
  return sessions.some(each => each.sessionId === sessionId);
}

function fits({ title, chapters }: SessionEntry, query: string): boolean {
  const text = `${title} ${chapters.join(' ')}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}
