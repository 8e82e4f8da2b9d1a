import type { OffsetEdit } from '../tools/edit/textLines.ts';

/**
 * Returns the only range in which two texts differ: replacing `start..end` of the old text by `text` gives the new one.
 * It is the shortest that splits no line ending or surrogate pair, which an editor cannot address. `undefined` if the
 * texts are equal.
 */
export function findOffsetEdit(before: string, after: string): OffsetEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (start > 0 && (cutsPair(before, start) || cutsPair(after, start))) start--;
  let tail = 0;
  const most = shorter - start;
  while (
    tail < most &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  while (tail > 0 && (cutsPair(before, before.length - tail) || cutsPair(after, after.length - tail))) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Returns the line endings of a text; `none` for a single line. A lone carriage return counts as mixed. */
export function lineEndingOf(text: string): 'none' | 'lf' | 'crlf' | 'mixed' {
  if (/\r(?!\n)/.test(text)) return 'mixed';
  if (!text.includes('\n')) return 'none';
  if (!text.includes('\r')) return 'lf';
  return /(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

function cutsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const left = text.charCodeAt(offset - 1);
  const right = text.charCodeAt(offset);
  if (left === 13 && right === 10) return true;
  return left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
}
