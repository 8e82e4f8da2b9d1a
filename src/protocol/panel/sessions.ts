/* Sessions as a list: those on the disk, and those that are open in this window. */

import type { AskSubject } from '../asks.ts';
import type { BackgroundStatus } from '../background.ts';
import type { PendingTotals } from '../pending.ts';
import { awaitsInput, hasFailed, type SessionState } from '../state.ts';

export interface SessionEntry {
  readonly sessionId: string;
  /** The user's name for it, else the first line of the first prompt. */
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
  readonly chapters: readonly string[];
  /** The words around what was searched for, where neither title nor chapters hold it. */
  readonly found?: string;
  /** The name of the worktree that it works in. */
  readonly worktree?: string;
  /** Its commands run in a container. */
  readonly container?: true;
  /** The agent of another maker that drives it. */
  readonly driver?: string;
  /** The status of one that runs in the background host. */
  readonly background?: BackgroundStatus;
  /** The status of one that is open in this window; absent: it is only on the disk. */
  readonly status?: OpenStatus;
}

/** `failed`: rests after an error; `reviewing`: rests, and some of its changes wait for review; `waiting`: for a decision of the user. */
export type OpenStatus = 'resting' | 'failed' | 'reviewing' | 'working' | 'waiting';

/** The status of an open session; a command that waits for input waits for the user as an ask does. */
export function statusOf(
  state: Parameters<typeof awaitsInput>[0] & Pick<SessionState, 'activity' | 'reviews'>,
): OpenStatus {
  const { status } = state.activity;
  if (status === 'resting') {
    if (hasFailed(state)) return 'failed';
    return state.reviews.some(hasPending) ? 'reviewing' : 'resting';
  }
  return status === 'waiting' || status === 'choosing' || awaitsInput(state) ? 'waiting' : 'working';
}

function hasPending({ hunks }: SessionState['reviews'][number]): boolean {
  return hunks.some(hunk => hunk.status === 'pending');
}

/** A session that is open in this window, or in the background host for its workspace. Everything behind its status is absent where there is none. */
export interface OpenSession {
  readonly sessionId: string;
  readonly title: string;
  readonly status: OpenStatus;
  /** Since when it works, waits or rests; milliseconds since the Unix epoch. */
  readonly since?: number;
  /** The title of the chapter that grows. */
  readonly chapter?: string;
  readonly worktree?: string;
  readonly container?: true;
  readonly driver?: string;
  /** Changes that wait for review. */
  readonly pending?: PendingTotals;
  /** US dollars. */
  readonly cost?: number;
  readonly unpriced?: true;
  readonly ask?: OpenAsk;
  /** It runs in the background host, not in the window. */
  readonly background?: BackgroundStatus;
}

/** The call that a session waits with. */
export interface OpenAsk {
  readonly callId: string;
  /** All that a plain ask is about; else the title of the call. */
  readonly text: string;
  readonly reason: string;
  /** Says that it can be decided on without its card. */
  readonly plain?: { readonly askId: string; readonly kind: AskSubject['kind'] };
}
