/* What waits for review, counted and grouped. A hunk that was rejected stays in its file, to be brought back. */

import type { ReviewedFile, ReviewedHunk } from '../../protocol/changes.ts';
import type { PanelReviewPlace, ShownFile } from '../../protocol/intentions.ts';

export interface PendingTotals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly rejected: number;
}

export function totalPending(reviews: readonly ReviewedFile[]): PendingTotals {
  const hunks = reviews.flatMap(review => review.hunks);
  const pending = hunks.filter(isPending);
  return {
    files: reviews.filter(review => review.hunks.some(isPending)).length,
    added: pending.reduce((sum, hunk) => sum + hunk.count, 0),
    removed: pending.reduce((sum, hunk) => sum + hunk.baseCount, 0),
    rejected: hunks.length - pending.length,
  };
}

export function isPending(hunk: ReviewedHunk): boolean {
  return hunk.status === 'pending';
}

export function chaptersWithPending(reviews: readonly ReviewedFile[]): ReadonlySet<string> {
  return new Set(reviews.flatMap(review => review.hunks.filter(isPending).flatMap(hunk => hunk.chapterIds)));
}

/** What a decision at this place is about, as it is shown. */
export function shownAt(reviews: readonly ReviewedFile[], place: PanelReviewPlace): readonly ShownFile[] {
  const isMeant = ({ hunks }: ReviewedFile) =>
    place.chapterId === undefined || hunks.some(hunk => hunk.chapterIds.includes(place.chapterId!));
  return reviews
    .filter(review => (place.path ?? review.path) === review.path && isMeant(review))
    .map(({ path, present }) => ({ path, present }));
}

export interface ReviewGroup {
  /** Absent when everything belongs to one chapter. */
  readonly chapterId?: string;
  /** With the hunks of the chapter alone. */
  readonly files: readonly ReviewedFile[];
}

/**
 * By chapter where several have pending changes. What two chapters wrote stands in both groups, as a decision
 * about either of them includes it.
 * @param order ids of chapters as they follow each other
 */
export function groupReviews(
  reviews: readonly ReviewedFile[],
  order: readonly string[],
): readonly ReviewGroup[] {
  if (chaptersWithPending(reviews).size < 2) return [{ files: reviews }];
  const ids = new Set(reviews.flatMap(review => review.hunks.flatMap(hunk => hunk.chapterIds)));
  const sorted = [...ids].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return sorted.map(chapterId => ({
    chapterId,
    files: reviews.flatMap(review => {
      const hunks = review.hunks.filter(hunk => hunk.chapterIds.includes(chapterId));
      return hunks.length > 0 ? [{ ...review, hunks }] : [];
    }),
  }));
}
