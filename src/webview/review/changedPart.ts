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
  const [one, other] = [before.text, after.text];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let tail = 0;
  while (tail < shorter - start && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  // Two lines that have little in common are read as two lines.
  if ((start + tail) * 2 < shorter) return;
  while (start > 0 && isInWord(one, start, other)) start--;
  while (tail > 0 && isInWord(one, one.length - tail, other, other.length - tail)) tail--;
  parts.set(before, { start, end: one.length - tail });
  parts.set(after, { start, end: other.length - tail });
}

/** Returns true if a word, or a letter of several code units, goes on across this place of either line. */
function isInWord(one: string, at: number, other: string, otherAt = at): boolean {
  return [one.slice(at - 1, at + 1), other.slice(otherAt - 1, otherAt + 1)].some(pair =>
    /^(?:[\u{10000}-\u{10ffff}]|[\p{L}\p{N}\p{M}\p{Cs}\p{Cf}_]{2})$/u.test(pair),
  );
}
