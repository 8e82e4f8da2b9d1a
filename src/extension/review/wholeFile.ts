/*
 * A file that is decided on as a whole, since it was deleted or is no text on one of the two sides. Its review has one
 * unit, which stands for the file; no unit, where there is none:
 *
 *     deleted           base [file]    present []
 *     another picture   base [file]    present [file]
 */

import type { TextFile, TextFormat } from '../platform/fileSystem.ts';
import { pendingChanges } from './fileMode.ts';
import { baseText, beginReview, pendingHunks, presentText } from './fileReview.ts';
import { type FileReview, writersOf } from './hunk.ts';
import { splitUnits } from './units.ts';

export type WholeFile = (
  | { readonly text: string; readonly format: TextFormat }
  /** The SHA-256 of the bytes, by which a blob store has them. */
  | { readonly blob: string; readonly size: number }
  /** Where a symbolic link leads. */
  | { readonly link: string }
) & {
  /** It may be run; absent: it may not, or nobody knows. */
  readonly executable?: true;
};

/** `null`: there is none. */
export interface WholeChange {
  readonly before: WholeFile | null;
  readonly after: WholeFile | null;
}

/** Bytes; a longer text is told by its size. */
export const shownText = 200_000;

interface FoundFile {
  /** `undefined`: it is no text, or one that is not shown. */
  readonly text: TextFile | undefined;
  /** The SHA-256 of the bytes. */
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

/** The new mode of a file that is there before and after; `undefined`: the same, as far as is known. */
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

/** The text that a user is shown of it. */
export function unitText(unit: string | undefined): string {
  const file = readUnit(unit);
  if (!file) return '';
  if ('link' in file) return `Symbolic link to ${file.link}\n`;
  return 'text' in file ? file.text : `Not shown: ${file.size.toLocaleString('en-US')} bytes`;
}

export function beginWhole(before: WholeFile | null): FileReview {
  return beginReview(before && writeUnit(before), 'file');
}

/**
 * Hunks of a text that wait one by one wait as one from now on.
 * @param executable whether the file may be run, where that is known
 */
export function asWhole(review: FileReview, format: TextFormat, executable?: boolean): FileReview {
  if (review.by === 'file') return review;
  const isNew = review.created && review.base.length === 0;
  const { mode } = review;
  const wasExecutable = mode ? !mode.executable : executable;
  const before = asExecutable({ text: baseText(review), format }, wasExecutable);
  const begun = beginWhole(isNew ? null : before);
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
    writers: writersOf(pending),
    agentLines: present,
  };
  return { ...begun, present, hunks: [hunk], nextId: review.nextId };
}

/** Somebody else has left this file, which always reaches into what waits. */
export function userLeft(review: FileReview, unit: string): FileReview {
  if (unit === presentText(review)) return review;
  const present = splitUnits(unit, 'file');
  const pending = pendingHunks(review).map(hunk => ({ ...hunk, count: present.length, touched: true }));
  // A rejected change cannot be brought back over it.
  return settled({ ...review, base: pending.length > 0 ? review.base : present, present, hunks: pending });
}

/** Nothing waits in a file that is again as it was. */
export function settled(review: FileReview): FileReview {
  return baseText(review) === presentText(review) ? { ...review, hunks: [] } : review;
}
