import { canonicalCell, canonicalCellWithoutMarks } from '../notebooks/canonicalCell.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { lineEdits } from './lineEdits.ts';
import { splitUnits } from './units.ts';

/**
 * Programs save a notebook in their own formatting: other spaces, another order of keys. Nobody decided that about a
 * cell, so equivalent cells take the new formatting in both texts.
 */
export function withFormatOf(review: FileReview, text: string): FileReview {
  const units = splitUnits(text, 'cells');
  const places = samePlaces(review.present, units);
  if (places.every(([old, now]) => review.present[old] === units[now])) return review;
  const present = [...review.present];
  const base = [...review.base];
  const hunks = review.hunks.map(hunk => ({ ...hunk, agentLines: [...hunk.agentLines] }));
  for (const [old, now] of places) {
    const unit = units[now]!;
    present[old] = unit;
    const hunk = hunks.find(({ start, count }) => old >= start && old < start + count);
    if (!hunk) base[toBase(review.hunks, old)] = unit;
    else if (hunk.status === 'rejected') base[hunk.baseStart + old - hunk.start] = unit;
    else if (!hunk.touched) hunk.agentLines[old - hunk.start] = unit;
  }
  return { ...review, base, present, hunks };
}

/** Returns whether units differ only in an editor's formatting. */
export function areUnitsEquivalent(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((unit, i) => unit === other[i] || meaningOfUnit(unit) === meaningOfUnit(other[i]!))
  );
}

/** Pairs the indexes of equivalent units. */
function samePlaces(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  if (before.length < 2 || after.length < 2) return [];
  const isSameAround =
    canonicalCell(before[0]! + before.at(-1)!) === canonicalCell(after[0]! + after.at(-1)!);
  // Identical cells need not be parsed: they may hold megabytes of outputs.
  const there = new Set(after);
  const known = new Set(before.filter(unit => there.has(unit)));
  const ofCells = (units: readonly string[]) =>
    units.slice(1, -1).map(unit => (known.has(unit) ? unit : canonicalCellWithoutMarks(unit)));
  const [old, now] = [ofCells(before), ofCells(after)];
  const places: (readonly [number, number])[] = [];
  let [at, to] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of lineEdits(old, now)) {
    while (at < oldStart) places.push([1 + at++, 1 + to++]);
    [at, to] = [oldStart + oldCount, newStart + newCount];
  }
  while (at < old.length) places.push([1 + at++, 1 + to++]);
  return isSameAround ? [[0, 0], ...places, [before.length - 1, after.length - 1]] : places;
}

function toBase(hunks: readonly Hunk[], unit: number): number {
  const before = hunks.findLast(hunk => hunk.start + hunk.count <= unit);
  return before ? before.baseStart + before.baseCount + (unit - before.start - before.count) : unit;
}

function meaningOfUnit(unit: string): string {
  try {
    return canonicalCellWithoutMarks(unit);
  } catch {
    // The text around the cells alone is not JSON. Editors change its spaces and line breaks.
    return unit.replace(/\s+/g, '');
  }
}
