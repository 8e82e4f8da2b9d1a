/* Counts changes that wait for review, without rejected hunks, which stay listed to be restored. */

import { countCells, type ReviewedFile, type ReviewedHunk, sumCounts } from './changes.ts';
import type { Counts } from './values.ts';

export interface PendingTotals extends Counts {
  readonly files: number;
  readonly rejected: number;
}

export function totalPending(reviews: readonly ReviewedFile[]): PendingTotals {
  const hunks = reviews.flatMap(review => review.hunks);
  const pending = hunks.filter(isPending);
  return {
    files: reviews.filter(review => review.hunks.some(isPending)).length,
    ...sumCounts(reviews.flatMap(review => review.hunks.filter(isPending).map(countsOf(review)))),
    rejected: hunks.length - pending.length,
  };
}

export function isPending(hunk: ReviewedHunk): boolean {
  return hunk.status === 'pending';
}

function countsOf({ by }: ReviewedFile): (hunk: ReviewedHunk) => Counts {
  if (by === 'cells') return hunk => ({ added: 0, removed: 0, cells: countCells(hunk) });
  // A file that is reviewed as a whole has no line counts.
  if (by === 'file') return () => ({ added: 0, removed: 0 });
  return ({ count, baseCount }) => ({ added: count, removed: baseCount });
}
