/*
 * Turns an editor's report of typing into changes of lines. An editor counts lines and characters; a review counts
 * lines with their breaks, and has no line behind the last break, where an editor has an empty one:
 *
 *     text        a ⏎ b ⏎        editor   0 "a"   1 "b"   2 ""
 *                                review   0 "a⏎"  1 "b⏎"
 */

import type { LineChange } from '../../review/fileReview.ts';
import { splitLines } from '../../review/lineEdits.ts';

interface TextPlace {
  readonly line: number;
  readonly character: number;
}

/** `start … end` became `text`. Both from 0. */
export interface TextChange {
  readonly start: TextPlace;
  readonly end: TextPlace;
  readonly text: string;
}

/** Beyond this number of simultaneous changes, searching for equal lines costs more than it gains. */
const changesLimit = 300;

/**
 * @param lines of the text before, with their breaks
 * @param changes each relative to the text after the previous one
 * @returns the changes as lines, relative in the same way; `undefined` if there are too many
 */
export function toLineChanges(
  lines: readonly string[],
  changes: readonly TextChange[],
): readonly LineChange[] | undefined {
  if (changes.length > changesLimit) return undefined;
  const found: LineChange[] = [];
  let present = lines;
  for (const change of changes) {
    const lineChange = toLineChange(present, change);
    if (lineChange.count === 0 && lineChange.lines.length === 0) continue;
    found.push(lineChange);
    present = present.toSpliced(lineChange.start, lineChange.count, ...lineChange.lines);
  }
  return found;
}

function toLineChange(lines: readonly string[], { start, end, text }: TextChange): LineChange {
  const before = (lines[start.line] ?? '').slice(0, start.character);
  const after = (lines[end.line] ?? '').slice(end.character);
  const first = Math.min(start.line, lines.length);
  const count = Math.min(end.line + 1, lines.length) - first;
  const became = splitLines(before + text + after);
  return trim(lines, { start: first, count, lines: became });
}

/** Enter at the end of a line adds a line and leaves the other unchanged. */
function trim(present: readonly string[], { start, count, lines }: LineChange): LineChange {
  const shorter = Math.min(count, lines.length);
  let head = 0;
  while (head < shorter && present[start + head] === lines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && present[start + count - 1 - tail] === lines.at(-1 - tail)) tail++;
  const middle = lines.slice(head, lines.length - tail);
  return { start: start + head, count: count - head - tail, lines: middle };
}
