/*
 * Undo and redo bring back texts that stood in the file before, character by character. The old picture of such a
 * text is then true again: with hunks that an undone rejection had taken away, or without any where the agent's write
 * itself was undone. So the picture at each write of ours is kept, and found again by its text.
 */

import { acceptHunks, changesTo, otherWrites, pendingHunks, presentText } from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { otherText } from './typedText.ts';
import { joinedLength } from './units.ts';

export interface ReviewMemory {
  /** The newest last. */
  readonly reviews: readonly FileReview[];
  /** So many of the newest are from since the newest command began, or hunks were undone. */
  readonly fresh: number;
}

export const emptyMemory: ReviewMemory = { reviews: [], fresh: 0 };

/** Steps that can be undone; each costs a list of references to lines. */
const kept = 40;

export function remember({ reviews, fresh }: ReviewMemory, ...newest: readonly FileReview[]): ReviewMemory {
  const newer = newest.filter(review => !reviews.includes(review));
  return { reviews: [...reviews, ...newer].slice(-kept), fresh: Math.min(kept, fresh + newer.length) };
}

/**
 * A command begins, or a decision has been made: what was true before is for undo alone.
 * @param waiting the picture of the file, where something waits in it
 */
export function beginFresh({ reviews }: ReviewMemory, waiting?: FileReview): ReviewMemory {
  const older = { reviews: reviews.filter(review => review !== waiting), fresh: 0 };
  return waiting ? remember(older, waiting) : older;
}

/** An accepted hunk stays accepted, whatever is undone. */
export function acceptRemembered({ reviews, fresh }: ReviewMemory, hunkIds: readonly number[]): ReviewMemory {
  return { reviews: reviews.map(review => acceptHunks(review, hunkIds)), fresh };
}

/** The newest picture of exactly this text, in a file with this review. Ids that it has given are not given again. */
export function recall(
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
 * The picture of what a command found, where an editor has reported the command's own text as of typing. Older pictures
 * are not asked: nobody undoes beneath a command, so that an equal text would be there by chance, and hunks that were
 * decided since would wait again.
 */
export function recallFresh(
  { reviews, fresh }: ReviewMemory,
  text: string,
  review: Pick<FileReview, 'nextId' | 'mode'>,
): FileReview | undefined {
  return recall({ reviews: reviews.slice(reviews.length - fresh) }, text, review);
}

/** The picture of a text that is not here any more. */
export function findOrFollow(review: FileReview, memory: ReviewMemory, text: string): FileReview {
  if (presentText(review) === text) return review;
  return recallFresh(memory, text, review) ?? otherWrites(review, changesTo(review, text));
}

/**
 * Each hunk that still waits after typing waits in the remembered picture, too. Otherwise the texts are the same by
 * chance: no undo has led there, and the picture would lose what was written since.
 */
export function recalledOr(typed: FileReview, remembered: FileReview | undefined): FileReview {
  const isKnown = ({ id }: Hunk) => remembered?.hunks.some(hunk => hunk.id === id);
  return remembered && typed.hunks.every(isKnown) ? remembered : typed;
}

/** Pictures of branches, and of what was shelved, that are kept. */
const keptAway = 4;

/**
 * A file was found without some of what waits in it: another branch was checked out, or it was shelved.
 * @param followed the picture of what was found; absent: the file is gone
 */
export function keepAway(
  away: readonly FileReview[],
  review: FileReview,
  followed: FileReview | undefined,
): readonly FileReview[] {
  const stays = followed ? holdsAll(review, followed, 'present') : pendingHunks(review).length === 0;
  return stays ? away : [...away.filter(each => each !== review), review].slice(-keptAway);
}

/**
 * All that was away stands there again, whatever else has changed: it waits as before.
 * @param followed what is known of this text otherwise; each change that waits there must have been away, too
 */
export function recallAway(
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

/**
 * A file that is decided on as a whole is known again by all of it. Nobody undoes on the way back from a branch, so that
 * what was rejected stays so.
 */
function withText(review: FileReview, text: string): FileReview | undefined {
  if (presentText(review) === text) return review;
  return review.by === 'file' ? undefined : otherText(review, text);
}

/** Each change that waits in one picture waits in the other, too, with the same lines on this side. */
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
