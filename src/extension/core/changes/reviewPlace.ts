/* Selects files and hunks for a decision, and describes why a decision failed. */

import { sessionTouching, writerNames } from '../../../protocol/changes.ts';
import { t } from '../../../protocol/language.ts';
import type { TextFormat } from '../../platform/fileSystem.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import { beginReview } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import { isSameApartFromFormat } from '../../review/lineBreaks.ts';
import { type ReviewMemory, recallReviewOfCommand } from '../../review/reviewMemory.ts';
import { unitsOf } from '../../review/units.ts';
import { asWholeFile, newWholeFileReview, type WholeFile } from '../../review/wholeFile.ts';

/** Hunks that a decision applies to. An omitted member selects all. */
export interface HunkSelection {
  /** Absolute. */
  readonly path?: string;
  readonly hunkId?: number;
  readonly chapterId?: string;
  /** A name from `writerNames`. */
  readonly writer?: string;
  /** Only these files, and in them only changes already emitted, which the user has seen. */
  readonly paths?: readonly string[];
}

/** A failed decision with its reason. */
export interface ReviewFailure {
  /** Absolute. */
  readonly path: string;
  /** `touched`: the user edited the hunk, so rejecting it would remove those edits. */
  readonly kind: 'touched' | 'failed';
  readonly hunkIds: readonly number[];
  readonly message: string;
}

export interface LedgerEntry {
  review: FileReview;
  format: TextFormat;
  /** Hunks that undo and redo can bring back. */
  memory: ReviewMemory;
  /**
   * Reviews from before the file was found without its changes, as on another branch. Empty after a write of the agent
   * or a decision.
   */
  away: readonly FileReview[];
  /** The value of `away` in the journal. */
  recordedAway: readonly FileReview[];
  /** The latest state in the journal. */
  recorded: FileReview | undefined;
  recording: Promise<void>;
}

/**
 * Begins a review of a file, or recalls the pending changes of its last one: an editor may have reported a command's
 * text first, as if the user had undone them.
 * @param resting what was pending until then
 */
export function startReview(
  path: string,
  before: string | null,
  resting: LedgerEntry | undefined,
): FileReview {
  const known = resting && before !== null && recallReviewOfCommand(resting.memory, before, resting.review);
  return known || beginReview(before, unitsOf(path));
}

/** Like `startReview`, for a file that the user decides on as a whole. */
export function beginWholeFileReview(
  path: string,
  before: WholeFile | null,
  resting: LedgerEntry | undefined,
): FileReview {
  if (!before || !('text' in before)) return newWholeFileReview(before);
  return asWholeFile(startReview(path, before.text, resting), before.format, before.executable);
}

/** Returns the files with pending hunks that the selection covers, first changed first, each with these hunks. */
export function findHunks(
  entries: ReadonlyMap<string, LedgerEntry>,
  place: HunkSelection,
): readonly (readonly [string, LedgerEntry, readonly Hunk[]])[] {
  return [...entries].flatMap(([path, entry]) => {
    if ((place.path ?? path) !== path || place.paths?.includes(path) === false) return [];
    const hunks = pendingChanges(entry.review).filter(
      hunk =>
        (place.paths === undefined || isReported(entry, hunk)) &&
        (place.hunkId === undefined || hunk.id === place.hunkId) &&
        (place.chapterId === undefined || hunk.chapterIds.includes(place.chapterId)) &&
        (place.writer === undefined || writerNames(hunk).includes(place.writer)),
    );
    return hunks.length > 0 ? [[path, entry, hunks] as const] : [];
  });
}

/** True if the agent has not changed the hunk since it was emitted. */
function isReported({ recorded, review }: LedgerEntry, { id, agentLines }: Hunk): boolean {
  const reported = recorded && pendingChanges(recorded).find(hunk => hunk.id === id);
  return reported !== undefined && isSameApartFromFormat(reported.agentLines, agentLines, review.by);
}

export function editedHunksFailure(path: string, hunks: readonly Hunk[]): ReviewFailure {
  const session = hunks.map(sessionTouching).find(name => name !== undefined);
  const message =
    session === undefined
      ? t('You edited this change, so undoing it would also remove your edit.')
      : t('{0} edited this change, so undoing it would also remove that edit.', session);
  return { path, kind: 'touched', hunkIds: hunks.map(hunk => hunk.id), message };
}

/** True for a file that the agent created and whose content is rejected: it is deleted. */
export function isRejectedCreation(review: FileReview): boolean {
  return review.created && review.present.length === 0 && pendingChanges(review).length === 0;
}
