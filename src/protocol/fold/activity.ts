/*
 * How long a session works, and whether it waits for its person, who may be asked about several calls at once: its own
 * and its subagents'.
 */

import { iterate } from '../pages.ts';
import type { Chapter, SessionState } from '../state.ts';

/** The wait is over: the turn works again, unless another call still asks. */
export function resumeWork(state: SessionState): SessionState {
  const { activity } = state;
  if (activity.status === 'resting' || activity.status === 'working') return state;
  const { turnId, since } = activity;
  const callId = activity.status === 'waiting' ? findAsking(state) : undefined;
  if (callId !== undefined) return { ...state, activity: { status: 'waiting', turnId, since, callId } };
  return { ...state, activity: { status: 'working', turnId, since } };
}

/** The chapter's working time when what works now ends at this moment. */
export function activeUntil(
  { activity }: Pick<SessionState, 'activity'>,
  { activeMs, startedAt }: Pick<Chapter, 'activeMs' | 'startedAt'>,
  at: number,
): number {
  if (activity.status === 'resting') return activeMs;
  return activeMs + Math.max(0, at - Math.max(activity.since, startedAt));
}

/** The id of a call that asks. A turn may have begun another chapter while an earlier call of it runs. */
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
