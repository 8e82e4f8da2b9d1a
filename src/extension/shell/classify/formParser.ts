/* Parses one command into its subcommand without preceding options, and its options as a set. */

import type { Word } from './analysis.ts';
import {
  findOption,
  findOptionRow,
  hasSingleDashLongOptions,
  hasUnorderedOperands,
  isCmdlet,
  isGitCommand,
  type ProgramOption,
  type ProgramOptions,
} from './programOptions.ts';

export interface CommandForm {
  /** Program and subcommands. */
  readonly words: readonly FormWord[];
  readonly options: readonly FormOption[];
  /** True if a word that is known only at run time may become an option. */
  readonly mayHaveMore: boolean;
  readonly anyOrder: boolean;
  /** The line may end in the middle of a word. */
  readonly isStart?: true;
}

export interface FormWord {
  readonly word: Word;
  /** True if it may be the value of an unknown option before it. */
  readonly mayBeValue: boolean;
  /** Its index among the words as written. */
  readonly at: number;
}

interface FormOption {
  readonly name: string;
  /** Present but `undefined`: the value is known only at run time. */
  readonly value?: string | undefined;
}

export function rawWord(value: string): Word {
  return { kind: 'plain', text: value, value };
}

/** Returns whether the word may become several words, none, or an option. */
export function mayShiftArguments(word: Word): boolean {
  if (word.kind === 'unknown') return !word.single || word.prefix === '' || word.prefix.startsWith('-');
  return word.kind === 'pattern' && /^[-*?[]/.test(word.value);
}

interface Parse {
  readonly source: readonly Word[];
  readonly program: string;
  readonly hasDashedWords: boolean;
  at: number;
  path: string;
  before: ProgramOptions;
  readonly anywhere: Map<string, ProgramOption>;
  readonly words: FormWord[];
  readonly options: FormOption[];
  mayHaveMore: boolean;
  mayBeValue: boolean;
}

export function parseForm(source: readonly Word[]): CommandForm {
  const first = source[0]!;
  const program = first.kind === 'plain' ? first.value : '';
  const row = findOptionRow(program);
  const state: Parse = {
    source,
    program,
    hasDashedWords: hasSingleDashLongOptions(program),
    at: 1,
    path: program,
    before: row?.before ?? new Map(),
    anywhere: new Map(row?.anywhere),
    words: [{ word: first, mayBeValue: false, at: 0 }],
    options: [],
    mayHaveMore: false,
    mayBeValue: false,
  };
  while (state.at < source.length) {
    const word = source[state.at]!;
    const value = word.kind === 'plain' ? word.value : undefined;
    if (value === '--') {
      const rest = source
        .slice(state.at + 1)
        .map((each, index) => ({ word: each, mayBeValue: false, at: state.at + 1 + index }));
      state.words.push(...rest);
      break;
    }
    if (value !== undefined && /^-./s.test(value)) readOption(state, value);
    else readOperand(state, word, value);
  }
  const { words, options, mayHaveMore } = state;
  return { words, options, mayHaveMore, anyOrder: hasUnorderedOperands(program) };
}

function readOperand(state: Parse, word: Word, value: string | undefined): void {
  const at = state.at++;
  const { mayBeValue } = state;
  state.mayBeValue = false;
  if (mayShiftArguments(word)) state.mayHaveMore = true;
  // `+toolchain` of cargo, and variables of make.
  if (state.program === 'cargo' && value?.startsWith('+') && state.words.length === 1) return;
  if (state.program === 'make' && value !== undefined && /^[\w.]+\s*[:+?!]*=/.test(value)) return;
  const name = value === undefined ? undefined : nameIn(state, value);
  if (name === undefined) state.words.push({ word: knownLater(state, word, value), mayBeValue, at });
  else {
    state.words.push({ word: name === value ? word : rawWord(name), mayBeValue, at });
    if (/^git push(?: |$)/.test(state.path)) readRefspec(state, name);
    if (!mayBeValue) enter(state, name);
  }
}

/** Returns the canonical name of a subcommand; `undefined` if it may be an alias. */
function nameIn({ path, words }: Parse, value: string): string | undefined {
  const name = findOptionRow(path)?.same.get(value) ?? value;
  return path === 'git' && words.length === 1 && !isGitCommand(name) ? undefined : name;
}

function knownLater(state: Parse, word: Word, value: string | undefined): Word {
  const isDefined = state.options.some(({ value: set }) =>
    set?.toLowerCase().startsWith(`alias.${value?.toLowerCase()}=`),
  );
  if (value === undefined || isDefined) return word;
  return { kind: 'unknown', text: word.text, prefix: '', single: true };
}

/** `+main` forces, `:main` deletes. */
function readRefspec({ options }: Parse, value: string): void {
  if (/^\+./.test(value)) options.push({ name: '--force' });
  if (/^\+?:./.test(value)) options.push({ name: '--delete' });
}

/** No row has more words. */
const deepestPath = 4;

function enter(state: Parse, value: string): void {
  if (state.words.length > deepestPath) return;
  state.path = `${state.path} ${value}`;
  const row = findOptionRow(state.path);
  state.before = row?.before ?? new Map();
  for (const [name, option] of row?.anywhere ?? []) state.anywhere.set(name, option);
}

function readOption(state: Parse, written: string): void {
  state.at++;
  state.mayBeValue = false;
  const dashed = state.hasDashedWords ? written.replace(/^--/, '-') : written;
  const value = isCmdlet(state.program) ? dashed.toLowerCase().replace(/:$/, '') : dashed;
  const equals = value.indexOf('=');
  const given = equals < 0 ? value : value.slice(0, equals);
  const attached = equals < 0 ? undefined : value.slice(equals + 1);
  const found = optionIn(state, given);
  if (found) addOption(state, found, attached);
  else if (value.startsWith('--') || state.hasDashedWords) addUnlisted(state, given, attached);
  else readCluster(state, value);
}

function optionIn({ program, before, anywhere }: Parse, name: string): ProgramOption | undefined {
  const shortened = isCmdlet(program) ? /^-\w/ : undefined;
  return findOption(before, name, shortened) ?? findOption(anywhere, name, shortened);
}

function readCluster(state: Parse, value: string): void {
  for (let at = 1; at < value.length; at++) {
    const found = optionIn(state, `-${value[at]}`);
    const rest = value.slice(at + 1);
    if (found && found.kind !== 'flag') {
      addOption(state, found, rest === '' ? undefined : rest.replace(/^=/, ''));
      return;
    }
    if (found) addOption(state, found, undefined);
    else if (/[a-zA-Z]/.test(value[at]!)) addUnlisted(state, `-${value[at]}`, undefined);
    else return;
  }
}

function addOption(state: Parse, { name, kind }: ProgramOption, attached: string | undefined): void {
  if (/^-[DMC]$/.test(name) && state.path === 'git branch') {
    // The capital letter means its lower case and `--force`.
    addOption(state, optionIn(state, name.toLowerCase())!, undefined);
    state.options.push({ name: '--force' });
    return;
  }
  if (attached !== undefined) state.options.push({ name, value: attached });
  else if (kind !== 'value') state.options.push({ name });
  else {
    const word = state.source[state.at++];
    if (word && word.kind !== 'plain' && !(word.kind === 'unknown' && word.single)) {
      // It may become several words, and only the first is the value.
      state.mayHaveMore = true;
      state.words.push({ word, mayBeValue: true, at: state.at - 1 });
    }
    state.options.push({ name, value: word?.kind === 'plain' ? word.value : undefined });
  }
}

function addUnlisted(state: Parse, name: string, attached: string | undefined): void {
  state.options.push(attached === undefined ? { name } : { name, value: attached });
  state.mayBeValue = attached === undefined;
}
