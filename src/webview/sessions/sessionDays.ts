import { t } from '../../protocol/language.ts';
import type { SessionEntry } from '../../protocol/panel/sessions.ts';
import { formatAgo, formatDate } from '../ui/format.ts';

export interface SessionGroup {
  readonly title: string;
  readonly sessions: readonly SessionEntry[];
}

/** Groups sessions, which must be sorted newest first. */
export function groupSessions(sessions: readonly SessionEntry[], now: number): readonly SessionGroup[] {
  const groups = new Map<string, SessionEntry[]>();
  for (const entry of sessions) {
    const title = titleOfDay(entry.changedAt, now);
    groups.get(title)?.push(entry) ?? groups.set(title, [entry]);
  }
  return [...groups].map(([title, entries]) => ({ title, sessions: entries }));
}

/** Returns the time of a session, without what the title of its group says. */
export function timeOfSession(at: number, now: number): string {
  const days = daysAgo(at, now);
  if (days <= 0) return formatAgo(at, now);
  if (days === 1) return formatDate(at, { hour: 'numeric', minute: '2-digit' });
  if (days <= daysOfWeek(now)) return formatDate(at, { weekday: 'short' });
  return formatDate(at, { day: 'numeric', month: 'short' });
}

function titleOfDay(at: number, now: number): string {
  const days = daysAgo(at, now);
  if (days <= 0) return t('Today');
  if (days === 1) return t('Yesterday');
  if (days <= daysOfWeek(now)) return t('This week');
  if (days <= daysOfWeek(now) + 7) return t('Last week');
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return formatDate(at, { month: 'long', year: isThisYear ? undefined : 'numeric' });
}

/** Counts midnights, which are not always 24 hours apart. */
function daysAgo(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
}

/** Returns the days of this week before today. Weeks begin on Monday. */
function daysOfWeek(now: number): number {
  return (new Date(now).getDay() + 6) % 7;
}
