/*
 * The executable bit of a file, a change besides those of its units. It is at no line, and is decided separately or
 * with the whole file. A file that is decided as a whole includes it in its unit (wholeFile.ts).
 */

import type { Writer } from '../../protocol/values.ts';
import { acceptHunks, bringBackHunk, rejectHunks } from './fileReview.ts';
import { type FileReview, type Hunk, mergeWriters } from './hunk.ts';

/** The mode comes first. */
export function allChanges({ mode, hunks }: FileReview): readonly Hunk[] {
  return mode ? [mode, ...hunks] : hunks;
}

export function pendingChanges(review: FileReview): readonly Hunk[] {
  return allChanges(review).filter(({ status }) => status === 'pending');
}

/** True if nothing is pending, and nothing rejected can be restored. */
export function isFinished({ hunks, mode }: FileReview): boolean {
  return hunks.length === 0 && mode === undefined;
}

/** Drops rejected changes, so that they can no longer be restored. */
export function withoutRejected(review: FileReview): FileReview {
  if (allChanges(review).every(({ status }) => status === 'pending')) return review;
  const mode = review.mode?.status === 'pending' ? review.mode : undefined;
  return { ...review, mode, hunks: review.hunks.filter(({ status }) => status === 'pending') };
}

/** Returns whether the file is executable at present; `undefined` if its mode is not under review. */
export function isExecutableNow({ mode }: FileReview): boolean | undefined {
  return mode && (mode.status === 'pending' ? mode.executable : !mode.executable);
}

/**
 * Records that the agent made the file executable, or no longer executable.
 * @param before `undefined` if unknown, or there was no file
 */
export function applyAgentMode(
  review: FileReview,
  before: boolean | undefined,
  after: boolean,
  chapterId: string,
  writer?: Writer,
): FileReview {
  const { mode: known, nextId } = review;
  const base = known ? !known.executable : (before ?? false);
  if (after === isExecutableNow(review)) return review;
  if (after === base) return known ? { ...review, mode: undefined } : review;
  const joined = known ? [known] : [];
  const mode = {
    id: nextId,
    status: 'pending' as const,
    baseStart: 0,
    baseCount: 0,
    start: 0,
    count: 0,
    touched: false,
    chapterIds: [...new Set([...joined.flatMap(({ chapterIds }) => chapterIds), chapterId])],
    writers: mergeWriters(joined, writer),
    agentLines: [],
    executable: after,
  };
  return { ...review, mode, nextId: nextId + 1 };
}

/** Drops the pending mode change if somebody else has set another mode. */
export function applyOtherMode(review: FileReview, executable: boolean | undefined): FileReview {
  const present = isExecutableNow(review);
  const isSame = executable === undefined || present === undefined || executable === present;
  return isSame ? review : { ...review, mode: undefined };
}

export function acceptChanges(review: FileReview, ids: readonly number[]): FileReview {
  const next = acceptHunks(review, ids);
  return next.mode && isAmong(next.mode, ids, 'pending') ? { ...next, mode: undefined } : next;
}

export function rejectChanges(review: FileReview, ids: readonly number[]): FileReview {
  const next = rejectHunks(review, ids);
  const { mode } = next;
  if (!mode || !isAmong(mode, ids, 'pending')) return next;
  return { ...next, mode: { ...mode, status: 'rejected' } };
}

/** Returns `undefined` if there is no such rejected change. */
export function bringBackChange(review: FileReview, id: number): FileReview | undefined {
  const { mode } = review;
  if (!mode || !isAmong(mode, [id], 'rejected')) return bringBackHunk(review, id);
  return { ...review, mode: { ...mode, status: 'pending' } };
}

function isAmong({ id, status }: Hunk, ids: readonly number[], wanted: Hunk['status']): boolean {
  return status === wanted && ids.includes(id);
}
