/*
 * The changes of an agent in one file that nobody has decided on yet, kept true while the user continues typing.
 *
 * Two texts are kept, as lines: `present`, which stands in the file, and `base`, which would stand there had the
 * agent done nothing. Hunks are the places where they differ:
 *
 *     base      a  b  c        d  e          outside of hunks both have the same lines;
 *     present   a  B  c  x  y  d  e          hunk 1: b ─► B, hunk 2: nothing ─► x y
 *
 * Each writer changes this picture by a rule of its own:
 *
 *   agent writes     present changes; the place joins the hunks that it touches, or becomes one
 *   user writes      outside of hunks both texts change, so that the hunks stay what they are; a change that
 *                    reaches into a hunk changes it and marks it `touched`
 *   hunk accepted    its lines go into base; the file is not written
 *   hunk rejected    its base lines go into present, which is written; it can be brought back, also by an undo
 *
 * So accepting all leaves the agent's text with the typing, and rejecting all leaves the base with the typing.
 */

import type { Writer } from '../../protocol/values.ts';
import { withWholeCells } from './cellHunks.ts';
import { type FileReview, type Hunk, mergeWriters } from './hunk.ts';
import { lineEdits } from './lineEdits.ts';
import { joinUnits, splitUnits, type UnitKind } from './units.ts';

/** Lines `start … start + count` become `lines`. From 0. */
export interface LineChange {
  readonly start: number;
  readonly count: number;
  readonly lines: readonly string[];
}

export function beginReview(before: string | null, by: UnitKind = 'lines'): FileReview {
  const lines = splitUnits(before ?? '', by);
  return { by, base: lines, present: lines, hunks: [], created: before === null, nextId: 1 };
}

export function presentText(review: FileReview): string {
  return joinUnits(review.present, review.by);
}

/** Returns the text of the file if every pending hunk were rejected. */
export function baseText(review: FileReview): string {
  return joinUnits(review.base, review.by);
}

export function pendingHunks(review: FileReview): readonly Hunk[] {
  return review.hunks.filter(hunk => hunk.status === 'pending');
}

/** Returns whether later changes have replaced everything that the agent wrote there. */
export function isOverwritten(review: FileReview, hunk: Hunk): boolean {
  if (!hunk.touched || hunk.agentLines.length === 0) return false;
  const present = new Set(review.present.slice(hunk.start, hunk.start + hunk.count));
  return !hunk.agentLines.some(line => line.trim() !== '' && present.has(line));
}

/** Returns the changes from the present text to this one. */
export function changesTo(review: FileReview, text: string): readonly LineChange[] {
  const lines = splitUnits(text, review.by);
  return lineEdits(review.present, lines).map(({ oldStart, oldCount, newStart, newCount }) => ({
    start: oldStart,
    count: oldCount,
    lines: lines.slice(newStart, newStart + newCount),
  }));
}

/** @param changes places in the present text, in order, not overlapping */
export function applyAgentWrite(
  review: FileReview,
  changes: readonly LineChange[],
  chapterId: string,
  writer?: Writer,
): FileReview {
  const areApart = changes.every(({ start }, i) => {
    const before = changes[i - 1];
    return !before || before.start + before.count < start;
  });
  return withWholeCells(
    review.hunks.length === 0 && areApart
      ? agentWritesFirst(review, changes, chapterId, writer)
      : inReverse(changes).reduce((each, change) => agentWritesOnce(each, change, chapterId, writer), review),
  );
}

/** @param changes places in the present text, in order, not overlapping */
export function applyUserWrites(review: FileReview, changes: readonly LineChange[]): FileReview {
  return withWholeCells(
    inReverse(changes).reduce((each, change) => userWritesOnce(each, change, 'bringsBack'), review),
  );
}

/**
 * Like the user's writes, except that another session's write undoes no rejection, and that it is named in hunks it
 * reaches into.
 * @param other absent if the writer is unknown
 */
export function applyOtherWrites(
  review: FileReview,
  changes: readonly LineChange[],
  other?: Writer,
): FileReview {
  return withWholeCells(
    inReverse(changes).reduce((each, change) => userWritesOnce(each, change, 'keepsRejected', other), review),
  );
}

/** Keeps the file as it is and forgets the earlier text. */
export function acceptHunks(review: FileReview, ids: readonly number[]): FileReview {
  const accepted = findHunks(review, ids, 'pending');
  if (accepted.size === 0) return review;
  const { present, hunks } = review;
  const linesOf = (hunk: Hunk) => present.slice(hunk.start, hunk.start + hunk.count);
  let grown = 0;
  const left = hunks.flatMap(hunk => {
    const moved = shifted(hunk, grown, 0);
    if (!accepted.has(hunk)) return [moved];
    grown += hunk.count - hunk.baseCount;
    return [];
  });
  const places = [...accepted].map(hunk => ({
    start: hunk.baseStart,
    count: hunk.baseCount,
    lines: linesOf(hunk),
  }));
  return { ...review, base: splice(review.base, places), hunks: left };
}

export function rejectHunks(review: FileReview, ids: readonly number[]): FileReview {
  const rejected = findHunks(review, ids, 'pending');
  if (rejected.size === 0) return review;
  const { base, present } = review;
  let grown = 0;
  const hunks = review.hunks.map(hunk => {
    const moved = shifted(hunk, 0, grown);
    if (!rejected.has(hunk)) return moved;
    grown += hunk.baseCount - hunk.count;
    const agentLines = present.slice(hunk.start, hunk.start + hunk.count);
    return { ...moved, status: 'rejected' as const, count: hunk.baseCount, touched: false, agentLines };
  });
  const places = [...rejected].map(({ start, count, baseStart, baseCount }) => ({
    start,
    count,
    lines: base.slice(baseStart, baseStart + baseCount),
  }));
  return { ...review, present: splice(present, places), hunks };
}

/** @returns the review with the base's lines restored; `undefined` if there is no such pending hunk */
export function rejectHunk(review: FileReview, id: number): FileReview | undefined {
  const next = rejectHunks(review, [id]);
  return next === review ? undefined : next;
}

/** @returns the review with the agent's lines restored; `undefined` if there is no such rejected hunk */
export function bringBackHunk(review: FileReview, id: number): FileReview | undefined {
  const hunk = findHunk(review, id, 'rejected');
  if (!hunk) return undefined;
  const pending: Hunk = { ...hunk, status: 'pending', count: hunk.agentLines.length };
  return {
    ...review,
    present: review.present.toSpliced(hunk.start, hunk.count, ...hunk.agentLines),
    hunks: replaced(review.hunks, hunk, [pending], pending.count - hunk.count),
  };
}

/** Adds all hunks at once if there are none to join: the first write of a file may change thousands of places. */
function agentWritesFirst(
  review: FileReview,
  changes: readonly LineChange[],
  chapterId: string,
  writer: Writer | undefined,
): FileReview {
  const marks = { chapterIds: [chapterId], writers: writer && [writer] };
  const { present, nextId } = review;
  const made = changes.filter(
    ({ start, count, lines }) => !isEqual(present.slice(start, start + count), lines),
  );
  let grown = 0;
  const hunks = made.map(({ start, count, lines }, i): Hunk => {
    const place = { baseStart: start, baseCount: count, start: start + grown, count: lines.length };
    grown += lines.length - count;
    // Numbered from the end, as if written one after the other.
    const id = nextId + made.length - 1 - i;
    return { id, status: 'pending', ...place, ...marks, touched: false, agentLines: lines };
  });
  return { ...review, present: splice(present, made), hunks, nextId: nextId + made.length };
}

function agentWritesOnce(
  review: FileReview,
  change: LineChange,
  chapterId: string,
  writer: Writer | undefined,
): FileReview {
  const touching = review.hunks.filter(hunk => hunk.status === 'pending' && meets(hunk, change));
  const place = unite(review, touching, change);
  const grown = change.lines.length - change.count;
  const count = place.count + grown;
  const present = review.present.toSpliced(change.start, change.count, ...change.lines);
  const merged: Hunk = {
    ...place,
    id: touching[0]?.id ?? review.nextId,
    status: 'pending',
    count,
    touched: touching.some(hunk => hunk.touched),
    chapterIds: [...new Set([...touching.flatMap(hunk => hunk.chapterIds), chapterId])],
    writers: mergeWriters(touching, writer),
    agentLines: present.slice(place.start, place.start + count),
  };
  const others = review.hunks
    .filter(hunk => !touching.includes(hunk) && !isWrittenOver(hunk, place))
    .map(hunk => (hunk.start >= change.start + change.count ? shifted(hunk, 0, grown) : hunk));
  const hunks = isSame(review, merged, present) ? others : insert(others, merged);
  return { ...review, present, hunks, nextId: review.nextId + (touching.length > 0 ? 0 : 1) };
}

function userWritesOnce(
  review: FileReview,
  change: LineChange,
  rejected: 'bringsBack' | 'keepsRejected',
  other?: Writer,
): FileReview {
  const hit = review.hunks.filter(hunk => overlaps(hunk, change));
  const pending = hit.filter(hunk => hunk.status === 'pending');
  const grown = change.lines.length - change.count;
  const present = review.present.toSpliced(change.start, change.count, ...change.lines);
  const broughtBack =
    rejected === 'bringsBack' && review.hunks.find(hunk => isBroughtBack(hunk, change, present));
  if (broughtBack) {
    const again: Hunk = { ...broughtBack, status: 'pending', count: broughtBack.agentLines.length };
    return { ...review, present, hunks: replaced(review.hunks, broughtBack, [again], grown) };
  }
  if (pending.length > 0) {
    const place = unite(review, pending, change);
    const count = place.count + grown;
    const agentLines = pending.flatMap(hunk => hunk.agentLines);
    const merged: Hunk = {
      ...place,
      id: pending[0]!.id,
      status: 'pending',
      count,
      // An undo may restore the agent's own lines.
      touched: !isEqual(present.slice(place.start, place.start + count), agentLines),
      chapterIds: [...new Set(pending.flatMap(hunk => hunk.chapterIds))],
      writers: mergeWriters(pending, other),
      agentLines,
    };
    const others = review.hunks
      .filter(hunk => !hit.includes(hunk) && !isWrittenOver(hunk, place))
      .map(hunk => (hunk.start >= change.start + change.count ? shifted(hunk, 0, grown) : hunk));
    // A hunk that was undone by hand is decided.
    const hunks = isSame(review, merged, present) ? others : insert(others, merged);
    return { ...review, present, hunks };
  }
  const baseStart = toBase(review, change.start);
  const base = review.base.toSpliced(baseStart, change.count, ...change.lines);
  const hunks = review.hunks
    .filter(hunk => !hit.includes(hunk))
    .map(hunk => (isBehind(hunk, change) ? shifted(hunk, grown, grown) : hunk));
  return { ...review, base, present, hunks };
}

/** Returns whether the agent's lines are in a rejected place again, so that its rejection was undone. */
function isBroughtBack(hunk: Hunk, change: LineChange, present: readonly string[]): boolean {
  if (hunk.status === 'pending') return false;
  const end = hunk.start + hunk.count;
  if (change.start < hunk.start || change.start + change.count > end) return false;
  const grown = change.lines.length - change.count;
  return isEqual(present.slice(hunk.start, end + grown), hunk.agentLines);
}

/** True if they share a line, or one is inside the other. Touching at an end is not enough. */
function overlaps(hunk: Hunk, change: LineChange): boolean {
  const end = hunk.start + hunk.count;
  const changeEnd = change.start + change.count;
  if (hunk.count > 0 && change.count > 0) return change.start < end && changeEnd > hunk.start;
  if (hunk.count > 0) return change.start > hunk.start && change.start < end;
  return hunk.start > change.start && hunk.start < changeEnd;
}

/** True if they overlap or are adjacent. */
function meets(hunk: Hunk, change: Pick<LineChange, 'start' | 'count'>): boolean {
  return change.start <= hunk.start + hunk.count && change.start + change.count >= hunk.start;
}

/** A pending hunk that grows into a rejected place prevents its restoration. */
function isWrittenOver(hunk: Hunk, place: Pick<Hunk, 'start' | 'count'>): boolean {
  return hunk.status === 'rejected' && meets(hunk, place);
}

/** An insertion at the start of a hunk is before it, unless the hunk only removed lines. */
function isBehind(hunk: Hunk, change: LineChange): boolean {
  if (change.count === 0 && hunk.count === 0) return hunk.start > change.start;
  return hunk.start >= change.start + change.count;
}

/** Returns the smallest range that includes the change and all the hunks. */
function unite(
  review: FileReview,
  hunks: readonly Hunk[],
  change: LineChange,
): Pick<Hunk, 'baseStart' | 'baseCount' | 'start' | 'count'> {
  const start = Math.min(change.start, ...hunks.map(hunk => hunk.start));
  const end = Math.max(change.start + change.count, ...hunks.map(hunk => hunk.start + hunk.count));
  const first = hunks[0];
  const last = hunks.at(-1);
  if (!first || !last)
    return { start, count: end - start, baseStart: toBase(review, start), baseCount: end - start };
  const baseStart = first.baseStart - (first.start - start);
  const baseEnd = last.baseStart + last.baseCount + (end - (last.start + last.count));
  return { start, count: end - start, baseStart, baseCount: baseEnd - baseStart };
}

/** Maps a line of present outside of hunks to base. */
function toBase(review: FileReview, line: number): number {
  const before = review.hunks.findLast(hunk => hunk.start + hunk.count <= line);
  return before ? before.baseStart + before.baseCount + (line - before.start - before.count) : line;
}

function isSame(review: FileReview, hunk: Hunk, present: readonly string[]): boolean {
  const { baseStart, baseCount, start, count } = hunk;
  return isEqual(review.base.slice(baseStart, baseStart + baseCount), present.slice(start, start + count));
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

function insert(hunks: readonly Hunk[], hunk: Hunk): readonly Hunk[] {
  const at = hunks.findIndex(
    other =>
      other.baseStart > hunk.baseStart || (other.baseStart === hunk.baseStart && other.start >= hunk.start),
  );
  return at < 0 ? [...hunks, hunk] : hunks.toSpliced(at, 0, hunk);
}

/** Replaces a hunk by `by` and shifts the later ones, whose base stays. */
function replaced(hunks: readonly Hunk[], hunk: Hunk, by: readonly Hunk[], shift: number): readonly Hunk[] {
  const at = hunks.indexOf(hunk);
  return [...hunks.slice(0, at), ...by, ...hunks.slice(at + 1).map(other => shifted(other, 0, shift))];
}

function shifted(hunk: Hunk, baseBy: number, by: number): Hunk {
  return baseBy === 0 && by === 0
    ? hunk
    : { ...hunk, baseStart: hunk.baseStart + baseBy, start: hunk.start + by };
}

/** Returns the hunks with these ids, in file order. */
function findHunks(review: FileReview, ids: readonly number[], status: Hunk['status']): ReadonlySet<Hunk> {
  const wanted = new Set(ids);
  return new Set(review.hunks.filter(hunk => hunk.status === status && wanted.has(hunk.id)));
}

/** @param places in order, not overlapping */
function splice(lines: readonly string[], places: readonly LineChange[]): readonly string[] {
  const parts: (readonly string[])[] = [];
  let line = 0;
  for (const place of places) {
    parts.push(lines.slice(line, place.start), place.lines);
    line = place.start + place.count;
  }
  return [...parts, lines.slice(line)].flat();
}

function findHunk(review: FileReview, id: number, status: Hunk['status']): Hunk | undefined {
  return review.hunks.find(hunk => hunk.id === id && hunk.status === status);
}

/** Last to first, so that earlier positions stay valid. */
function inReverse<T>(items: readonly T[]): readonly T[] {
  return items.toReversed();
}
