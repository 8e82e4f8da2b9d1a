/* Where hunks stand among the lines of an editor, which has an empty line behind the last break. */

import { pendingChanges } from '../../review/fileMode.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';

/** Lines from 0, both included. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** A file and what waits in it. */
export interface ReviewedPath {
  readonly path: string;
  readonly review: FileReview;
}

export interface HunkOf extends ReviewedPath {
  readonly hunk: Hunk;
}

/** The line above which a hunk is shown; where it only removed lines, the one that follows them. */
export function anchorLine(review: FileReview, hunk: Hunk): number {
  return Math.min(hunk.start, lastLine(review));
}

export function spanOf(review: FileReview, hunk: Hunk): LineSpan {
  const first = anchorLine(review, hunk);
  return { first, last: Math.max(first, hunk.start + hunk.count - 1) };
}

/** Lines were taken from behind the very last line, so there is no line that follows them. */
export function isBelowText(review: FileReview, hunk: Hunk): boolean {
  return hunk.count === 0 && hunk.start > lastLine(review);
}

/** The pending hunk at a line; where lines are gone, the lines on both sides count. A mode stands at the first line. */
export function hunkAt(review: FileReview, line: number): Hunk | undefined {
  const pending = pendingChanges(review);
  const holding = pending.find(hunk => line >= hunk.start && line < hunk.start + hunk.count);
  const gone = pending.filter(hunk => hunk.count === 0);
  return (
    holding ??
    gone.find(hunk => anchorLine(review, hunk) === line) ??
    gone.find(hunk => anchorLine(review, hunk) === line + 1)
  );
}

/**
 * The next pending hunk behind a line, or the one before it; beyond the ends of a file in the next file, and from
 * the last file on in the first.
 * @param from where the search begins; before the first file where it is no file of the list
 */
export function adjacent(
  files: readonly ReviewedPath[],
  from: { readonly path: string; readonly line: number } | undefined,
  direction: 'next' | 'previous',
): HunkOf | undefined {
  const at = files.findIndex(({ path }) => path === from?.path);
  const here = files[at];
  const inside = here && from && adjacentIn(here.review, from.line, direction);
  if (here && inside) return { ...here, hunk: inside };
  const step = direction === 'next' ? 1 : -1;
  const start = at < 0 && direction === 'previous' ? files.length : at;
  for (let i = 1; i <= files.length; i++) {
    const file = files[(((start + i * step) % files.length) + files.length) % files.length];
    const pending = file ? pendingChanges(file.review) : [];
    const hunk = direction === 'next' ? pending[0] : pending.at(-1);
    if (file && hunk) return { ...file, hunk };
  }
  return undefined;
}

/** All pending hunks, or where there are very many, those in or near these lines. */
export function hunksNear(review: FileReview, shown: readonly LineSpan[], limit: number): readonly Hunk[] {
  const pending = pendingHunks(review);
  if (pending.length <= limit) return pending;
  const margin = 200;
  const near = pending.filter(hunk => {
    const { first, last } = spanOf(review, hunk);
    return shown.some(span => first <= span.last + margin && last >= span.first - margin);
  });
  return near.slice(0, limit);
}

/** "−2 +3", in lines. */
export function countsOf(hunk: Hunk): string {
  const removed = hunk.baseCount > 0 ? [`−${hunk.baseCount}`] : [];
  const added = hunk.count > 0 ? [`+${hunk.count}`] : [];
  return [...removed, ...added].join(' ');
}

function adjacentIn(review: FileReview, line: number, direction: 'next' | 'previous'): Hunk | undefined {
  const pending = pendingChanges(review);
  return direction === 'next'
    ? pending.find(hunk => anchorLine(review, hunk) > line)
    : pending.findLast(hunk => anchorLine(review, hunk) < line);
}

function lastLine({ present }: FileReview): number {
  if (present.length === 0) return 0;
  return present.at(-1)!.endsWith('\n') ? present.length : present.length - 1;
}
