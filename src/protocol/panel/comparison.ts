/* One task that several models do at once, each in a worktree of its own. */

import type { Counts } from '../values.ts';
import type { OpenStatus } from './sessions.ts';

export interface Comparison {
  readonly prompt: string;
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly sessionId: string;
  readonly model: string;
  /** Absent: its session cannot be read, since another window has it open, or it was deleted. */
  readonly facts?: AttemptFacts;
}

/** How an attempt stands, from the state of its session. */
export interface AttemptFacts {
  readonly status: OpenStatus;
  /** Milliseconds since the Unix epoch: since when it works, or waits; absent while it rests. */
  readonly since?: number;
  /** Milliseconds of work, up to the newest wait or end. */
  readonly activeMs: number;
  /** US dollars; absent: no price is known. */
  readonly cost?: number;
  /** The cost is not all of it. */
  readonly unpriced?: true;
  readonly files: number;
  readonly counts: Counts;
  /** Titles, in order. */
  readonly chapters: readonly string[];
  readonly tests?: TestsOfAttempt;
  /** Where its changes lie; absent: it works in the workspace again. */
  readonly worktree?: string;
  /** Its changes were brought home after the newest edit. */
  readonly taken: boolean;
}

export interface TestsOfAttempt {
  /** `12 passed, 1 failed`, in the user's language; empty while they run. */
  readonly summary: string;
  /** Absent: their runner does not say. */
  readonly passed?: boolean;
  /** Files have changed since. */
  readonly outdated?: boolean;
}
