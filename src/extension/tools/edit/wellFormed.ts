/*
 * Checks roughly, without a parser per language, whether a text can be a file of its kind. JSON is parsed; in code,
 * quotes, comments and brackets are checked. A text of unknown kind is neither broken nor well-formed.
 */

import { extname } from 'node:path';
import { isJson } from '../../base/canonicalJson.ts';

interface Language {
  readonly comments: readonly string[];
  /** String quotes. Strings in `"` or `'` end on their line. */
  readonly quotes: string;
  /** True if a slash may begin a regular expression, which can contain anything. */
  readonly hasPatterns: boolean;
}

const likeC: Language = { comments: ['//', '/*'], quotes: `"'`, hasPatterns: false };
const script: Language = { comments: ['//', '/*'], quotes: `"'\``, hasPatterns: true };
const hashed: Language = { comments: ['#'], quotes: `"'`, hasPatterns: false };

/** Languages in which a backslash outside of strings and comments is an error. */
const languages: ReadonlyMap<string, Language> = new Map([
  ...['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'].map(ending => [ending, script] as const),
  ...['.java', '.kt', '.kts', '.go', '.c', '.h', '.cc', '.cpp', '.hpp', '.cs', '.swift', '.dart'].map(
    ending => [ending, likeC] as const,
  ),
  ...['.py', '.pyi', '.toml'].map(ending => [ending, hashed] as const),
]);

const json: readonly string[] = ['.json', '.ipynb', '.webmanifest', '.geojson'];

/** True if the text is certainly no file of its kind. */
export function isBroken(path: string, text: string): boolean {
  const ending = extname(path).toLowerCase();
  if (json.includes(ending)) return !isJson(text);
  const language = languages.get(ending);
  return language !== undefined && hasStrayBackslash(text, language);
}

export function isWellFormed(path: string, text: string): boolean {
  const ending = extname(path).toLowerCase();
  if (json.includes(ending)) return isJson(text);
  const language = languages.get(ending);
  return language !== undefined && isBalanced(text, language);
}

/** Stops at the first comment or possible regular expression, after which anything may be valid. */
function hasStrayBackslash(text: string, language: Language): boolean {
  for (const token of tokensOf(text, language)) {
    if (token === '\\') return true;
    if (token === 'comment' || (token === '/' && language.hasPatterns)) return false;
  }
  return false;
}

const pairs: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

function isBalanced(text: string, language: Language): boolean {
  const open: string[] = [];
  for (const token of tokensOf(text, language)) {
    if (token === 'unclosed' || token === '\\') return false;
    if ('([{'.includes(token)) open.push(token);
    else if (pairs.has(token) && open.pop() !== pairs.get(token)) return false;
  }
  return open.length === 0;
}

/** Yields characters outside of strings, a comment as one token, and an unterminated string as another. */
function* tokensOf(text: string, { comments, quotes }: Language): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    const comment = comments.find(sign => text.startsWith(sign, at));
    const character = text[at]!;
    if (comment !== undefined) {
      const [ending, length] = comment === '/*' ? ['*/', 2] : ['\n', 0];
      const end = text.indexOf(ending, at + comment.length);
      yield 'comment';
      if (end < 0) return;
      at = end + length - 1;
    } else if (quotes.includes(character)) {
      const end = endOfText(text, at, character);
      if (end < 0) yield 'unclosed';
      if (end < 0) return;
      at = end;
    } else yield character;
  }
}

/** Returns the position of the closing quote. Triple quotes may span lines. */
function endOfText(text: string, start: number, quote: string): number {
  const triple = quote.repeat(3);
  if (quote !== '`' && text.startsWith(triple, start)) {
    const end = text.indexOf(triple, start + 3);
    return end < 0 ? -1 : end + 2;
  }
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
    else if (text[at] === '\n' && quote !== '`') return -1;
  }
  return -1;
}
