/*
 * A file that is decided as a whole, since it was deleted, or one of its two sides is no text. Its review has one unit
 * for the file, or none if there is no file:
 *
 *     deleted           base [file]    present []
 *     another picture   base [file]    present [file]
 */

import type { TextFile, TextFormat } from '../platform/fileSystem.ts';
import { pendingChanges } from './fileMode.ts';
import { baseText, beginReview, pendingHunks, presentText } from './fileReview.ts';
import { type FileReview, mergeWriters } from './hunk.ts';
import { splitUnits } from './units.ts';

export type WholeFile = (
  | { readonly text: string; readonly format: TextFormat }
  /** SHA-256 of the bytes, their key in a blob store. */
  | { readonly blob: string; readonly size: number }
  /** Target of a symbolic link. */
  | { readonly link: string }
) & {
  /** Set if it is executable; absent if not, or unknown. */
  readonly executable?: true;
};

/** `null` for no file. */
export interface WholeFileChange {
  readonly before: WholeFile | null;
  readonly after: WholeFile | null;
}

/** Bytes. A longer text is described by its size. */
export const maxShownBytes = 200_000;

interface FoundFile {
  /** `undefined` for binary or too large content. */
  readonly text: TextFile | undefined;
  /** SHA-256 of the bytes. */
  readonly blob: string;
  readonly size: number;
}

export function wholeFile({ text: file, blob, size }: FoundFile, executable?: boolean): WholeFile {
  const content = file ? { text: file.text, format: file.format } : { blob, size };
  return asExecutable(content, executable);
}

function asExecutable(file: WholeFile, executable: boolean | undefined): WholeFile {
  return executable ? { ...file, executable } : file;
}

/** Returns the new mode of a file that exists before and after; `undefined` if unchanged or unknown. */
export function unitModeChange(before: string | undefined, after: string | undefined): boolean | undefined {
  const [was, is] = [readUnit(before), readUnit(after)];
  return !was || !is || was.executable === is.executable ? undefined : is.executable === true;
}

export function writeUnit(file: WholeFile | null): string {
  return file ? JSON.stringify(file) : '';
}

export function readUnit(unit: string | undefined): WholeFile | null {
  return unit === undefined ? null : JSON.parse(unit);
}

/** Returns the text shown to a user. */
export function unitText(unit: string | undefined): string {
  const file = readUnit(unit);
  if (!file) return '';
  if ('link' in file) return `Symbolic link to ${file.link}\n`;
  return 'text' in file ? file.text : `Not shown: ${file.size.toLocaleString('en-US')} bytes`;
}

export function newWholeFileReview(before: WholeFile | null): FileReview {
  return beginReview(before && writeUnit(before), 'file');
}

/**
 * Merges pending hunks of a text into one for the whole file.
 * @param executable whether the file is executable, if known
 */
export function asWholeFile(review: FileReview, format: TextFormat, executable?: boolean): FileReview {
  if (review.by === 'file') return review;
  const isNew = review.created && review.base.length === 0;
  const { mode } = review;
  const wasExecutable = mode ? !mode.executable : executable;
  const before = asExecutable({ text: baseText(review), format }, wasExecutable);
  const begun = newWholeFileReview(isNew ? null : before);
  const pending = pendingChanges(review);
  if (pending.length === 0) return { ...begun, nextId: review.nextId };
  const present = [writeUnit(asExecutable({ text: presentText(review), format }, executable))];
  const hunk = {
    id: pending[0]!.id,
    status: 'pending' as const,
    baseStart: 0,
    baseCount: begun.base.length,
    start: 0,
    count: 1,
    touched: pending.some(({ touched }) => touched),
    chapterIds: [...new Set(pending.flatMap(({ chapterIds }) => chapterIds))],
    writers: mergeWriters(pending),
    agentLines: present,
  };
  return { ...begun, present, hunks: [hunk], nextId: review.nextId };
}

/** Returns the review after somebody else changed this file, which always affects pending changes. */
export function applyOutsideChange(review: FileReview, unit: string): FileReview {
  if (unit === presentText(review)) return review;
  const present = splitUnits(unit, 'file');
  const pending = pendingHunks(review).map(hunk => ({ ...hunk, count: present.length, touched: true }));
  // A rejected change cannot be restored over it.
  return dropHunksIfUnchanged({
    ...review,
    base: pending.length > 0 ? review.base : present,
    present,
    hunks: pending,
  });
}

/** Drops all hunks of a file that equals its base. */
export function dropHunksIfUnchanged(review: FileReview): FileReview {
  return baseText(review) === presentText(review) ? { ...review, hunks: [] } : review;
}
