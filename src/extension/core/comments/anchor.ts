/*
 * Moves a comment with its lines while the file changes. It is anchored to the text of lines, not to numbers:
 *
 *     change above      the lines move with the text
 *     change inside     text that replaces commented lines is commented, too
 *     change across     the remaining lines stay commented; a line-for-line change keeps all
 *     all lines gone    keeps their position until the lines return (undo, cut and paste, a branch)
 *
 * Callers pass the exact changes if known; otherwise a diff finds them. Without an earlier text, as after a reload of
 * the window, the lines are searched by their text and that of adjacent lines.
 */

import type { CommentPlace } from '../../../protocol/comments.ts';
import type { LineChange } from '../../review/fileReview.ts';
import { lineEdits } from '../../review/lineEdits.ts';

/** `count` lines from line `start`, counted from 0. */
export type CommentRange = Pick<CommentPlace, 'start' | 'count'>;

/** The place of a comment after changes to its file. */
export interface MovedPlace {
  readonly place: CommentPlace;
  /** True if the change affected the lines. */
  readonly touched: boolean;
}

/** Commented lines whose text is stored, and adjacent lines on each side. */
const rememberedLines = 40;
const rememberedAround = 3;

/** @param lines of the text, with or without line breaks */
export function placeAt(lines: readonly string[], range: CommentRange): CommentPlace {
  const start = Math.max(0, Math.min(range.start, lines.length));
  const count = Math.max(0, Math.min(range.count, lines.length - start));
  const end = start + count;
  return {
    start,
    count,
    lines: lines.slice(start, Math.min(end, start + rememberedLines)).map(withoutBreak),
    above: lines.slice(Math.max(0, start - rememberedAround), start).map(withoutBreak),
    below: lines.slice(end, end + rememberedAround).map(withoutBreak),
  };
}

/**
 * Moves a place along with changes.
 * @param changes each refers to the text after the previous one
 * @param after the text after the last
 */
export function movePlace(
  place: CommentPlace,
  changes: readonly LineChange[],
  after: readonly string[],
): MovedPlace {
  let range: CommentRange = place;
  let written: readonly CommentRange[] = [];
  let touched = false;
  let covered = place.count === 0;
  for (const change of changes) {
    touched ||= touches(range, change);
    covered ||= covers(change, range);
    range = moveRange(range, change);
    const own = { start: change.start, count: change.lines.length };
    written = [...written.map(each => moveRange(each, change)), own];
  }
  // Lines that were cut and pasted, or rewritten among others, are the same lines.
  const again = covered ? findPlace(place, after, { near: range.start, within: written }) : undefined;
  if (again) return { place: again, touched: false };
  return { place: range.count > 0 ? placeAt(after, range) : { ...place, ...range }, touched };
}

/** Moves a place between two texts of which the changes are unknown. */
export function movePlaceBetween(
  place: CommentPlace,
  before: readonly string[],
  after: readonly string[],
): MovedPlace {
  const changes = lineEdits(before, after).map(({ oldCount, newStart, newCount }) => ({
    start: newStart,
    count: oldCount,
    lines: after.slice(newStart, newStart + newCount),
  }));
  return movePlace(place, changes, after);
}

/** Finds commented lines in a text whose earlier version is unknown. If they are gone, the comment keeps its position. */
export function relocateComment(place: CommentPlace, lines: readonly string[]): CommentPlace {
  const near = place.start;
  const first = { ...place, count: Math.min(place.count, 1), lines: place.lines.slice(0, 1) };
  const found = findPlace(place, lines, { near }) ?? findPlace(first, lines, { near });
  if (found) return found;
  return { ...place, start: findGap(place, lines) ?? Math.min(near, lines.length), count: 0 };
}

function moveRange({ start, count }: CommentRange, change: LineChange): CommentRange {
  const end = start + count;
  const changeEnd = change.start + change.count;
  const room = change.lines.length;
  const grown = room - change.count;
  const isAtGap = count === 0 && change.start === start;
  if (changeEnd <= start && !isAtGap) return { start: start + grown, count };
  if (change.start >= end || grown === 0) return { start, count };
  if (change.start >= start && changeEnd <= end) return { start, count: count + grown };
  // The anchor keeps the lines that remain below or above the change, else a similar position inside it.
  if (changeEnd < end) return { start: change.start + room, count: end - changeEnd };
  if (change.start > start) return { start, count: change.start - start };
  const offset = Math.min(start - change.start, Math.max(0, room - 1));
  return { start: change.start + offset, count: Math.min(count, room - offset) };
}

/** True if a line was changed or removed, or added in between. Lines added right above or below do not count. */
function touches({ start, count }: CommentRange, change: LineChange): boolean {
  const end = start + count;
  if (change.count === 0) return change.start > start && change.start < end;
  return change.start < end && change.start + change.count > start;
}

/** True if no line is unchanged. */
function covers(change: LineChange, { start, count }: CommentRange): boolean {
  return change.start <= start && change.start + change.count >= start + count;
}

interface Where {
  /** Among equal candidates, the nearest to this line wins. */
  readonly near: number;
  /** Restricts the search; absent: anywhere. */
  readonly within?: readonly CommentRange[];
}

/**
 * Finds the stored lines in a text, ignoring blanks. Of several matches, prefers the one with the same adjacent lines.
 */
function findPlace(place: CommentPlace, lines: readonly string[], where: Where): CommentPlace | undefined {
  const wanted = place.lines.map(squeezed);
  if (!wanted.some(isDistinctive)) return undefined;
  const text = lines.map(squeezed);
  let best: (CommentRange & { readonly score: number }) | undefined;
  for (const { start: from, count } of where.within ?? [{ start: 0, count: text.length }]) {
    for (let start = from; start + wanted.length <= from + count; start++) {
      if (!wanted.every((line, i) => text[start + i] === line)) continue;
      const distance = Math.abs(start - where.near) / (text.length + 1);
      const score = countAdjacentMatches(place, text, start, wanted.length) - distance;
      const room = from + count - start;
      const whole = Math.min(Math.max(place.count, wanted.length), room);
      if (!best || score > best.score) best = { start, count: whole, score };
    }
  }
  return best && placeAt(lines, best);
}

function countAdjacentMatches(
  place: CommentPlace,
  text: readonly string[],
  start: number,
  count: number,
): number {
  const above = place.above.toReversed().filter((line, i) => text[start - 1 - i] === squeezed(line)).length;
  const isWhole = place.count <= place.lines.length;
  const below = isWhole ? place.below.filter((line, i) => text[start + count + i] === squeezed(line)) : [];
  return above + below.length;
}

/** Finds the position between the former adjacent lines. */
function findGap({ above, below, start }: CommentPlace, lines: readonly string[]): number | undefined {
  const last = above.findLast(isDistinctive);
  const first = below.find(isDistinctive);
  const nearest = (wanted: string | undefined) =>
    lines
      .flatMap((line, i) => (wanted !== undefined && squeezed(line) === squeezed(wanted) ? [i] : []))
      .sort((a, b) => Math.abs(a - start) - Math.abs(b - start))[0];
  const before = nearest(last);
  if (before !== undefined) return before + 1;
  return nearest(first);
}

/** True for lines with letters or digits; lines of brackets occur everywhere. */
function isDistinctive(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, ' ').trim();
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '');
}
