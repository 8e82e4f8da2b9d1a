/*
 * Measures how long a session works and waits for the user, who may be asked about several calls at once, including
 * those of subagents.
 */

import { iterate } from '../pagedList.ts';
import { type Chapter, newestChapter, type SessionState } from '../state.ts';

/** Ends the wait. The turn works again, unless another call still asks. */
export function endWait(state: SessionState): SessionState {
  const { activity } = state;
  if (activity.status === 'resting' || activity.status === 'working') return state;
  const { turnId, since } = activity;
  const callId = activity.status === 'waiting' ? findAsking(state) : undefined;
  if (callId !== undefined) return { ...state, activity: { status: 'waiting', turnId, since, callId } };
  return { ...state, activity: { status: 'working', turnId, since } };
}

type Timed = Pick<SessionState, 'activity' | 'newestWait'>;

/** Returns the working time of the chapter, counted up to this moment. */
export function activeMsAt(
  { activity, newestWait }: Timed,
  { activeMs, startedAt }: Pick<Chapter, 'activeMs' | 'startedAt'>,
  at: number,
): number {
  if (activity.status === 'resting' || isLasting(newestWait)) return activeMs;
  return activeMs + Math.max(0, at - uncountedWorkStart(activity.since, startedAt, newestWait));
}

/** Returns the start of the work that is not yet counted in `activeMs` of the chapter. */
export function uncountedWorkStart(turn: number, chapter: number, wait: SessionState['newestWait']): number {
  return Math.max(turn, chapter, wait?.until ?? 0);
}

/** Returns how long the chapter has waited for the user, up to this moment. */
export function waitedMsAt(
  { newestWait }: Timed,
  { waitedMs = 0 }: Pick<Chapter, 'waitedMs'>,
  at: number,
): number {
  return newestWait && isLasting(newestWait) ? waitedMs + Math.max(0, at - newestWait.from) : waitedMs;
}

/** Counts waits for the user separately from work. @param at time of the change from `before` to `after` */
export function countWaitingTime(before: SessionState, after: SessionState, at: number): SessionState {
  const [was, is] = [before, after].map(
    ({ activity: { status } }) => status === 'waiting' || status === 'choosing',
  );
  if (was === is) return after;
  const chapter = newestChapter(after);
  const counted = is
    ? { activeMs: activeMsAt(before, chapter, at) }
    : { waitedMs: waitedMsAt(before, chapter, at) || undefined };
  const newestWait = is ? { from: at } : before.newestWait && { ...before.newestWait, until: at };
  return { ...after, newestWait, chapters: after.chapters.with(-1, { ...chapter, ...counted }) };
}

function isLasting(wait: SessionState['newestWait']): boolean {
  return wait !== undefined && wait.until === undefined;
}

/** Returns the id of a call that asks. It may be in an earlier chapter of the running turn. */
function findAsking({ chapters }: SessionState): string | undefined {
  for (const { items } of chapters.slice(-2)) {
    for (const item of iterate(items)) {
      if (item.type !== 'call' || item.status.kind === 'ended') continue;
      if (item.status.kind === 'asking') return item.id;
      const inner = item.agent && findAsking(item.agent.session);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
