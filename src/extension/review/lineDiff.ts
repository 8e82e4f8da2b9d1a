import type { DiffHunk, DiffLine, FileDiff } from '../../protocol/asks.ts';
import { commonPrefixLength, headOf, tailOf } from '../base/text.ts';
import { type LineEdit, lineEdits, splitLines } from './lineEdits.ts';

export interface FileDiffOptions {
  /** Equal lines around a change; default 3. */
  readonly context?: number;
  /** Lines shown in all hunks together; default 400. */
  readonly maxLines?: number;
  /** Makes each change a separate hunk, however near the next one, so that each can be decided on. */
  readonly apart?: boolean;
}

/** Characters. Longer lines, such as minified code, are cut for display, around their first change. */
const maxLineLength = 1000;

/** Characters shown before the first change of a cut line. */
const leadLength = 100;

/** Returns the difference of two texts by lines, whatever the file type; `null` for no file. */
export function lineDiff(
  path: string,
  before: string | null,
  after: string | null,
  options: FileDiffOptions = {},
): FileDiff {
  const oldLines = splitLines(before ?? '');
  const newLines = splitLines(after ?? '');
  const edits = lineEdits(oldLines, newLines);
  const context = options.context ?? 3;
  const grouped = options.apart ? edits.map(edit => [edit]) : groupEdits(edits, context);
  const groups = grouped.map((group, i) =>
    groupRuns(
      group,
      context,
      middle(grouped[i - 1], group),
      middle(group, grouped[i + 1]) ?? oldLines.length,
    ),
  );
  const hunks = drawHunks(groups, oldLines, newLines, options.maxLines ?? 400);
  const shown = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return {
    path,
    change: before === null ? 'created' : after === null ? 'deleted' : 'modified',
    added: edits.reduce((sum, edit) => sum + edit.newCount, 0),
    removed: edits.reduce((sum, edit) => sum + edit.oldCount, 0),
    hunks,
    hiddenLines: groups.flat().reduce((sum, run) => sum + run.count, 0) - shown,
  };
}

/** Consecutive lines of one kind, with their positions before and after, from 0. */
interface Run {
  readonly kind: DiffLine['kind'];
  readonly oldStart: number;
  readonly newStart: number;
  readonly count: number;
}

/** Groups edits whose context would overlap into one hunk. */
function groupEdits(edits: readonly LineEdit[], context: number): readonly (readonly LineEdit[])[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && edit.oldStart - last.oldStart - last.oldCount <= 2 * context) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

/** Returns the old line that divides the equal lines between two groups, so that none is shown twice. */
function middle(one: readonly LineEdit[] | undefined, next: readonly LineEdit[] | undefined) {
  const [last, first] = [one?.at(-1), next?.[0]];
  return last && first && Math.ceil((last.oldStart + last.oldCount + first.oldStart) / 2);
}

/** @param from the first old line that may be context. `to` is exclusive */
function groupRuns(
  group: readonly LineEdit[],
  context: number,
  from: number | undefined = 0,
  to: number,
): readonly Run[] {
  const first = group[0]!;
  const lead = Math.min(context, first.oldStart - from);
  const runs: Run[] = [];
  let oldStart = first.oldStart - lead;
  let newStart = first.newStart - lead;
  const take = (kind: Run['kind'], count: number) => {
    if (count > 0) runs.push({ kind, oldStart, newStart, count });
    if (kind !== 'added') oldStart += count;
    if (kind !== 'removed') newStart += count;
  };
  for (const edit of group) {
    take('context', edit.oldStart - oldStart);
    take('removed', edit.oldCount);
    take('added', edit.newCount);
  }
  take('context', Math.min(context, to - oldStart));
  return runs;
}

/** Ends the hunk where a run is cut short, so that line numbers can be counted from a hunk's start. */
function drawHunks(
  groups: readonly (readonly Run[])[],
  oldLines: readonly string[],
  newLines: readonly string[],
  maxLines: number,
): readonly DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let room = maxLines;
  for (const runs of groups) {
    let lines: DiffLine[] | undefined;
    for (const [i, run] of runs.entries()) {
      const count = Math.min(run.count, roomFor(run, runs[i + 1], room));
      if (count > 0 && !lines) {
        lines = [];
        hunks.push({ oldStart: run.oldStart + 1, newStart: run.newStart + 1, lines });
      }
      const replaced = replacedLines(runs, i, oldLines, newLines);
      for (const [n, line] of linesOf(run, oldLines, newLines).slice(0, count).entries()) {
        lines?.push({ kind: run.kind, text: shownText(line, replaced[n]) });
      }
      room -= count;
      if (count < run.count) lines = undefined;
    }
  }
  return hunks;
}

/** A large removal leaves half of the room to its replacement. */
function roomFor(run: Run, next: Run | undefined, room: number): number {
  if (run.kind !== 'removed' || next?.kind !== 'added' || run.count + next.count <= room) return room;
  return Math.max(Math.ceil(room / 2), room - next.count);
}

function linesOf(
  { kind, oldStart, newStart, count }: Run,
  oldLines: readonly string[],
  newLines: readonly string[],
) {
  return kind === 'added'
    ? newLines.slice(newStart, newStart + count)
    : oldLines.slice(oldStart, oldStart + count);
}

/** Returns the lines that those of a run replace, or are replaced by. */
function replacedLines(
  runs: readonly Run[],
  i: number,
  oldLines: readonly string[],
  newLines: readonly string[],
) {
  const [kind, other] =
    runs[i]!.kind === 'removed' ? (['added', runs[i + 1]] as const) : (['removed', runs[i - 1]] as const);
  return runs[i]!.kind !== 'context' && other?.kind === kind ? linesOf(other, oldLines, newLines) : [];
}

/** @param replaced cut at the same place, so that the two can be compared */
function shownText(line: string, replaced: string | undefined): string {
  const text = withoutBreak(line);
  const other = withoutBreak(replaced ?? '');
  if (Math.max(text.length, other.length) <= maxLineLength) return text;
  const { start, end } = partAround(text, other);
  const head = start > 0 ? '…' : '';
  const part = headOf(tailOf(text, text.length - start), end - start);
  return `${head}${part}${end < text.length ? '…' : ''}`;
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, '').replace(/\r$/, '');
}

/** Returns the part of a line to show: from shortly before the first change, with as much after it as fits. */
function partAround(text: string, other: string) {
  const shorter = Math.min(text.length, other.length);
  const same = commonPrefixLength(text, other);
  let tail = 0;
  while (tail < shorter - same && text.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const start = text === other || same <= leadLength ? 0 : same - leadLength;
  const changed = Math.max(text.length, other.length) - tail - start;
  const end = Math.min(text.length - tail + Math.max(0, maxLineLength - changed), start + maxLineLength);
  return { start, end: Math.min(end, text.length) };
}
