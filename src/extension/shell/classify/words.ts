import type { Word } from './analysis.ts';

/**
 * Start and end offsets of the expansions and substitutions that the grammar found. Words are parsed again here,
 * independently of the grammar. If the two differ, the word is not understood.
 */
type Embedded = ReadonlyMap<number, number>;

interface WordReading {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly embedded: Embedded;
  readonly home: string;
}

/** Parses a word as the shell does; `undefined` if this range is not exactly one word. */
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

/** Makes a word of a known text, as if it had been quoted. */
export function plainWord(value: string): Word {
  return { kind: 'plain', text: quoteForDisplay(value), value };
}

export function unknownWord(text: string, prefix = '', single = false): Word {
  return { kind: 'unknown', text, prefix, single };
}

/** Returns the value of a word that is known in advance. */
export function plainValue(word: Word | undefined): string | undefined {
  return word?.kind === 'plain' ? word.value : undefined;
}

/** Replaces quoted text and escapes by a harmless letter. */
export function withoutQuotes(text: string): string {
  return text.replace(/\$'(?:\\.|[^'\\])*'|\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, 'q');
}

interface Scan extends WordReading {
  at: number;
  value: string;
  /** The value up to the first unknown part. */
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
  // Any other separator means that this is more than one word.
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
  // In double quotes a backslash escapes only special characters.
  return '$`"\\'.includes(next) && next !== '' ? take(scan, next, 2) : take(scan, '\\', 1);
}

function scanDollar(scan: Scan, quoted: boolean): boolean {
  const rest = scan.text.slice(scan.at, scan.at + 2);
  if (!quoted && rest === "$'") return scanAnsiQuotes(scan);
  // The shell looks translated text up in a catalogue, so its words are known only at run time.
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
  // `"$@"` and arrays become several words even in quotes.
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

/**
 * Returns `undefined` unless the result is one ASCII character: higher bytes would have to be combined into characters.
 */
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

/** `{a,b}` and `{1..3}` become several words. Ignores quotes inside, so it rather asks too often. */
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
