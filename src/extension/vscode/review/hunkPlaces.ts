/* Maps hunks to lines of an editor, which has an empty line after the last break. */

import { pendingChanges } from '../../review/fileMode.ts';
import { pendingHunks } from '../../review/fileReview.ts';
import type { FileReview, Hunk } from '../../review/hunk.ts';

/** Lines from 0, both inclusive. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

export interface ReviewedPath {
  readonly path: string;
  readonly review: FileReview;
}

export interface FileHunk extends ReviewedPath {
  readonly hunk: Hunk;
}

/** Returns the line above which a hunk is shown. If it only removed lines, that is the following line. */
export function anchorLine(review: FileReview, hunk: Hunk): number {
  return Math.min(hunk.start, lastLine(review));
}

export function linesOfHunk(review: FileReview, hunk: Hunk): LineSpan {
  const first = anchorLine(review, hunk);
  return { first, last: Math.max(first, hunk.start + hunk.count - 1) };
}

/** True if lines were removed after the very last line, so that no line follows. */
export function isBelowText(review: FileReview, hunk: Hunk): boolean {
  return hunk.count === 0 && hunk.start > lastLine(review);
}

/**
 * Returns the pending hunk at a line. For removed lines both adjacent lines count. A mode change is at the first line.
 */
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
 * Returns the next pending hunk after a line, or the previous one, continuing in the next file, and from the last in
 * the first.
 * @param from start of the search; before the first file if it is not in the list
 */
export function adjacentHunk(
  files: readonly ReviewedPath[],
  from: { readonly path: string; readonly line: number } | undefined,
  direction: 'next' | 'previous',
): FileHunk | undefined {
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

/** Returns all pending hunks; if there are very many, those in or near these lines. */
export function hunksNear(review: FileReview, shown: readonly LineSpan[], limit: number): readonly Hunk[] {
  const pending = pendingHunks(review);
  if (pending.length <= limit) return pending;
  const margin = 200;
  const near = pending.filter(hunk => {
    const { first, last } = linesOfHunk(review, hunk);
    return shown.some(span => first <= span.last + margin && last >= span.first - margin);
  });
  return near.slice(0, limit);
}

/** "−2 +3", in lines. */
export function formatCounts(hunk: Hunk): string {
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
