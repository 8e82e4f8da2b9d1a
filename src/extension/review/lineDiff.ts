import type { DiffHunk, DiffLine, FileDiff } from '../../protocol/asks.ts';
import { headOf } from '../base/text.ts';
import { type LineEdit, lineEdits, splitLines } from './lineEdits.ts';

export interface FileDiffOptions {
  /** Equal lines around a change; default 3. */
  readonly context?: number;
  /** Lines shown in all hunks together; default 400. */
  readonly maxLines?: number;
  /** Makes each change a separate hunk, however near the next one, so that each can be decided on. */
  readonly apart?: boolean;
}

/** Characters. Longer lines, such as minified code, are cut for display. */
const maxLineLength = 1000;

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
      const source = run.kind === 'added' ? newLines : oldLines;
      const start = run.kind === 'added' ? run.newStart : run.oldStart;
      for (const line of source.slice(start, start + count)) {
        lines?.push({ kind: run.kind, text: shownText(line) });
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

function shownText(line: string): string {
  const text = line.replace(/\r?\n$/, '').replace(/\r$/, '');
  return text.length > maxLineLength ? `${headOf(text, maxLineLength)}…` : text;
}
