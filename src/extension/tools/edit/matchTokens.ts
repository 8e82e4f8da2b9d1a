import { replaceLines } from './lineWindow.ts';
import { lineAt, type OffsetEdit, type TextLines } from './textLines.ts';

/** Maximal number of token comparisons, so that repetitive files do not block the host. */
const maxComparisons = 20_000_000;
const maxFileLength = 4_000_000;

/** Matches whole lines with the same tokens, ignoring whitespace and line breaks. */
export function matchTokens(file: TextLines, search: string, replacement: string): readonly OffsetEdit[] {
  if (file.text.length > maxFileLength) return [];
  const wanted = tokensOf(search).map(token => token.text);
  if (wanted.length === 0) return [];
  const tokens = tokensOf(file.text);
  const [from, to] = [withoutMargins(search), withoutMargins(replacement)];
  const places: OffsetEdit[] = [];
  let comparisons = 0;
  for (let i = 0; i + wanted.length <= tokens.length; i++) {
    if (!startsLine(file, tokens[i]!)) continue;
    let length = 0;
    while (length < wanted.length && tokens[i + length]!.text === wanted[length]) length++;
    comparisons += length + 1;
    if (comparisons > maxComparisons) return [];
    const last = tokens[i + length - 1];
    if (length < wanted.length || !last || !endsLine(file, last)) continue;
    const first = lineAt(file.starts, tokens[i]!.start);
    const count = lineAt(file.starts, last.start) - first + 1;
    places.push(replaceLines(file, { first, count }, from, to));
    i += length - 1;
  }
  return places;
}

/** Blank lines around are not tokens, so they are neither replaced nor inserted. */
function withoutMargins(text: string): string {
  const body = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return body !== '' && /\n\s*$/.test(text) ? `${body}\n` : body;
}

interface Token {
  readonly text: string;
  readonly start: number;
}

function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu), match => ({
    text: match[0],
    start: match.index,
  }));
}

function startsLine(file: TextLines, token: Token): boolean {
  const line = lineAt(file.starts, token.start);
  return file.text.slice(file.starts[line], token.start).trim() === '';
}

function endsLine(file: TextLines, token: Token): boolean {
  const line = lineAt(file.starts, token.start);
  const end = file.starts[line]! + file.lines[line]!.length;
  return file.text.slice(token.start + token.text.length, end).trim() === '';
}
