/*
 * Merges hunks of a notebook that depend on each other, so that decisions in any order leave a valid notebook:
 *
 *   around the cells    the text before and after the list belongs together (the format says whether cells have ids),
 *                       so a change there is decided with everything else
 *   the same id twice   a moved cell is removed in one hunk and added in another; only one of them would duplicate
 *                       or lose it
 *
 * Merged hunks include everything between them.
 */

import { findNotebookFault } from '../notebooks/findFault.ts';
import { readCell } from '../notebooks/notebook.ts';
import { type FileReview, type Hunk, mergeWriters } from './hunk.ts';
import { joinUnits } from './units.ts';

export function withWholeCells(review: FileReview): FileReview {
  const { hunks } = review;
  if (review.by !== 'cells' || hunks.length === 0) return review;
  const isAround = hunks.some(hunk => hunk.status === 'pending' && includesFrame(review, hunk));
  if (isAround) return { ...review, hunks: [joined(review, hunks, everything(review))] };
  const pair = findPair(review);
  if (!pair) return review;
  const [first, last] = pair;
  const rejected = [first, last].filter(hunk => hunk.status === 'rejected');
  // A rejected hunk can no longer be restored: its cell is elsewhere now.
  if (rejected.length > 0)
    return withWholeCells({ ...review, hunks: hunks.filter(hunk => !rejected.includes(hunk)) });
  const [from, to] = [hunks.indexOf(first), hunks.indexOf(last) + 1];
  const one = joined(review, hunks.slice(from, to), spanOf(first, last));
  return withWholeCells({ ...review, hunks: [...hunks.slice(0, from), one, ...hunks.slice(to)] });
}

/**
 * Returns why a decision cannot be written, as sentences. The user may have moved a cell that it would restore, which
 * would duplicate it.
 */
export function findNewFault(before: FileReview, next: FileReview): string | undefined {
  if (next.by !== 'cells' || next.present.length === 0 || before.present.length === 0) return undefined;
  const fault = findNotebookFault(joinUnits(next.present, 'cells'));
  if (fault === undefined || findNotebookFault(joinUnits(before.present, 'cells')) !== undefined)
    return undefined;
  return `Nothing was written, since the notebook would be no valid one: ${fault}. Change the cell in the notebook itself.`;
}

type Span = Pick<Hunk, 'baseStart' | 'baseCount' | 'start' | 'count'>;

function everything({ base, present }: FileReview): Span {
  return { baseStart: 0, baseCount: base.length, start: 0, count: present.length };
}

function spanOf(first: Hunk, last: Hunk): Span {
  return {
    baseStart: first.baseStart,
    baseCount: last.baseStart + last.baseCount - first.baseStart,
    start: first.start,
    count: last.start + last.count - first.start,
  };
}

/** True if it includes the first or last unit of either text, which are no cells. */
export function includesFrame({ base, present }: FileReview, hunk: Span): boolean {
  const reaches = (start: number, count: number, length: number) =>
    count > 0 && (start === 0 || start + count === length);
  return (
    reaches(hunk.baseStart, hunk.baseCount, base.length) || reaches(hunk.start, hunk.count, present.length)
  );
}

function joined(review: FileReview, hunks: readonly Hunk[], span: Span): Hunk {
  const pending = hunks.filter(hunk => hunk.status === 'pending');
  const agentLines: string[] = [];
  let at = span.start;
  for (const hunk of pending) {
    agentLines.push(...review.present.slice(at, hunk.start), ...hunk.agentLines);
    at = hunk.start + hunk.count;
  }
  agentLines.push(...review.present.slice(at, span.start + span.count));
  return {
    ...span,
    id: pending[0]!.id,
    status: 'pending',
    touched: pending.some(hunk => hunk.touched),
    chapterIds: [...new Set(pending.flatMap(hunk => hunk.chapterIds))],
    writers: mergeWriters(pending),
    agentLines,
  };
}

/** Finds two hunks with a cell of the same id. */
function findPair(review: FileReview): readonly [Hunk, Hunk] | undefined {
  const owners = new Map<string, Hunk>();
  for (const hunk of review.hunks) {
    const { baseStart, baseCount, start, count, agentLines } = hunk;
    const base = review.base.slice(baseStart, baseStart + baseCount);
    const ids = [...base, ...review.present.slice(start, start + count), ...agentLines].flatMap(idOf);
    const owner = ids.map(id => owners.get(id)).find(each => each !== undefined);
    if (owner) return [owner, hunk];
    for (const id of ids) owners.set(id, hunk);
  }
  return undefined;
}

function idOf(unit: string): readonly string[] {
  try {
    const { id } = readCell(unit);
    return id === undefined ? [] : [id];
  } catch {
    // The text around the cells alone is not JSON, and has no id.
    return [];
  }
}
