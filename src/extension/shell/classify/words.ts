import type { Word } from './analysis.ts';

/**
 * Stretches of the text that the grammar found to be expansions or substitutions: where each begins, and where
 * it ends. A word is read here a second time, independently of the grammar, and where the two differ it is not
 * understood.
 */
type Embedded = ReadonlyMap<number, number>;

interface WordReading {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly embedded: Embedded;
  readonly home: string;
}

/** The word as the shell sees it, or undefined if this stretch of text is not one word. */
export function readWord(reading: WordReading): Word | undefined {
  const text = reading.text.slice(reading.start, reading.end);
  const scan: Scan = {
    ...reading,
    at: reading.start,
    value: '',
    fixed: '',
    known: true,
    single: true,
    glob: false,
  };
  while (scan.at < scan.end) {
    if (!scanOne(scan)) return undefined;
  }
  if (scan.at !== scan.end) return undefined;
  if (scan.known && /(?:=|:)~/.test(text) && /^\w+\+?=/.test(text)) return unknownWord(text, '', true);
  if (!scan.known) return unknownWord(text, scan.fixed, scan.single);
  if (hasBraceExpansion(text)) return unknownWord(text, text.split(/[{'"\\$]/)[0]!, false);
  const value = text.startsWith('~') ? expandHome(text, scan.value, reading.home) : scan.value;
  if (value === undefined) return unknownWord(text, '', true);
  return { kind: scan.glob ? 'pattern' : 'plain', text, value };
}

/** A word made of a known text, as if it had been quoted. */
export function plainWord(value: string): Word {
  return { kind: 'plain', text: quoteForDisplay(value), value };
}

export function unknownWord(text: string, prefix = '', single = false): Word {
  return { kind: 'unknown', text, prefix, single };
}

/** The value of a word that is known before it runs. */
export function plainValue(word: Word | undefined): string | undefined {
  return word?.kind === 'plain' ? word.value : undefined;
}

/** The text with everything quoted, and every escape, made a harmless letter. */
export function withoutQuotes(text: string): string {
  return text.replace(/\$'(?:\\.|[^'\\])*'|\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, 'q');
}

interface Scan extends WordReading {
  at: number;
  value: string;
  /** The value up to the first thing that is not known. */
  fixed: string;
  known: boolean;
  single: boolean;
  glob: boolean;
}

function scanOne(scan: Scan): boolean {
  const char = scan.text[scan.at]!;
  if (char === '\\') return scanEscape(scan);
  if (char === "'") return scanSingleQuotes(scan);
  if (char === '"') return scanDoubleQuotes(scan);
  if (char === '$' || char === '`') return scanDollar(scan, false);
  if ((char === '<' || char === '>') && scan.text[scan.at + 1] === '(') return skipEmbedded(scan, true);
  // Anything else that ends a word means that this is more than one.
  if (/[\s;&|<>()]/.test(char)) return false;
  if (char === '*' || char === '?' || char === '[') scan.glob = true;
  return take(scan, char, 1);
}

function scanEscape(scan: Scan): boolean {
  const next = scan.text[scan.at + 1];
  if (next === undefined || scan.at + 1 >= scan.end) return false;
  return take(scan, next === '\n' ? '' : next, 2);
}

function scanSingleQuotes(scan: Scan): boolean {
  const close = scan.text.indexOf("'", scan.at + 1);
  if (close < 0 || close >= scan.end) return false;
  return take(scan, scan.text.slice(scan.at + 1, close), close + 1 - scan.at);
}

function scanDoubleQuotes(scan: Scan): boolean {
  scan.at += 1;
  while (scan.at < scan.end) {
    const char = scan.text[scan.at]!;
    if (char === '"') {
      scan.at += 1;
      return true;
    }
    if (!scanInDoubleQuotes(scan, char)) return false;
  }
  return false;
}

function scanInDoubleQuotes(scan: Scan, char: string): boolean {
  if (char === '$' || char === '`') return scanDollar(scan, true);
  if (char !== '\\') return take(scan, char, 1);
  const next = scan.text[scan.at + 1] ?? '';
  if (next === '\n') return take(scan, '', 2);
  // In double quotes a backslash only escapes what would be special there.
  return '$`"\\'.includes(next) && next !== '' ? take(scan, next, 2) : take(scan, '\\', 1);
}

function scanDollar(scan: Scan, quoted: boolean): boolean {
  const rest = scan.text.slice(scan.at, scan.at + 2);
  if (!quoted && rest === "$'") return scanAnsiQuotes(scan);
  // Translated text is looked up in a catalogue; its words are only known when it runs.
  if (!quoted && rest === '$"') return false;
  if (rest[0] === '`' || /^\$[\w({@*#?$!-]/.test(rest)) return skipEmbedded(scan, quoted);
  if (rest === '$[') return false;
  return take(scan, '$', 1);
}

function skipEmbedded(scan: Scan, single: boolean): boolean {
  const end = scan.embedded.get(scan.at);
  if (end === undefined || end > scan.end) return false;
  if (scan.known) scan.fixed = scan.value;
  scan.known = false;
  // "$@" and arrays become several words even between quotes.
  if (!single || /@/.test(scan.text.slice(scan.at, end))) scan.single = false;
  scan.at = end;
  return true;
}

function scanAnsiQuotes(scan: Scan): boolean {
  let at = scan.at + 2;
  let value = '';
  while (at < scan.end && scan.text[at] !== "'") {
    if (scan.text[at] !== '\\') {
      value += scan.text[at++];
      continue;
    }
    const match = ansiEscape.exec(scan.text.slice(at, at + 10));
    const decoded = match && decodeAnsi(match[0]);
    if (!match || decoded === undefined || decoded === null) return false;
    value += decoded;
    at += match[0].length;
  }
  return at < scan.end && take(scan, value, at + 1 - scan.at);
}

const ansiEscape = /^\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[abeEfnrtv\\'"?])/;

/** Undefined for what is not one ASCII character: bytes above would have to be put together to characters. */
function decodeAnsi(sequence: string): string | undefined {
  const letter = sequence[1]!;
  const named = namedEscapes[letter];
  if (named !== undefined && sequence.length === 2) return named;
  const code = /[0-7]/.test(letter)
    ? Number.parseInt(sequence.slice(1), 8)
    : Number.parseInt(sequence.slice(2), 16);
  return code > 0 && code < 0x80 ? String.fromCharCode(code) : undefined;
}

const namedEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

function take(scan: Scan, value: string, length: number): boolean {
  scan.at += length;
  scan.value += value;
  return scan.at <= scan.end;
}

/**
 * `{a,b}` and `{1..3}` become several words. Quotes inside are not checked: this asks too often rather than too
 * seldom.
 */
function hasBraceExpansion(text: string): boolean {
  const bare = withoutQuotes(text);
  return /\{[^{}.]*\.\./.test(bare) || ['{', ',', '}'].every(char => bare.includes(char));
}

function expandHome(text: string, value: string, home: string): string | undefined {
  if (/^~(?:\/|$)/.test(text)) return home + value.slice(1);
  return undefined;
}

function quoteForDisplay(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
