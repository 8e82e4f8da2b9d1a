import { headOf, tailOf } from '../../protocol/words/cutText.ts';
import { removeInvisibleText } from './hiddenText.ts';

export { headOf, tailOf };

/** `1 file`, `3 files`. */
export function formatQuantity(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** Keeps head and tail, with a note in the middle on how much is left out. */
export function cutMiddle(text: string, limit: number, headShare = 0.2): string {
  if (text.length <= limit) return text;
  const head = headOf(text, Math.floor(limit * headShare));
  const tail = tailOf(text, limit - Math.floor(limit * headShare));
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

/** Joins the lines into one and cuts the end with an ellipsis. */
export function oneLine(text: string, limit = 120): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > limit ? `${headOf(flat, limit - 1)}…` : flat;
}

/** Returns enough backticks to enclose the text: more than it holds in a row. */
export function fenceTicks(text: string, least = 3): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Encloses the text in a fence that none of its lines can close. */
export function fenced(text: string, language = ''): string {
  const ticks = fenceTicks(text);
  return `${ticks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`;
}

/** `640 bytes`, `12 KB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return formatQuantity(bytes, 'byte');
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

/** Cuts to one line without hidden characters. */
export function sanitiseLine(text: string, limit: number): string {
  return oneLine(removeInvisibleText(text), limit);
}

/** Returns the longest tail of whole characters within a limit in UTF-8 bytes. */
export function tailWithinBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return new TextDecoder().decode(bytes.subarray(start));
}

/** Escapes a literal for use in a regular expression. */
export function escapeRegExp(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Number of characters that two texts begin with in common. */
export function commonPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
