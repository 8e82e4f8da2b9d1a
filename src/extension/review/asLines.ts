import { readCell } from '../notebooks/notebook.ts';
import {
  applyAgentWrite,
  baseText,
  beginReview,
  changesTo,
  pendingHunks,
  presentText,
} from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { splitLines } from './lineEdits.ts';
import { unitText } from './wholeFile.ts';

/** Converts a review to lines of the file, for views that show it as text. Hunks keep their ids for decisions. */
export function asLines(review: FileReview): FileReview {
  if (review.by === 'lines') return review;
  if (review.by === 'file') return wholeAsLines(review);
  const [base, present] = [splitLines(baseText(review)), splitLines(presentText(review))];
  const [baseLines, presentLines] = [unitLines(review.base), unitLines(review.present)];
  const hunks = review.hunks.map((hunk): Hunk => {
    const old = spanOf(baseLines, hunk.baseStart, hunk.baseCount);
    const now = spanOf(presentLines, hunk.start, hunk.count);
    return {
      ...hunk,
      baseStart: old.start,
      baseCount: old.count,
      ...now,
      agentLines: present.slice(now.start, now.start + now.count),
    };
  });
  return { ...review, by: 'lines', base, present, hunks };
}

function wholeAsLines(review: FileReview): FileReview {
  const [base, present] = [splitLines(unitText(review.base[0])), splitLines(unitText(review.present[0]))];
  const hunks = review.hunks.map(hunk => ({
    ...hunk,
    baseCount: hunk.baseCount * base.length,
    count: hunk.count * present.length,
    agentLines: splitLines(unitText(hunk.agentLines[0])),
  }));
  return { ...review, by: 'lines', base, present, hunks };
}

/** Returns the changes of one cell in lines of its source. A decision there applies to the whole cell. */
export function cellAsLines(review: FileReview, unit: number): FileReview | undefined {
  const hunk = findCellHunk(review, unit);
  if (!hunk) return undefined;
  // Pairs cells by position if none was added or removed.
  const old = hunk.count === hunk.baseCount ? review.base[hunk.baseStart + unit - hunk.start] : undefined;
  const begun = beginReview(old === undefined ? '' : readCell(old).source);
  const written = applyAgentWrite(begun, changesTo(begun, readCell(review.present[unit]!).source), '');
  const { id, writers, touched } = hunk;
  return { ...written, hunks: written.hunks.map(each => ({ ...each, id, writers, touched })) };
}

/** Returns the pending hunk that includes a cell. The first unit of a notebook is the text before its cells. */
export function findCellHunk(review: FileReview, unit: number): Hunk | undefined {
  const isCell = review.by === 'cells' && unit > 0 && unit < review.present.length - 1;
  if (!isCell) return undefined;
  return pendingHunks(review).find(({ start, count }) => unit >= start && unit < start + count);
}

/** Returns the first line of a unit in the file. */
export function lineOfUnit(review: FileReview, unit: number): number {
  return review.by === 'cells' ? (unitLines(review.present)[unit]?.first ?? 0) : 0;
}

interface UnitLines {
  readonly first: number;
  readonly last: number;
}

/** Returns the first and last line of each unit, from 0. */
function unitLines(units: readonly string[]): readonly UnitLines[] {
  let line = 0;
  return units.map(unit => {
    const space = unit.slice(0, unit.search(/\S|$/));
    const first = line + breaksIn(space);
    line += breaksIn(unit);
    return { first, last: line };
  });
}

function spanOf(lines: readonly UnitLines[], start: number, count: number): { start: number; count: number } {
  const first = lines[start]?.first ?? (lines.at(-1)?.last ?? -1) + 1;
  if (count === 0) return { start: first, count: 0 };
  return { start: first, count: lines[start + count - 1]!.last - first + 1 };
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
