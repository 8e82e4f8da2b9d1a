/* Shows changes of a notebook by cell, each in the lines that a reader of the notebook would see. */

import type { DiffHunk, DiffLine, FileDiff } from '../../protocol/asks.ts';
import { countCells } from '../../protocol/changes.ts';
import { languageOf, readCell, readFrame, splitNotebook } from '../notebooks/notebook.ts';
import { cellLabel, cellLines } from '../notebooks/notebookAsText.ts';
import { includesFrame } from './cellHunks.ts';
import { applyAgentWrite, baseText, beginReview, changesTo, presentText } from './fileReview.ts';
import type { FileReview, Hunk } from './hunk.ts';
import { type FileDiffOptions, lineDiff } from './lineDiff.ts';
import { joinUnits } from './units.ts';

/** Returns one hunk per decision, in order; `undefined` if one of the texts has no cells. */
export function cellDiff(
  path: string,
  before: string | null,
  after: string,
  options: FileDiffOptions,
): FileDiff | undefined {
  if (!splitNotebook(after) || (before !== null && !splitNotebook(before))) return undefined;
  const begun = beginReview(before, 'cells');
  const review = applyAgentWrite(begun, changesTo(begun, after), '');
  let room = options.maxLines ?? 400;
  const parts = review.hunks.map(hunk => {
    const part = cellHunkDiff(review, hunk, room);
    room -= part.lines.length;
    const cells = countCells(hunk);
    const place = hunkLocation(review, hunk);
    return { part, hunk: { ...part.hunk, place, cells: cells > 1 ? cells : undefined } };
  });
  return {
    path,
    change: before === null ? 'created' : 'modified',
    added: 0,
    removed: 0,
    cells: review.hunks.reduce((sum, hunk) => sum + countCells(hunk), 0),
    hunks: parts.map(({ hunk }) => hunk),
    hiddenLines: parts.reduce((sum, { part }) => sum + part.hiddenLines, 0),
  };
}

interface CellHunkDiff {
  readonly hunk: DiffHunk;
  readonly lines: readonly DiffLine[];
  readonly hiddenLines: number;
}

/** Returns the changes of a hunk for a reader, as one run of lines. */
export function cellHunkDiff(review: FileReview, hunk: Hunk, maxLines: number): CellHunkDiff {
  const sides = [removedUnits(review, hunk), addedUnits(review, hunk)];
  // Headings on both sides or on none, or an unchanged cell would count as changed.
  const named = sides.some(units => units.length > 1);
  const [before, after] = sides.map(units => readableText(units, named));
  const diffs = contexts.map(context =>
    lineDiff('', before!, after!, { context, maxLines: Math.max(1, maxLines) }),
  );
  const diff = diffs.find(({ hunks }) => hunks.length <= 1) ?? diffs.at(-1)!;
  const [first] = diff.hunks;
  const lines = first?.lines.map(withHeading) ?? [{ kind: 'context' as const, text: unseen }];
  return {
    hunk: {
      oldStart: lineInCell(before!, first?.oldStart ?? 1),
      newStart: lineInCell(after!, first?.newStart ?? 1),
      lines,
    },
    lines,
    hiddenLines: diff.hiddenLines,
  };
}

/** `Cell 3, python`: location of a hunk. */
export function hunkLocation(review: FileReview, hunk: Hunk): string {
  if (includesFrame(review, hunk)) return review.created ? 'Whole notebook, new' : 'Whole notebook';
  const language = languageIn(review);
  const [removed, added] = [removedUnits(review, hunk), addedUnits(review, hunk)];
  // The first unit is the text before the cells, so a cell's index is its number.
  if (added.length > 1) return `Cells ${hunk.start}–${hunk.start + added.length - 1}`;
  const name = (unit: string, number: number) => cellLabel(readCell(unit), number, language);
  if (added.length === 1) return name(added[0]!, hunk.start) + (removed.length === 0 ? ', new' : '');
  if (removed.length > 1) return `Cells ${hunk.baseStart}–${hunk.baseStart + removed.length - 1}, removed`;
  return `${name(removed[0]!, hunk.baseStart)}, removed`;
}

/** Context lines around a change; the whole cell if its changes are too far apart for one run. */
const contexts = [3, 12, 50, 100_000];

const unseen = 'What changed is in outputs, metadata or the writing of the file.';

function removedUnits({ base }: FileReview, { baseStart, baseCount }: Hunk): readonly string[] {
  return base.slice(baseStart, baseStart + baseCount);
}

function addedUnits({ present }: FileReview, { status, agentLines, start, count }: Hunk): readonly string[] {
  return status === 'rejected' ? agentLines : present.slice(start, start + count);
}

function languageIn(review: FileReview): string | undefined {
  const notebook = splitNotebook(presentText(review)) ?? splitNotebook(baseText(review));
  return notebook && languageOf(readFrame(notebook));
}

/** Begins a heading line; unlikely to occur in a source. */
const headingMark = '\u0001';

function withHeading(line: DiffLine): DiffLine {
  if (!line.text.startsWith(headingMark)) return line;
  return { ...line, text: line.text.slice(headingMark.length), heading: true };
}

/** @param number of a line of the text, from 1. Returns its number in its cell */
function lineInCell(text: string, number: number): number {
  const before = text.split('\n').slice(0, number - 1);
  return number - 1 - before.findLastIndex(line => line.startsWith(headingMark));
}

/** @param named adds a heading with its kind to each cell */
function readableText(units: readonly string[], named: boolean): string {
  const whole = splitNotebook(joinUnits(units, 'cells'));
  const cells = whole?.cells ?? units.filter(isCell);
  if (!whole && cells.length < units.length) return units.join('\n');
  const parts = cells
    .map(text => readCell(text))
    .map(cell => [named ? [`${headingMark}[${cell.kind}]`] : [], cellLines(cell)]);
  return parts
    .flat(2)
    .map(line => `${line}\n`)
    .join('');
}

function isCell(unit: string): boolean {
  return unit.trimStart().startsWith('{') && unit.trimEnd().endsWith('}') && unit.includes('"cell_type"');
}
