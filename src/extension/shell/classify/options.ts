import type { Word } from './analysis.ts';

/**
 * Harmless options of a program, in usage notation: `-abc` flags, `-k=` takes a value, `-f@` takes a file, `--color?`
 * may have an attached value, `--key=`, `--from@`. A lone `*`: no option of this program writes, sends or starts
 * anything.
 */
export interface OptionRules {
  readonly open: boolean;
  readonly kinds: ReadonlyMap<string, OptionKind>;
}

type OptionKind = 'flag' | 'value' | 'file' | 'optional';

export interface ParsedOptions {
  readonly names: ReadonlySet<string>;
  readonly operands: readonly Word[];
  /** Values of options that name files. */
  readonly files: readonly Word[];
  /** Values of options, attached or in the next word. */
  readonly values: readonly string[];
  /** The first word that is, or may become, an option without a rule. */
  readonly strange?: Word;
}

export function optionRules(usage: string): OptionRules {
  const kinds = new Map<string, OptionKind>();
  const words = usage.split(/\s+/).filter(word => word !== '' && word !== '*');
  for (const word of words) {
    const kind = suffixes[word.at(-1)!] ?? 'flag';
    const name = kind === 'flag' ? word : word.slice(0, -1);
    if (name.startsWith('--')) kinds.set(name, kind);
    else for (const letter of name.slice(1)) kinds.set(`-${letter}`, kind);
  }
  return { open: /(?:^|\s)\*(?:\s|$)/.test(usage), kinds };
}

/** Parses options the usual way: before and after operands, flags in clusters, none after `--`. */
export function readOptions(words: readonly Word[], rules: OptionRules): ParsedOptions {
  const reading: Reading = {
    rules,
    words,
    at: 0,
    names: new Set(),
    operands: [],
    files: [],
    values: [],
    strange: undefined,
  };
  while (reading.at < words.length) {
    const word = words[reading.at++]!;
    const value = word.kind === 'plain' ? word.value : undefined;
    if (value === '--') {
      reading.operands.push(...words.slice(reading.at));
      break;
    }
    if (value === undefined) readUncertain(reading, word);
    else if (value.startsWith('--')) readLong(reading, word, value);
    else if (value.length > 1 && value.startsWith('-')) readCluster(reading, word, value);
    else reading.operands.push(word);
  }
  const { names, operands, files, values, strange } = reading;
  return { names, operands, files, values, strange };
}

/** Returns whether a word may become an option at run time. */
export function mayBeOption(word: Word): boolean {
  switch (word.kind) {
    case 'plain':
      return word.value.startsWith('-');
    case 'pattern':
      return /^[-*?[]/.test(word.value);
    case 'unknown':
      return !word.single || word.prefix === '' || word.prefix.startsWith('-');
  }
}

interface Reading {
  readonly rules: OptionRules;
  readonly words: readonly Word[];
  at: number;
  readonly names: Set<string>;
  readonly operands: Word[];
  readonly files: Word[];
  readonly values: string[];
  strange: Word | undefined;
}

const suffixes: Readonly<Record<string, OptionKind>> = { '=': 'value', '@': 'file', '?': 'optional' };

function readUncertain(reading: Reading, word: Word): void {
  if (mayBeOption(word) && !reading.rules.open) reading.strange ??= word;
  reading.operands.push(word);
}

function readLong(reading: Reading, word: Word, value: string): void {
  const equals = value.indexOf('=');
  const name = fullName(equals < 0 ? value : value.slice(0, equals), reading.rules);
  const kind = reading.rules.kinds.get(name);
  reading.names.add(name);
  if (kind === undefined) {
    if (!reading.rules.open) reading.strange ??= word;
    // The text attached to an unknown option may name a file.
    else if (equals >= 0) reading.files.push(part(word, value.slice(equals + 1)));
    return;
  }
  if (equals >= 0) {
    if (kind === 'flag') reading.strange ??= word;
    if (kind === 'file') reading.files.push(part(word, value.slice(equals + 1)));
  } else if (kind === 'value' || kind === 'file') {
    readValue(reading, kind);
  }
}

/** Long options may be abbreviated. If only their values matter, the first match is enough. */
function fullName(given: string, { open, kinds }: OptionRules): string {
  if (!open || given.length < 4 || kinds.has(given)) return given;
  return [...kinds.keys()].find(name => name.startsWith(given)) ?? given;
}

function readCluster(reading: Reading, word: Word, value: string): void {
  for (let at = 1; at < value.length; at++) {
    const name = `-${value[at]}`;
    const kind = reading.rules.kinds.get(name);
    reading.names.add(name);
    if (kind === undefined && !reading.rules.open) {
      reading.strange ??= word;
      return;
    }
    const rest = value.slice(at + 1);
    if (kind === undefined && /^[./~]/.test(rest)) reading.files.push(part(word, rest));
    if (kind === undefined || kind === 'flag') continue;
    if (rest !== '') reading.values.push(rest);
    if (rest !== '' && kind === 'file') reading.files.push(part(word, rest));
    if (rest === '' && kind !== 'optional') readValue(reading, kind);
    return;
  }
}

function readValue(reading: Reading, kind: OptionKind): void {
  const next = reading.words[reading.at++];
  if (next === undefined) return;
  // Several words would shift the following ones, so that another word is the next option.
  if (next.kind === 'pattern' || (next.kind === 'unknown' && !next.single)) reading.strange ??= next;
  if (next.kind !== 'unknown') reading.values.push(next.value);
  if (kind === 'file') reading.files.push(next);
}

function part(word: Word, value: string): Word {
  return { kind: 'plain', text: word.text, value };
}
