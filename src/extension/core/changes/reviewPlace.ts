/* The files and hunks that a decision is about, and why one could not be carried out. */

import { sessionTouching, writerNames } from '../../../protocol/changes.ts';
import { t } from '../../../protocol/language.ts';
import type { TextFormat } from '../../platform/fileSystem.ts';
import { pendingChanges } from '../../review/fileMode.ts';
import { beginReview } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';
import { isSameSaved } from '../../review/lineBreaks.ts';
import { type ReviewMemory, recallFresh } from '../../review/reviewMemory.ts';
import { unitsOf } from '../../review/units.ts';
import { asWhole, beginWhole, type WholeFile } from '../../review/wholeFile.ts';

/** Which hunks a decision is about; what is left out stands for all. */
export interface ReviewPlace {
  /** Absolute. */
  readonly path?: string;
  readonly hunkId?: number;
  readonly chapterId?: string;
  /** A name of `writerNames`. */
  readonly writer?: string;
  /** In these files alone, and there only what the journal was told of: what was shown. */
  readonly paths?: readonly string[];
}

/** A failed action, and why it failed. */
export interface ReviewError {
  /** Absolute. */
  readonly path: string;
  /** `touched`: the user wrote into the hunk, so taking it back would take that too. */
  readonly kind: 'touched' | 'failed';
  readonly hunkIds: readonly number[];
  readonly message: string;
}

/** A file of the ledger. */
export interface Entry {
  review: FileReview;
  format: TextFormat;
  /** Hunks that undo and redo can bring back. */
  memory: ReviewMemory;
  /** Pictures from before the file was found without what waited, as on another branch; none since the agent wrote or a decision was made. */
  away: readonly FileReview[];
  /** The same, as the journal has them. */
  recordedAway: readonly FileReview[];
  /** The newest state that is in the journal. */
  recorded: FileReview | undefined;
  recording: Promise<void>;
}

/**
 * An editor may have reported a command's text already, as if the user had undone what waited there.
 * @param resting what waited there until then
 */
export function beginOrRecall(path: string, before: string | null, resting: Entry | undefined): FileReview {
  const known = resting && before !== null && recallFresh(resting.memory, before, resting.review);
  return known || beginReview(before, unitsOf(path));
}

/** The same for a file that is decided on as a whole. */
export function beginLeft(path: string, before: WholeFile | null, resting: Entry | undefined): FileReview {
  if (!before || !('text' in before)) return beginWhole(before);
  return asWhole(beginOrRecall(path, before.text, resting), before.format, before.executable);
}

/** With their files, in the order of the first change. */
export function findHunks(
  entries: ReadonlyMap<string, Entry>,
  place: ReviewPlace,
): readonly (readonly [string, Entry, readonly Hunk[]])[] {
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

/** The agent wrote nothing into it since. */
function isReported({ recorded, review }: Entry, { id, agentLines }: Hunk): boolean {
  const reported = recorded && pendingChanges(recorded).find(hunk => hunk.id === id);
  return reported !== undefined && isSameSaved(reported.agentLines, agentLines, review.by);
}

export function touchedProblem(path: string, hunks: readonly Hunk[]): ReviewError {
  const session = hunks.map(sessionTouching).find(name => name !== undefined);
  const message =
    session === undefined
      ? t('You edited this change, so undoing it would also remove your edit.')
      : t('{0} edited this change, so undoing it would also remove that edit.', session);
  return { path, kind: 'touched', hunkIds: hunks.map(hunk => hunk.id), message };
}

/** A file that the agent made and that has no content left is deleted. */
export function isRemoved(review: FileReview): boolean {
  return review.created && review.present.length === 0 && pendingChanges(review).length === 0;
}
