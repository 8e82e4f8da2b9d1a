/* Groups open sessions that wait, work or need review. They are listed before the days. */

import { t } from '../../protocol/language.ts';
import type { OpenSession, OpenStatus, SessionEntry } from '../../protocol/panel/sessions.ts';
import { groupSessions, type SessionGroup } from './sessionDays.ts';

export type Need = 'waiting' | 'working' | 'review';

export type OpenSessionsById = ReadonlyMap<string, OpenSession>;

export interface NeedGroup extends SessionGroup {
  readonly need: Need;
}

const needOf: Readonly<Record<OpenStatus, Need | undefined>> = {
  waiting: 'waiting',
  working: 'working',
  reviewing: 'review',
  failed: 'review',
  resting: undefined,
};

const needTitles = (): Readonly<Record<Need, string>> => ({
  waiting: t('Waiting for you'),
  working: t('Working'),
  review: t('To review'),
});

/** @param only shows only sessions with this need, if there are any */
export function groupByNeed(
  sessions: readonly SessionEntry[],
  open: OpenSessionsById,
  now: number,
  only: Need | undefined,
): { readonly needs: readonly NeedGroup[]; readonly shown: readonly SessionGroup[] } {
  const needIn = (entry: SessionEntry) => {
    const status = newestStatus(open, entry);
    return status && needOf[status];
  };
  const sinceOf = ({ sessionId }: SessionEntry) => open.get(sessionId)?.since ?? 0;
  const titles = needTitles();
  const needs = (['waiting', 'working', 'review'] as const).flatMap(need => {
    const found = sessions.filter(entry => needIn(entry) === need);
    // Longest wait first, so that a new one moves no button of another.
    if (need === 'waiting') found.sort((a, b) => sinceOf(a) - sinceOf(b));
    return found.length > 0 ? { need, title: titles[need], sessions: found } : [];
  });
  const others = sessions.filter(entry => needIn(entry) === undefined);
  const filtered = needs.filter(({ need }) => need === only);
  const shown = filtered.length > 0 ? filtered : [...needs, ...groupSessions(others, now)];
  return { needs, shown };
}

/** Returns the status in the window if open, otherwise that of the list. */
export function newestStatus(
  open: OpenSessionsById,
  { sessionId, status }: SessionEntry,
): OpenStatus | undefined {
  return open.get(sessionId)?.status ?? status;
}

/** Adds open sessions that are missing in a limited or outdated list. */
export function withOpenSessions(
  sessions: readonly SessionEntry[],
  open: OpenSessionsById,
): readonly SessionEntry[] {
  const listed = new Set(sessions.map(({ sessionId }) => sessionId));
  const missing = [...open.values()].filter(({ sessionId, title }) => title !== '' && !listed.has(sessionId));
  if (missing.length === 0) return sessions;
  const entries = missing.map(({ sessionId, title, since = 0, chapter }) => ({
    sessionId,
    title,
    changedAt: since,
    chapters: chapter === undefined ? [] : [chapter],
  }));
  return [...sessions, ...entries].sort((a, b) => b.changedAt - a.changedAt);
}
