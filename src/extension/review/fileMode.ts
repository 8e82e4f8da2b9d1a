/*
 * The mode of a file, that is whether it may be run: a change beside those of its units. It stands at no line and is
 * decided on automatically, or with the whole file. A file that is decided on as a whole has it in its unit
 * (wholeFile.ts).
 */

import type { Writer } from '../../protocol/values.ts';
import { acceptHunks, bringBackHunk, rejectHunks } from './fileReview.ts';
import { type FileReview, type Hunk, writersOf } from './hunk.ts';

/** The mode comes first. */
export function allChanges({ mode, hunks }: FileReview): readonly Hunk[] {
  return mode ? [mode, ...hunks] : hunks;
}

export function pendingChanges(review: FileReview): readonly Hunk[] {
  return allChanges(review).filter(({ status }) => status === 'pending');
}

/** Nothing waits, and nothing that was rejected can come back. */
export function isDecided({ hunks, mode }: FileReview): boolean {
  return hunks.length === 0 && mode === undefined;
}

/** Nothing that was rejected can come back any more. */
export function withoutRejected(review: FileReview): FileReview {
  if (allChanges(review).every(({ status }) => status === 'pending')) return review;
  const mode = review.mode?.status === 'pending' ? review.mode : undefined;
  return { ...review, mode, hunks: review.hunks.filter(({ status }) => status === 'pending') };
}

/** True if the file is executable at present; `undefined`: its mode is no part of the review. */
export function isExecutableNow({ mode }: FileReview): boolean | undefined {
  return mode && (mode.status === 'pending' ? mode.executable : !mode.executable);
}

/**
 * Records that the agent made the file executable, or no longer executable.
 * @param before `undefined`: not known, or there was no file
 */
export function agentSetsExecutable(
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
    writers: writersOf(joined, writer),
    agentLines: [],
    executable: after,
  };
  return { ...review, mode, nextId: nextId + 1 };
}

/** Drops the pending change of the mode when somebody else has set another one. */
export function userLeftExecutable(review: FileReview, executable: boolean | undefined): FileReview {
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

/** `undefined`: there is no such rejected change. */
export function bringBackChange(review: FileReview, id: number): FileReview | undefined {
  const { mode } = review;
  if (!mode || !isAmong(mode, [id], 'rejected')) return bringBackHunk(review, id);
  return { ...review, mode: { ...mode, status: 'pending' } };
}

function isAmong({ id, status }: Hunk, ids: readonly number[], wanted: Hunk['status']): boolean {
  return status === wanted && ids.includes(id);
}
