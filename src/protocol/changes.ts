/* What happened to files: kept bytes, writes, what waits for review, and going back. */

import type { DiffLine } from './asks.ts';
import type { Todo } from './events.ts';
import type { Intention } from './intentions.ts';
import type { NewestPlan } from './state.ts';

/**
 * The bytes of a file were kept before Folio, or a command that it ran, wrote to it; once a turn and chapter, and
 * again when others had written meanwhile.
 */
export interface CheckpointTaken {
  readonly type: 'checkpoint.taken';
  /** Absolute. */
  readonly path: string;
  /** Blob with the bytes; `null`: there was no file. */
  readonly before: string | null;
}

export interface FileWritten {
  readonly type: 'file.written';
  /** Absolute. */
  readonly path: string;
  /** Blob with the bytes that stand there now; `null`: the file is gone. */
  readonly after: string | null;
  /** `unknown`: found after an interruption; Folio may have written it, or the person. */
  readonly by: 'call' | 'command' | 'review' | 'rewind' | 'unknown';
  /** Absent where nobody knows, and in journals of earlier versions. */
  readonly writer?: Writer;
}

/** Who changed a file. */
export type Writer =
  /** `words`: one line, as on the call's card. */
  | { readonly kind: 'call'; readonly callId: string; readonly words: string }
  /** A call that ran a command, or the beginning of a long one. */
  | { readonly kind: 'command'; readonly callId: string; readonly line: string }
  | { readonly kind: 'person'; readonly decision: 'review' | 'rewind' };

/** What waits for review in one file is different now; `review` is absent when nothing is left. */
export interface ReviewChanged {
  readonly type: 'review.changed';
  /** Absolute. */
  readonly path: string;
  readonly review?: ReviewedFile;
}

export interface ReviewedFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly shown: string;
  readonly change: 'created' | 'modified';
  /** Blobs with the text before the agent's first unreviewed change, and with the text that stands there. */
  readonly base: string;
  readonly present: string;
  readonly hunks: readonly ReviewedHunk[];
}

/** Lines `start … start + count` stand for lines `baseStart … baseStart + baseCount` of the base. From 0. */
export interface HunkPlace {
  readonly id: number;
  readonly status: 'pending' | 'rejected';
  readonly baseStart: number;
  readonly baseCount: number;
  readonly start: number;
  readonly count: number;
  /** The person wrote into it since: taking it back would take that too. */
  readonly touched: boolean;
  /** Chapters in which the agent wrote it, oldest first. */
  readonly chapterIds: readonly string[];
}

export interface ReviewedHunk extends HunkPlace {
  /** Nothing of what the agent wrote stands there any more, as after a branch switch: it no longer applies. */
  readonly gone?: true;
  /** Blob with what the agent had written, where that no longer stands in the file. */
  readonly agent?: string;
  /** At most some lines, for showing. */
  readonly lines: readonly DiffLine[];
  readonly hiddenLines: number;
}

/** Back to before a prompt or a chapter. */
export interface SessionRewound {
  readonly type: 'session.rewound';
  readonly rewindId: string;
  readonly to: RewindPoint;
  readonly scope: RewindScope;
  /** The event after which its writes stand in the journal; undoing puts files back to there. */
  readonly filesFrom: number;
  /** Messages of the history that stay; all when the conversation was not rewound. */
  readonly keptMessages: number;
  /** The to-do list as it was there; the present one when the conversation was not rewound. */
  readonly todos: readonly Todo[];
  /** The newest plan as it was then. */
  readonly plan?: NewestPlan;
  /** What waited for review before this rewind; undoing brings it back. */
  readonly reviews: readonly ReviewedFile[];
  readonly files: readonly RestoredFile[];
}

export interface RewindUndone {
  readonly type: 'rewind.undone';
  readonly rewindId: string;
  readonly files: readonly RestoredFile[];
}

export type RewindPoint = Intention<'rewind.do'>['to'];

export type RewindScope = Intention<'rewind.do'>['scope'];

export interface RestoredFile {
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly path: string;
  /**
   * `merged`: put back with the person's later edits kept. `conflict`: left as it is, because the person's edits
   * lie in what would be put back. `lost`: what it held is no longer kept.
   */
  readonly result: 'restored' | 'created' | 'deleted' | 'merged' | 'conflict' | 'lost';
  readonly added: number;
  readonly removed: number;
}
