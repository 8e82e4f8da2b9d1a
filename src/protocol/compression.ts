/* Compression: the oldest part of the history gives way to a summary, and can come back. */

import type { Message } from './events.ts';

/** The context grew beyond its share of the model's limit, or a person asked for it. */
export type CompressionTrigger = 'automatic' | 'manual';

/** What a compression does. It changes what the next request carries and nothing that is recorded. */
export interface CompressionPlan {
  /** One `<state_snapshot>` element, as the model wrote it or the person edited it. */
  readonly snapshot: string;
  /** What stands in place of the replaced messages: snapshot, acknowledgement, what stays word for word. */
  readonly replacement: readonly Message[];
  /** How many messages of the whole history, counted from its beginning, are replaced. */
  readonly keptFrom: number;
  /** Kept messages whose long results were cut. */
  readonly cut: readonly CutMessage[];
  readonly parts: readonly CompressionPart[];
  /** Of a request. Estimates are scaled by what the provider counted last. */
  readonly tokens: { readonly before: number; readonly after: number };
}

export interface CutMessage {
  /** In the whole history; not less than `keptFrom`. */
  readonly index: number;
  readonly message: Message;
}

/** What becomes of one chapter, in tokens. */
export interface CompressionPart {
  readonly chapterId: string;
  readonly summarised: number;
  /** Stays word for word. */
  readonly kept: number;
  /** Of long results in what is kept; the whole stays on the disk. */
  readonly dropped: number;
}

export interface CompressionStarted {
  readonly type: 'compression.started';
  readonly compressionId: string;
  readonly trigger: CompressionTrigger;
}

/** A person decides on it: apply, edit, discard. */
export interface CompressionProposed {
  readonly type: 'compression.proposed';
  readonly compressionId: string;
  readonly plan: CompressionPlan;
}

/** Comes again with the same id when a person edits the summary afterwards. */
export interface CompressionApplied {
  readonly type: 'compression.applied';
  readonly compressionId: string;
  readonly trigger: CompressionTrigger;
  readonly plan: CompressionPlan;
}

/** It came to nothing; the history is as it was. */
export interface CompressionEnded {
  readonly type: 'compression.ended';
  readonly compressionId: string;
  readonly end: CompressionEnd;
}

export type CompressionEnd =
  /** `message`: what happened and what to do. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly nothingToDo?: true;
      /** The summary was longer than what it stood for. After an automatic attempt the next ones pause. */
      readonly inflated?: true;
    }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'stopped' };

/** The whole of what it replaced is sent again. */
export interface CompressionUndone {
  readonly type: 'compression.undone';
  readonly compressionId: string;
}

/** A pinned prompt or answer stays word for word in every compression. */
export interface PinChanged {
  readonly type: 'pin.changed';
  /** A prompt's turn or an answer's step. */
  readonly id: string;
  readonly pinned: boolean;
}
