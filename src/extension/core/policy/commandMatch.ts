/* Compares a command with a rule by its first words, by a pattern over its text, or by its known properties. */

import { lazySchema } from '../../../protocol/lazySchema.ts';
import { findPrefixes } from '../../platform/patterns/patternPrefixes.ts';
import type { AnalysedCommand, Word } from '../../shell/classify/analysis.ts';
import { commandFormsOf, formsOfText, matchableTexts } from '../../shell/classify/commandForms.ts';
import type { CommandForm } from '../../shell/classify/formParser.ts';
import { type MatchCertainty, matchForm, strongerMatch } from './matchForm.ts';

export interface CommandRuleInput {
  readonly text: string;
  /** Words without quotes; undefined for words known only at run time. */
  readonly words: readonly (string | undefined)[];
  /** Equivalent spellings. Rules that allow ignore these, and cover only what is written. */
  readonly forms: readonly CommandForm[];
  /** Forms of the commands that an unknown program may start from its arguments. */
  readonly started: readonly CommandForm[];
  /** The forms as text for patterns. */
  readonly texts: () => readonly string[];
  readonly startedTexts: () => readonly string[];
  readonly reads: boolean;
  /** It may become or start any program. */
  readonly isOpaque: boolean;
}

/** Words of an unknown program that are tried as names of other programs. */
const maxStarted = 8;

export function makeCommandRuleInput(command: AnalysedCommand): CommandRuleInput {
  const { text, words, verdict, isOpaque = false, mayStartArguments, otherNames = [] } = command;
  const values = words.map(word => (word.kind === 'plain' ? word.value : undefined));
  const started = mayStartArguments ? startedBy(words) : [];
  const named = otherNames.map((value): Word => ({ kind: 'plain', text: value, value }));
  const forms = [words, ...named.map(name => [name, ...words.slice(1)])].flatMap(commandFormsOf);
  return {
    text,
    words: values,
    forms,
    started,
    texts: lazySchema(() => forms.flatMap(matchableTexts)),
    startedTexts: lazySchema(() => started.flatMap(matchableTexts)),
    reads: verdict === 'reads',
    isOpaque,
  };
}

function startedBy(words: readonly Word[]): readonly CommandForm[] {
  return words.slice(1, maxStarted).flatMap((word, index) => {
    if (word.kind !== 'plain' || word.value.startsWith('-')) return [];
    const before = words[index];
    const isLine = /\s/.test(word.value) && before?.kind === 'plain' && takesLine.test(before.value);
    return isLine ? formsOfText(word.value) : commandFormsOf(words.slice(index + 1));
  });
}

/** Options that commonly take a shell command. */
const takesLine = /^-(?:c|e|x)$|^--(?:command|cmd|exec|execute|run|eval|call)$/;

type Decision = 'allow' | 'deny' | 'ask';

interface CommandRule {
  readonly decision: Decision;
  readonly prefixes?: readonly string[];
  readonly exceptPrefixes?: readonly string[];
  readonly command?: RegExp;
  readonly reads?: true;
  readonly exceptReads?: true;
}

export function matchCommand(rule: CommandRule, command: CommandRuleInput | undefined): MatchCertainty {
  const { prefixes, exceptPrefixes, reads, exceptReads, decision } = rule;
  if (exceptReads && command?.reads) return 'no';
  if (exceptPrefixes && command && exceptPrefixes.some(prefix => isWrittenSo(prefix, command))) return 'no';
  if (!prefixes && !rule.command && !reads) return 'yes';
  if (!command || (reads && !command.reads)) return 'no';
  const matches = [
    ...(prefixes ? [matchPrefixes(prefixes, command, decision)] : []),
    ...(rule.command ? [matchPattern(rule.command, command, decision)] : []),
  ];
  if (decision !== 'allow' && command.isOpaque && !matches.every(match => match === 'yes')) return 'maybe';
  if (matches.includes('no')) return 'no';
  return matches.includes('maybe') ? 'maybe' : 'yes';
}

function matchPrefixes(
  prefixes: readonly string[],
  command: CommandRuleInput,
  decision: Decision,
): MatchCertainty {
  if (decision === 'allow') return prefixes.some(prefix => isWrittenSo(prefix, command)) ? 'yes' : 'no';
  return prefixes.reduce<MatchCertainty>(
    (found, prefix) => strongerMatch(found, startsWith(prefix, command)),
    'no',
  );
}

/**
 * Matches whole words, so that `npm test` does not match `npm testing`. An allowing rule needs plain words and the
 * first one as written, so that neither `X=1 npm test` nor `$(x) test` matches.
 */
function isWrittenSo(prefix: string, { text, words }: CommandRuleInput): boolean {
  const wanted = wordsOf(prefix);
  return wanted.every((word, index) => words[index] === word) && text.trimStart().startsWith(wanted[0]!);
}

/**
 * A rule that denies or asks matches regardless of the program's path, its global options, and the order of other
 * options.
 */
function startsWith(prefix: string, { text, words, forms, started }: CommandRuleInput): MatchCertainty {
  const wanted = wordsOf(prefix);
  const written = [words, wordsOf(text)].some(actual => wanted.every((word, at) => actual[at] === word));
  if (written) return 'yes';
  const named = formsOfRule(prefix);
  const own = matchForms(forms, named);
  return own === 'no' && matchForms(started, named) !== 'no' ? 'maybe' : own;
}

/** Rules are few and are compared with every command. */
const ofRules = new Map<string, readonly CommandForm[]>();
const maxKept = 2_000;

function formsOfRule(text: string): readonly CommandForm[] {
  const kept = ofRules.get(text);
  if (kept) return kept;
  if (ofRules.size >= maxKept) ofRules.clear();
  const forms = formsOfText(text);
  ofRules.set(text, forms);
  return forms;
}

function matchForms(forms: readonly CommandForm[], wanted: readonly CommandForm[]): MatchCertainty {
  return forms
    .flatMap(form => wanted.map(each => matchForm(form, each)))
    .reduce<MatchCertainty>((found, match) => strongerMatch(found, match), 'no');
}

function matchPattern(pattern: RegExp, command: CommandRuleInput, decision: Decision): MatchCertainty {
  if (command.text.length > maxTextLength) return decision === 'allow' ? 'no' : 'yes';
  if (pattern.test(command.text)) return 'yes';
  return decision === 'allow' ? 'no' : matchEquivalentTexts(pattern, command, text => text);
}

/**
 * Matches a pattern against equivalent spellings of a command.
 * @param wrap turns such a text into what the pattern applies to
 */
export function matchEquivalentTexts(
  pattern: RegExp,
  { words, forms, texts, startedTexts }: CommandRuleInput,
  wrap: (text: string) => string,
): MatchCertainty {
  const isMatch = (text: string) => pattern.test(wrap(text));
  if (isMatch(words.map(word => word ?? '').join(' ')) || texts().some(isMatch)) return 'yes';
  if (startedTexts().some(isMatch)) return 'maybe';
  return words.includes(undefined) && mayBegin(pattern, forms) ? 'maybe' : 'no';
}

function mayBegin(pattern: RegExp, forms: readonly CommandForm[]): boolean {
  return findPrefixes(pattern.source).some(head => {
    // A glob's matches are arguments of the written program; only a variable may hold anything.
    if (head.trim() === '') return hasUnknownWord({ forms });
    const wanted = formsOfRule(head).map(form => ({ ...form, isStart: true as const }));
    return matchForms(forms, wanted) !== 'no';
  });
}

/** True if the command contains a variable, which may hold any text. */
export function hasUnknownWord({ forms }: Pick<CommandRuleInput, 'forms'>): boolean {
  return forms.some(form => form.words.some(({ word }) => word.kind === 'unknown'));
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Characters of a text that patterns are matched against. */
export const maxTextLength = 50_000;
