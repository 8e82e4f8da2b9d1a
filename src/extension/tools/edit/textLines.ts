import { lineEdits } from '../../review/lineEdits.ts';

/** A text with `\n` line breaks, split into lines. A final break is followed by an empty line. */
export interface TextLines {
  readonly text: string;
  readonly lines: readonly string[];
  /** Offset of each line. */
  readonly starts: readonly number[];
}

/** Replaces the characters from offset `start` to `end`, exclusive, by `text`. */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export function toTextLines(text: string): TextLines {
  const lines = text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { text, lines, starts };
}

/** Returns the line, from 0, that holds the offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Applies ordered, disjoint replacements whose offsets count each line break as one character, to a text that may have
 * `\r\n`. Unchanged lines keep their break. New lines take the break of the line they replace, else of an adjacent one.
 */
export function replaceRanges(original: string, replacements: readonly OffsetEdit[]): string {
  const raw = toTextLines(original);
  const breaks = raw.lines.map((line, i) =>
    i === raw.lines.length - 1 ? '' : line.endsWith('\r') ? '\r\n' : '\n',
  );
  const normal = toTextLines(toLf(original));
  const rawOffset = (offset: number) => {
    const line = lineAt(normal.starts, offset);
    return raw.starts[line]! + offset - normal.starts[line]!;
  };
  let result = '';
  let done = 0;
  for (const { start, end, text } of replacements) {
    const old = normal.text.slice(start, end);
    result += original.slice(done, rawOffset(start));
    result += withBreaks(old, text, breaks, lineAt(normal.starts, start));
    done = rawOffset(end);
  }
  return result + original.slice(done);
}

/** @param first the line of the text on which `old` starts */
function withBreaks(old: string, text: string, breaks: readonly string[], first: number): string {
  const oldLines = old.split('\n');
  const lines = text.split('\n');
  /** For each new line, the old line whose break it takes. */
  const sources: number[] = [];
  let at = 0;
  for (const edit of lineEdits(oldLines, lines)) {
    while (at < edit.oldStart) sources.push(at++);
    for (let k = 0; k < edit.newCount; k++) {
      sources.push(edit.oldStart + (edit.oldCount === 0 ? -1 : Math.min(k, edit.oldCount - 1)));
    }
    at = edit.oldStart + edit.oldCount;
  }
  while (at < oldLines.length) sources.push(at++);
  return lines
    .map((line, i) => (i === lines.length - 1 ? line : line + breakNear(breaks, first + sources[i]!)))
    .join('');
}

function breakNear(breaks: readonly string[], line: number): string {
  for (let i = line; i >= 0; i--) if (breaks[i]) return breaks[i]!;
  for (let i = Math.max(0, line); i < breaks.length; i++) if (breaks[i]) return breaks[i]!;
  return '\n';
}
