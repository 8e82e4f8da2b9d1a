/*
 * Undo and redo bring back texts that stood in the file before, character by character. What was known of such a
 * text is then true again: hunks that an undone rejection had taken away, or none where the agent's write itself
 * was undone. So the picture at each write of ours is kept, and found again by its text.
 */

import { acceptHunks, type FileReview, presentText } from './fileReview.ts';
import { joinedLength } from './units.ts';

/** The newest last. */
export type ReviewMemory = readonly FileReview[];

/** Steps that can be taken back; each costs a list of references to lines. */
const kept = 40;

export function remember(memory: ReviewMemory, ...reviews: readonly FileReview[]): ReviewMemory {
  const newer = reviews.filter(review => !memory.includes(review));
  return [...memory, ...newer].slice(-kept);
}

/** What was accepted stays accepted, whatever is undone. */
export function acceptRemembered(memory: ReviewMemory, hunkIds: readonly number[]): ReviewMemory {
  return memory.map(review => acceptHunks(review, hunkIds));
}

/** The newest picture of exactly this text. Ids that were given since are not given again. */
export function recall(memory: ReviewMemory, text: string, nextId: number): FileReview | undefined {
  const found = memory.findLast(
    review => joinedLength(review.present, review.by) === text.length && presentText(review) === text,
  );
  return found && { ...found, nextId: Math.max(found.nextId, nextId) };
}
