/* Embeds foreign text in our Markdown, so that it stays readable and inside its place. */

import { fenced, fenceTicks } from '../../base/text.ts';

/** Escapes characters that would format or end a line. */
export function escapeInline(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.replace(/[\\`*[\]<>|~]|(?<![a-z0-9])_|_(?![a-z0-9])|&(?=#?\w+;)/gi, '\\$&');
}

/** Formats a line of code, with more backticks than it contains in a row. */
export function codeSpan(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const ticks = fenceTicks(flat, 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat === '' ? ' ' : '';
  return `${ticks}${pad}${flat}${pad}${ticks}`;
}

/** Formats a code block, with a longer fence than any inside. */
export function fenceBlock(text: string, language = ''): string {
  return fenced(text.replace(/\r\n?/g, '\n').replace(/\n+$/, ''), language);
}

export function quoteBlock(text: string): string {
  return closeFence(text.trim())
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

/**
 * Moves headings below ours and preserves their relative levels. Ignores lines inside fences, and closes an open fence,
 * as in a stopped answer.
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

/** Returns the open fence after this line. */
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

/** A line of `=` or `-` turns the paragraph line above into a heading. */
function underlineLevel(line: string, above: string | undefined): number | undefined {
  if (!above || !/^ {0,3}(?:=+|-+)\s*$/.test(line)) return undefined;
  if (/^\s*(?:[>#|`~]|[-*+]\s|\d+[.)]\s)|^ {4}|^\s*$/.test(above)) return undefined;
  return line.includes('=') ? 1 : 2;
}
