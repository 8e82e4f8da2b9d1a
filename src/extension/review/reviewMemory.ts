/*
 * Undo and redo restore earlier texts of the file exactly. The earlier review of such a text is then valid again: with
 * hunks that an undone rejection had removed, or without any if the agent's write was undone. So the review at each of
 * our writes is stored, and found by its text.
 */

import { acceptHunks, applyOtherWrites, changesTo, pendingHunks, presentText } from './fileReview.ts';
import { followOtherWrite } from './followTyping.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { joinedLength } from './units.ts';

export interface ReviewMemory {
  /** Newest last. */
  readonly reviews: readonly FileReview[];
  /** Number of the newest that were stored since the last command began, or hunks were undone. */
  readonly fresh: number;
}

export const emptyMemory: ReviewMemory = { reviews: [], fresh: 0 };

/** Steps that can be undone. Each costs a list of references to lines. */
const kept = 40;

export function rememberReviews(
  { reviews, fresh }: ReviewMemory,
  ...newest: readonly FileReview[]
): ReviewMemory {
  const newer = newest.filter(review => !reviews.includes(review));
  return { reviews: [...reviews, ...newer].slice(-kept), fresh: Math.min(kept, fresh + newer.length) };
}

/**
 * Call when a command begins, or a decision was made: earlier reviews are then only for undo.
 * @param waiting the file's review, if something is pending
 */
export function startFreshReviews({ reviews }: ReviewMemory, waiting?: FileReview): ReviewMemory {
  const older = { reviews: reviews.filter(review => review !== waiting), fresh: 0 };
  return waiting ? rememberReviews(older, waiting) : older;
}

/** An accepted hunk stays accepted, whatever is undone. */
export function acceptRemembered({ reviews, fresh }: ReviewMemory, hunkIds: readonly number[]): ReviewMemory {
  return { reviews: reviews.map(review => acceptHunks(review, hunkIds)), fresh };
}

/** Returns the newest review of exactly this text, for a file with this review. Does not reuse its hunk ids. */
export function recallReview(
  { reviews }: Pick<ReviewMemory, 'reviews'>,
  text: string,
  { nextId, mode }: Pick<FileReview, 'nextId' | 'mode'>,
): FileReview | undefined {
  const found = reviews.findLast(
    review => joinedLength(review.present, review.by) === text.length && presentText(review) === text,
  );
  return found && { ...found, mode, nextId: Math.max(found.nextId, nextId) };
}

/**
 * Returns the review of what a command found, if an editor reported the command's own text as typing. Ignores older
 * reviews: nobody undoes during a command, so an equal text would be a coincidence, and decided hunks would be pending
 * again.
 */
export function recallReviewOfCommand(
  { reviews, fresh }: ReviewMemory,
  text: string,
  review: Pick<FileReview, 'nextId' | 'mode'>,
): FileReview | undefined {
  return recallReview({ reviews: reviews.slice(reviews.length - fresh) }, text, review);
}

/** Returns the remembered review of a text that the file no longer has, or derives one as if others had written it. */
export function recallOrDerive(review: FileReview, memory: ReviewMemory, text: string): FileReview {
  if (presentText(review) === text) return review;
  return recallReviewOfCommand(memory, text, review) ?? applyOtherWrites(review, changesTo(review, text));
}

/**
 * Uses the remembered review only if it has every hunk that is pending after typing. Otherwise the equal text is a
 * coincidence without undo, and the review would lose later writes.
 */
export function preferRemembered(typed: FileReview, remembered: FileReview | undefined): FileReview {
  const isKnown = ({ id }: Hunk) => remembered?.hunks.some(hunk => hunk.id === id);
  return remembered && typed.hunks.every(isKnown) ? remembered : typed;
}

/** Maximal number of stored reviews of other branches and stashes. */
const keptAway = 4;

/**
 * Stores the review if some of its pending changes have disappeared: another branch was checked out, or they were
 * stashed.
 * @param followed the review of what was found; absent if the file is gone
 */
export function stashReview(
  away: readonly FileReview[],
  review: FileReview,
  followed: FileReview | undefined,
): readonly FileReview[] {
  const stays = followed ? holdsAll(review, followed, 'present') : pendingHunks(review).length === 0;
  return stays ? away : [...away.filter(each => each !== review), review].slice(-keptAway);
}

/**
 * Restores pending changes once all of them are in the file again, whatever else has changed.
 * @param followed the review of this text otherwise; each of its pending changes must have been away, too
 */
export function restoreStashed(
  away: readonly FileReview[],
  text: string,
  followed: FileReview,
): { readonly review: FileReview; readonly away: readonly FileReview[] } | undefined {
  for (const review of away.toReversed()) {
    const found = withText(review, text);
    if (!found || pendingHunks(found).length === 0 || !holdsAll(review, found, 'present')) continue;
    if (!holdsAll(followed, found, 'base')) continue;
    const nextId = Math.max(found.nextId, followed.nextId);
    return {
      review: { ...found, mode: followed.mode, nextId },
      away: away.filter(each => each !== review),
    };
  }
  return undefined;
}

/** A file that is decided as a whole is compared as a whole. Returning to a branch undoes no rejection. */
function withText(review: FileReview, text: string): FileReview | undefined {
  if (presentText(review) === text) return review;
  return review.by === 'file' ? undefined : followOtherWrite(review, text);
}

/** Returns whether each pending change of one review is pending in the other, with the same lines on this side. */
function holdsAll(review: FileReview, other: FileReview, side: 'base' | 'present'): boolean {
  const there = new Map(pendingHunks(other).map(hunk => [hunk.id, hunk]));
  return pendingHunks(review).every(hunk => {
    const same = there.get(hunk.id);
    return same !== undefined && linesOf(review, hunk, side) === linesOf(other, same, side);
  });
}

function linesOf({ base, present }: FileReview, hunk: Hunk, side: 'base' | 'present'): string {
  const lines =
    side === 'base'
      ? base.slice(hunk.baseStart, hunk.baseStart + hunk.baseCount)
      : present.slice(hunk.start, hunk.start + hunk.count);
  return lines.join('');
}
