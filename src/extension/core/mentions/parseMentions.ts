/*
 * Parses `@` mentions in a prompt, at the start of words and outside of code. The longest text that can be a path comes
 * first, followed by shorter readings in case the sentence continues directly after it.
 */

import { codeRanges } from '../context/codeRanges.ts';
import { canBePath, isReservedMention } from './formatMention.ts';

export type ParsedMention =
  | PathMention
  | { readonly kind: 'symbol'; readonly text: string; readonly name: string }
  | { readonly kind: 'problems' | 'terminal' | 'diff'; readonly text: string }
  | { readonly kind: 'url'; readonly text: string; readonly url: string };

export interface PathMention {
  readonly kind: 'path';
  /** The longest first; the first that exists is meant. Never empty. */
  readonly readings: readonly PathCandidate[];
  /** Certainly meant as a path, so a missing one is reported. Otherwise it may be a decorator or a name. */
  readonly deliberate: boolean;
}

export interface PathCandidate {
  /** The text in the prompt, with `@`. */
  readonly text: string;
  readonly path: string;
  readonly lines?: MentionLines;
}

/** From 1, both inclusive. */
export interface MentionLines {
  readonly first: number;
  readonly last: number;
}

/** In text order, without duplicates. */
export function parseMentions(text: string): readonly ParsedMention[] {
  const code = codeRanges(text);
  const things = new Map<string, ParsedMention>();
  let end = 0;
  for (const { index } of text.matchAll(/@/g)) {
    if (index < end || !beginsWord(text, index)) continue;
    if (code.some(range => index >= range.start && index < range.end)) continue;
    const thing = parseThing(text, index);
    if (!thing) continue;
    const written = textOf(thing);
    end = index + written.length;
    if (!things.has(written)) things.set(written, thing);
  }
  return [...things.values()];
}

function textOf(thing: ParsedMention): string {
  return thing.kind === 'path' ? thing.readings.at(-1)!.text : thing.text;
}

/** Excludes mail addresses, package versions, shell variables and escaped `@`. */
function beginsWord(text: string, at: number): boolean {
  return (
    at === 0 || !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_.%+\-/@\\$]/u.test(text[at - 1]!)
  );
}

function parseThing(text: string, at: number): ParsedMention | undefined {
  const rest = text.slice(at + 1, at + 1 + longest);
  if (rest.startsWith('"')) return parseQuoted(rest);
  const url = /^https?:\/\/[^\s<>"'`{}|\\^]+/i.exec(rest)?.[0];
  if (url !== undefined) return parseUrl(url);
  if (/^https?:\//i.test(rest)) return undefined;
  const symbol = /^(?:symbol:|#(?=[\p{L}_$]))([\p{L}_$][\p{L}\p{N}_$.:#~-]*)/u.exec(rest);
  if (symbol) {
    const name = symbol[1]!.replace(/[.:#~-]+$/, '');
    return {
      kind: 'symbol',
      text: `@${symbol[0].slice(0, symbol[0].length - symbol[1]!.length)}${name}`,
      name,
    };
  }
  return parsePlain(rest);
}

const longest = 4096;

function parseUrl(found: string): ParsedMention | undefined {
  let url = found;
  while (/[.,;:!?)\]*_]$/.test(url) && !(url.endsWith(')') && url.includes('('))) url = url.slice(0, -1);
  return URL.canParse(url) ? { kind: 'url', text: `@${url}`, url } : undefined;
}

function parseQuoted(rest: string): ParsedMention | undefined {
  const match = /^"((?:\\["\\]|[^"\n])+)"(:\d+(?:-\d+)?(?![\d\w]))?/.exec(rest);
  if (!match) return undefined;
  const path = match[1]!.replace(/\\(["\\])/g, '$1');
  return { kind: 'path', deliberate: true, readings: [reading(`@${match[0]}`, path, match[2])] };
}

/** Includes any escaped character. A backslash before a letter is a Windows separator. */
const token = /^(?:\\[^\p{L}\p{N}\n]|[^\s"'`<>|，。；：！？、（）「」]|(?<=[\p{L}\p{N}])'(?=[\p{L}\p{N}]))+/u;

function parsePlain(rest: string): ParsedMention | undefined {
  const whole = token.exec(rest)?.[0];
  if (whole === undefined) return undefined;
  const bare = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(whole)?.[0];
  if (bare !== undefined && isReservedMention(bare) && endsThere(whole.slice(bare.length))) {
    return { kind: bare as 'problems' | 'terminal' | 'diff', text: `@${bare}` };
  }
  // A decorator with arguments.
  if (bare !== undefined && whole[bare.length] === '(' && !namesCopy.test(whole)) return undefined;
  const short = /^(?:\\[^\p{L}\p{N}]|[^,;!?()[\]{}\\']|\\(?=[\p{L}\p{N}]))+/u.exec(whole)?.[0] ?? '';
  const shapes = [whole, trimEnd(whole), trimEnd(short)].filter(canBePath);
  const readings = [...new Set(shapes)].map(readPlain);
  const last = readings.at(-1);
  // A call such as `@app.get('/')`.
  const isCall = whole[short.length] === '(' && !/[/\\]/.test(short);
  return last && { kind: 'path', readings, deliberate: !isCall && isDeliberate(last) };
}

/** Browsers name a second download `report(1).pdf`. */
const namesCopy = /^[^()]*\([^()]*\)[^()]*\.\p{L}/u;

/** Punctuation may follow the name of a source, but nothing that makes it a path. */
function endsThere(rest: string): boolean {
  return /^(?:[,;:!?)\]}*]|\.(?![\p{L}\p{N}]))*$/u.test(rest);
}

function trimEnd(text: string): string {
  let shape = text;
  while (/[.,;:!?)\]}*…”’»]$/u.test(shape) && !/\\.$/u.test(shape)) {
    const opening = { ')': '(', ']': '[', '}': '{' }[shape.at(-1)!];
    if (opening !== undefined && shape.includes(opening)) break;
    shape = shape.slice(0, -1);
  }
  return shape;
}

function readPlain(shape: string): PathCandidate {
  const [, path = shape, lines] = /^(.+?)(:\d+(?:[-:]\d+)?)?$/su.exec(shape) ?? [];
  return reading(`@${shape}`, path.replace(/\\([^\p{L}\p{N}])/gu, '$1'), lines);
}

/** Parses `:10-20` as lines, `:10` as one, `:10:5` as one with a column, as compilers print it. */
function reading(text: string, path: string, suffix: string | undefined): PathCandidate {
  const [, from, mark, to] = /^:(\d+)(?:([-:])(\d+))?$/.exec(suffix ?? '') ?? [];
  if (from === undefined) return { text, path };
  const first = Math.max(1, Number(from));
  return { text, path, lines: { first, last: mark === '-' ? Math.max(first, Number(to)) : first } };
}

/**
 * Excludes package names such as `@types/node` and `@angular/core`, decorators such as `@Injectable`, and versions such
 * as `@2.0.1`.
 */
function isDeliberate({ path, lines, text }: PathCandidate): boolean {
  if (lines !== undefined || text.includes('\\ ')) return true;
  if (/^(\.{1,2}|~)?[/\\]./.test(path) || /[/\\]$/.test(path)) return true;
  // `@pytest.fixture` has no file extension.
  if (/\.(?=\w*[A-Za-z])\w{1,5}$/.test(path)) return true;
  return (path.match(/[/\\]/g)?.length ?? 0) > 1;
}
