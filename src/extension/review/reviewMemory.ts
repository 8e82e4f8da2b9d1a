/*
 * Undo and redo bring back texts that stood in the file before, character by character. The old picture of such a
 * text is then true again: with hunks that an undone rejection had taken away, or without any where the agent's write
 * itself was undone. So the picture at each write of ours is kept, and found again by its text.
 */

import { acceptHunks, presentText } from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { joinedLength } from './units.ts';

/** The newest last. */
export type ReviewMemory = readonly FileReview[];

/** Steps that can be taken back; each costs a list of references to lines. */
const kept = 40;

export function remember(memory: ReviewMemory, ...reviews: readonly FileReview[]): ReviewMemory {
  const newer = reviews.filter(review => !memory.includes(review));
  return [...memory, ...newer].slice(-kept);
}

/** An accepted hunk stays accepted, whatever is undone. */
export function acceptRemembered(memory: ReviewMemory, hunkIds: readonly number[]): ReviewMemory {
  return memory.map(review => acceptHunks(review, hunkIds));
}

/** The newest picture of exactly this text, in a file with this review. Ids that it has given are not given again. */
export function recall(
  memory: ReviewMemory,
  text: string,
  { nextId, mode }: Pick<FileReview, 'nextId' | 'mode'>,
): FileReview | undefined {
  const found = memory.findLast(
    review => joinedLength(review.present, review.by) === text.length && presentText(review) === text,
  );
  return found && { ...found, mode, nextId: Math.max(found.nextId, nextId) };
}

/**
 * Each hunk that still waits after typing waits in the remembered picture, too. Otherwise the texts are the same by
 * chance: no undo has led there, and the picture would lose what was written since.
 */
export function recalledOr(typed: FileReview, remembered: FileReview | undefined): FileReview {
  const isKnown = ({ id }: Hunk) => remembered?.hunks.some(hunk => hunk.id === id);
  return remembered && typed.hunks.every(isKnown) ? remembered : typed;
}
