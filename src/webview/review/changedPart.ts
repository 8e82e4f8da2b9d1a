import type { DiffLine } from '../../protocol/asks.ts';

/** Part of a line that differs from the line that it replaces, or that replaces it. */
export interface ChangedPart {
  readonly start: number;
  readonly end: number;
}

/** Returns the changed part of each line that was rewritten only in part. */
export function findChangedParts(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, ChangedPart> {
  const parts = new Map<DiffLine, ChangedPart>();
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const pair = () => {
    // Other blocks do not say which line became which.
    if (removed.length === added.length)
      for (const [i, line] of removed.entries()) compare(line, added[i]!, parts);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind !== 'added' && added.length > 0) pair();
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else pair();
  }
  pair();
  return parts;
}

function compare(before: DiffLine, after: DiffLine, parts: Map<DiffLine, ChangedPart>): void {
  const one = wordsOf(before);
  const other = wordsOf(after);
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  // Two lines that have little in common are read as two lines.
  if ((head + tail) * 2 < shorter) return;
  for (const [line, words] of [
    [before, one],
    [after, other],
  ] as const) {
    const start = words.slice(0, head).join('').length;
    parts.set(line, { start, end: start + words.slice(head, words.length - tail).join('').length });
  }
}

/** Splits into words, composed emoji among them, and single characters. */
function wordsOf({ text }: DiffLine): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}\p{So}\p{Cf}_]+|[\s\S]/gu) ?? [];
}
