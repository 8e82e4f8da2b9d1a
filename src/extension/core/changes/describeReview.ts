/* A review as the journal and the panel have it, and back. */

import type { ReviewedFile, ReviewedHunk } from '../../../protocol/changes.ts';
import type { DiffLine } from '../../../protocol/events.ts';
import { beginReview, type FileReview, type Hunk } from '../../review/fileReview.ts';
import { splitLines } from '../../review/lineEdits.ts';

/** Lines of one hunk, and of all of a file's hunks, that are shown in the panel. */
const shownPerHunk = 40;
const shownPerFile = 400;
const shownLineLength = 500;

export interface ReviewNames {
  readonly path: string;
  readonly shown: string;
  /** Blobs. */
  readonly base: string;
  readonly present: string;
}

export function describeReview(review: FileReview, names: ReviewNames): ReviewedFile {
  let left = shownPerFile;
  const hunks = review.hunks.map((hunk): ReviewedHunk => {
    const all = linesOf(review, hunk);
    const lines = all.slice(0, Math.min(left, shownPerHunk));
    left -= lines.length;
    return { ...hunk, agentText: hunk.agentLines.join(''), lines, hiddenLines: all.length - lines.length };
  });
  return { ...names, change: review.created ? 'created' : 'modified', hunks };
}

export function reviewOf(described: ReviewedFile, baseText: string, presentText: string): FileReview {
  const hunks = described.hunks.map(
    ({ agentText, lines: _lines, hiddenLines: _hidden, ...hunk }): Hunk => ({
      ...hunk,
      agentLines: splitLines(agentText),
    }),
  );
  return {
    ...beginReview(baseText),
    created: described.change === 'created',
    present: splitLines(presentText),
    hunks,
    nextId: Math.max(0, ...hunks.map(hunk => hunk.id)) + 1,
  };
}

function linesOf({ base, present }: FileReview, hunk: Hunk): readonly DiffLine[] {
  const removed = base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount);
  const added =
    hunk.status === 'rejected' ? hunk.agentLines : present.slice(hunk.start, hunk.start + hunk.count);
  return [...removed.map(shownLine('removed')), ...added.map(shownLine('added'))];
}

function shownLine(kind: DiffLine['kind']): (line: string) => DiffLine {
  return line => ({ kind, text: line.replace(/\r?\n$/, '').slice(0, shownLineLength) });
}
