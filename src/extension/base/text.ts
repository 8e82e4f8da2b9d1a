import { headOf, tailOf } from '../../protocol/words/cutText.ts';
import { withoutHidden } from './hiddenText.ts';

export { headOf, tailOf };

/** `1 file`, `3 files`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** Keeps head and tail and says in the middle how much is left out. */
export function cutMiddle(text: string, limit: number, headShare = 0.2): string {
  if (text.length <= limit) return text;
  const head = headOf(text, Math.floor(limit * headShare));
  const tail = tailOf(text, limit - Math.floor(limit * headShare));
  return `${head}\n… ${text.length - head.length - tail.length} characters left out …\n${tail}`;
}

/** Cuts at the end, with an ellipsis, on one line. */
export function oneLine(text: string, limit = 120): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > limit ? `${headOf(flat, limit - 1)}…` : flat;
}

/** Backticks that can stand around the text: more of them than it holds in a row. */
export function ticksAround(text: string, least = 3): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Between ticks, more of them than the text itself holds in a row, so that no line of it can end the fence. */
export function fenced(text: string, language = ''): string {
  const ticks = ticksAround(text);
  return `${ticks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`;
}

/** `640 bytes`, `12 KB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

/** Cuts to one line without hidden characters. */
export function plainLine(text: string, limit: number): string {
  return oneLine(withoutHidden(text), limit);
}

/** As much of the end as has at most so many bytes in UTF-8, in whole characters. */
export function tailOfBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return new TextDecoder().decode(bytes.subarray(start));
}

/** A pattern that stands for these letters and nothing else. */
export function escapeRegExp(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
