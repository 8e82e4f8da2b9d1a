/* A comparison: one task, done by several models at once, each in its own worktree. */

import type { Counts } from '../values.ts';
import type { OpenStatus } from './sessions.ts';

export interface Comparison {
  readonly prompt: string;
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly sessionId: string;
  readonly model: string;
  /** Absent: the session cannot be read, since it is open in another window or deleted. */
  readonly facts?: AttemptFacts;
}

/** State of an attempt, derived from its session. */
export interface AttemptFacts {
  readonly status: OpenStatus;
  /** Start of work or waiting, in milliseconds since the Unix epoch. Absent while the session rests. */
  readonly since?: number;
  /** Milliseconds of work, up to the newest wait or end. */
  readonly activeMs: number;
  /** US dollars; absent: no price is known. */
  readonly cost?: number;
  /** True if the price of some answers is unknown, so `cost` is incomplete. */
  readonly unpriced?: true;
  readonly files: number;
  readonly counts: Counts;
  /** Titles of chapters, in order. */
  readonly chapters: readonly string[];
  readonly tests?: TestsOfAttempt;
  /** Name of the worktree with its changes. Absent: it works in the workspace again. */
  readonly worktree?: string;
  /** True if its changes were brought home after the newest edit. */
  readonly taken: boolean;
}

export interface TestsOfAttempt {
  /** `12 passed, 1 failed`, in the user's language; empty while tests run. */
  readonly summary: string;
  /** Absent if the runner does not report it. */
  readonly passed?: boolean;
  /** True if files have changed since. */
  readonly outdated?: boolean;
}
