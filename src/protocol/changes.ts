/* What happened to files: kept bytes, writes, what waits for review, and going back. */

import type { SessionEventBody } from './events.ts';
import type { Intention } from './intentions.ts';

export type ReviewedFile = NonNullable<SessionEventBody<'review.changed'>['review']>;

export type ReviewedHunk = ReviewedFile['hunks'][number];

/** Where a hunk stands, without what is shown of it. */
export type HunkPlace = Omit<ReviewedHunk, 'gone' | 'agent' | 'cell' | 'lines' | 'hiddenLines'>;

/** Who changed a file. */
export type Writer =
  /** `words`: one line, as on the call's card. */
  | { readonly kind: 'call'; readonly callId: string; readonly words: string }
  /** A call that ran a command, or the beginning of a long one. */
  | { readonly kind: 'command'; readonly callId: string; readonly line: string }
  | { readonly kind: 'person'; readonly decision: 'review' | 'rewind' };

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

/** Calls and commands that wrote a hunk, in the words of their cards, oldest first. */
export function writerNames({ writers = [] }: Pick<ReviewedHunk, 'writers'>): readonly string[] {
  return [...new Set(writers.map(nameOf))];
}

function nameOf(writer: Writer): string {
  switch (writer.kind) {
    case 'call':
      return writer.words;
    case 'command':
      return writer.line;
    case 'person':
      return 'You';
  }
}
