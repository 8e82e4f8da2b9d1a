/* Entries of the session list: recorded sessions, and those open in this window. */

import type { AskSubject } from '../asks.ts';
import type { BackgroundStatus } from '../background.ts';
import type { PendingTotals } from '../pending.ts';
import { hasCommandAwaitingInput, hasNewestTurnFailed, type SessionState } from '../state.ts';

export interface SessionEntry {
  readonly sessionId: string;
  /** Name given by the user, otherwise the first line of the first prompt. */
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
  readonly chapters: readonly string[];
  /** Text around the match, if neither title nor chapters contain it. */
  readonly found?: string;
  /** Name of the worktree that the session works in. */
  readonly worktree?: string;
  /** True if its commands run in a container. */
  readonly container?: true;
  /** External agent that drives the session. */
  readonly driver?: string;
  /** Status in the background host. */
  readonly background?: BackgroundStatus;
  /** Status in this window. Absent: the session is not open. */
  readonly status?: OpenStatus;
}

/**
 * `failed`: rests after an error; `reviewing`: rests, and changes wait for review; `waiting`: waits for a decision of
 * the user.
 */
export type OpenStatus = 'resting' | 'failed' | 'reviewing' | 'working' | 'waiting';

/** Returns the status of an open session. A command that waits for input counts as `waiting`. */
export function openStatusOf(
  state: Parameters<typeof hasCommandAwaitingInput>[0] & Pick<SessionState, 'activity' | 'reviews'>,
): OpenStatus {
  const { status } = state.activity;
  if (status === 'resting') {
    if (hasNewestTurnFailed(state)) return 'failed';
    return state.reviews.some(hasPending) ? 'reviewing' : 'resting';
  }
  return status === 'waiting' || status === 'choosing' || hasCommandAwaitingInput(state)
    ? 'waiting'
    : 'working';
}

function hasPending({ hunks }: SessionState['reviews'][number]): boolean {
  return hunks.some(hunk => hunk.status === 'pending');
}

/** A session that is open in this window, or in the background host for its workspace. */
export interface OpenSession {
  readonly sessionId: string;
  readonly title: string;
  readonly status: OpenStatus;
  /** Start of the current status, in milliseconds since the Unix epoch. */
  readonly since?: number;
  /** Title of the newest chapter. */
  readonly chapter?: string;
  readonly worktree?: string;
  readonly container?: true;
  readonly driver?: string;
  readonly pending?: PendingTotals;
  /** US dollars. */
  readonly cost?: number;
  readonly unpriced?: true;
  readonly ask?: OpenAsk;
  /** Status in the background host; absent for a session of the window. */
  readonly background?: BackgroundStatus;
}

export interface OpenAsk {
  readonly callId: string;
  /** Full subject of a plain ask, otherwise the title of the call. */
  readonly text: string;
  readonly reason: string;
  /** Present if the ask can be decided without its card. */
  readonly plain?: { readonly askId: string; readonly kind: AskSubject['kind'] };
}
