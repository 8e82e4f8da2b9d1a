/* Sessions as a list: those on the disk, and those that are open in this window. */

export interface SessionEntry {
  readonly sessionId: string;
  /** The person's name for it, else the first line of the first prompt. */
  readonly title: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
  readonly chapters: readonly string[];
  /** The status of one that is open in this window; absent: it is only on the disk. */
  readonly status?: OpenStatus;
}

/** `waiting`: for a decision of the person. */
export type OpenStatus = 'resting' | 'working' | 'waiting';

/** One of the sessions that are open in this window beside the one that is shown. */
export interface OpenSession {
  readonly sessionId: string;
  readonly title: string;
  readonly status: OpenStatus;
}
