/* Text from elsewhere in a Markdown document of ours: it stays readable and cannot break out of its place. */

import { fenced, fenceTicks } from '../../base/text.ts';

/** Letters of a single line that would format it or end it. */
export function escapeInline(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.replace(/[\\`*[\]<>|~]|(?<![a-z0-9])_|_(?![a-z0-9])|&(?=#?\w+;)/gi, '\\$&');
}

/** One line of code, with more backticks around it than it holds in a row. */
export function codeSpan(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const ticks = fenceTicks(flat, 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat === '' ? ' ' : '';
  return `${ticks}${pad}${flat}${pad}${ticks}`;
}

/** A block of code in a fence longer than any inside. */
export function fenceBlock(text: string, language = ''): string {
  return fenced(text.replace(/\r\n?/g, '\n').replace(/\n+$/, ''), language);
}

export function quoteBlock(text: string): string {
  return closeFence(text.trim())
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

export function indent(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}

/**
 * Headings of a text as far below ours as they stood below each other; what stands in a fence is no heading. A fence
 * that was left open, as in an answer that was stopped, is closed.
 */
export function demoteHeadings(text: string, by: number): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.replace(/\r\n?/g, '\n').trim().split('\n')) {
    fence = nextFence(line, fence);
    const underline = fence ? undefined : underlineLevel(line, lines.at(-1));
    if (fence) lines.push(line);
    else if (underline) lines.push(heading(underline + by, lines.pop()!.trim()));
    else
      lines.push(line.replace(/^ {0,3}(#{1,6})(?=\s|$)/, (_, marks) => '#'.repeat(deep(marks.length + by))));
  }
  return closeFence(lines.join('\n'));
}

export function heading(level: number, text: string): string {
  return `${'#'.repeat(deep(level))} ${text}`;
}

function deep(level: number): number {
  return Math.min(6, level);
}

/** The open fence after this line. */
function nextFence(line: string, open: string | undefined): string | undefined {
  const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marks === '') return open;
  if (open) return marks.startsWith(open) && rest.trim() === '' ? undefined : open;
  return marks.startsWith('`') && rest.includes('`') ? undefined : marks;
}

function closeFence(text: string): string {
  let fence: string | undefined;
  for (const line of text.split('\n')) fence = nextFence(line, fence);
  return fence ? `${text}\n${fence}` : text;
}

/** A line of `=` or `-` makes a heading of the paragraph line above it. */
function underlineLevel(line: string, above: string | undefined): number | undefined {
  if (!above || !/^ {0,3}(?:=+|-+)\s*$/.test(line)) return undefined;
  if (/^\s*(?:[>#|`~]|[-*+]\s|\d+[.)]\s)|^ {4}|^\s*$/.test(above)) return undefined;
  return line.includes('=') ? 1 : 2;
}
