/*
 * A command line, classified command by command:
 *
 *   1. what the analysis refuses is denied; so is the line if a rule denies any of its commands
 *   2. what no rule can take away asks: dangers, hidden characters, secrets, what is not understood
 *   3. then the line asks if any of its commands asks, and runs if all are allowed
 *
 * What runs in the sandbox is not asked about for what the sandbox keeps it from; dangers and written rules still ask.
 * Where it asks for no other reason than that nobody knows what the program does, a small model may be heard first.
 * In the mode that allows all, 2 shrinks to what nobody wants by mistake: destructive commands, hidden characters,
 * secrets.
 */

import { type Saying, t } from '../../../protocol/language.ts';
import type { AskedCommand } from '../../../protocol/permissions.ts';
import { hasHiddenText, showHidden } from '../../base/hiddenText.ts';
import {
  type CommandAnalysis,
  classifyWhole,
  holdsSubstitution,
  type SubCommand,
} from '../../shell/classify/analysis.ts';
import type { Demand } from './classifyCommandFiles.ts';
import { type CommandMatter, makeCommandMatter } from './commandMatch.ts';
import { isDestructive } from './destructiveCommands.ts';
import type { Matter, Rule } from './rule.ts';
import { decide, findPossible, type RuleBook } from './ruleBook.ts';

export type LineVerdict =
  | { readonly kind: 'denied'; readonly reason?: Saying; readonly rule?: Rule }
  | { readonly kind: 'allowed' }
  /**
   * `roots`: what lasting permissions would name; undefined: none would help. `eachTime`: why not, where `reason` does
   * not say so. `mayBeClassified`: a small model may answer in the user's place.
   */
  | {
      readonly kind: 'asks';
      readonly reason: Saying;
      readonly rule?: Rule;
      readonly roots?: readonly string[];
      readonly eachTime?: Saying;
      readonly mayBeClassified: boolean;
    };

/** A line of shell with what is known of it before the rules are asked. */
export interface Line {
  readonly command: string;
  readonly analysis: CommandAnalysis;
  /** The absolute folder that `~` stands for. */
  readonly home: string;
  /** Demands of the files that it touches. */
  readonly demands: readonly Demand[];
  /** A sandbox of the system keep it from harm, so that the defaults need not ask. */
  readonly isSandboxed: boolean;
}

/** @param isGranted whether a lasting permission names this root */
export function classifyLine(
  line: Line,
  book: RuleBook,
  matterOf: (command: string, part?: CommandMatter) => Matter,
  isGranted: (root: string) => boolean,
): LineVerdict {
  const { command, analysis, demands } = line;
  if (analysis.refused !== undefined) return { kind: 'denied', reason: analysis.refused };
  const whole = matterOf(command);
  const decided = analysis.commands.map((command): Decided => {
    const matter = matterOf(command.text, makeCommandMatter(command));
    return { command, rule: decide(book, matter), possible: findPossible(book, matter) };
  });
  const rules = [...decided.map(({ rule }) => rule), ...rulesOfWhole(book, whole, analysis)];
  const denying = rules.find(rule => rule.decision === 'deny');
  if (denying) return { kind: 'denied', rule: denying };
  const denied = demands.find(demand => demand.kind === 'denied');
  if (denied) return { kind: 'denied', reason: denied.reason };
  const judgement = classifyWhole(analysis);
  if (whole.mode === 'plan' && judgement.kind !== 'reads') {
    const [why] = judgement.kind === 'refused' ? [judgement.reason] : judgement.reasons;
    return {
      kind: 'denied',
      reason: () => t('Plan mode is on: only commands that read run. {0}', why?.() ?? ''),
    };
  }
  const listReasons = () => reasonsOf(line, whole, book, { rules, decided });
  const reasons = listReasons();
  const asks = (rule: Rule) =>
    rule.decision === 'ask' && !(line.isSandboxed && (!isOthers(rule) || rule.wantsSandbox));
  const asking = decided.filter(({ rule }) => asks(rule));
  const open = asking.filter(each => !(mayBeGranted(each) && isGranted(each.command.root)));
  const wholeAsks = rules.slice(decided.length).find(asks);
  if (reasons.length === 0 && open.length === 0 && !wholeAsks) return { kind: 'allowed' };
  const rule = [...open.map(each => each.rule), ...(wholeAsks ? [wholeAsks] : [])].find(isOthers);
  const isOpenAlone = reasons.length === 0 && !wholeAsks;
  const canLast = isOpenAlone && open.every(mayBeGranted);
  const unlimited = isOpenAlone
    ? open.find(each => !each.command.lasting && !isWritten(each.rule))
    : undefined;
  return {
    kind: 'asks',
    reason: () => [...new Set([...listReasons(), ...open.map(reasonOf)])].slice(0, 3).join(' '),
    rule,
    roots: canLast ? [...new Set(open.map(each => each.command.root))] : undefined,
    eachTime: unlimited && (() => whyEachTime(unlimited.command)),
    mayBeClassified: rule === undefined && mayBeClassified(line),
  };
}

/** For the card. */
export function listCommands({ commands }: CommandAnalysis): readonly AskedCommand[] {
  return commands.map(({ text, verdict, reason }) => ({ text: showHidden(text), verdict, reason: reason() }));
}

/**
 * Patterns over the arguments may be about the line as a whole, and commands that only read may write through what
 * stands around them; without any command, nothing else is left.
 */
function rulesOfWhole(book: RuleBook, whole: Matter, { commands, writes }: CommandAnalysis): readonly Rule[] {
  if (commands.length === 0) return [decide(book, whole)];
  const isMeant = ({ args, exceptReads, decision }: Rule) =>
    decision !== 'allow' && (args !== undefined || (exceptReads === true && writes.length > 0));
  const rules = book.rules.filter(isMeant);
  const rule = decide({ rules }, whole);
  return rules.includes(rule) ? [rule] : [];
}

/** Reasons to ask that no permission takes away. */
function reasonsOf(
  { command, analysis, demands, home, isSandboxed }: Line,
  { mode }: Matter,
  book: RuleBook,
  { rules, decided }: { readonly rules: readonly Rule[]; readonly decided: readonly Decided[] },
): readonly string[] {
  const unparsed = analysis.unparsed?.();
  const stern = [
    ...(hasHiddenText(command) ? [unparsed ?? t('It contains invisible characters.')] : []),
    ...analysis.commands
      .filter(each => isDestructive(each, home) || (!isSandboxed && evaluatesOutput(each)))
      .map(({ reason }) => reason()),
    ...demands
      .filter(({ kind, isHarmlessInSandbox }) => kind === 'stern' && !(isSandboxed && isHarmlessInSandbox))
      .map(({ reason }) => reason()),
    // A part that was not understood may hold something that a rule forbids.
    ...(unparsed !== undefined && book.rules.some(restrictsCommands) ? [unparsed] : []),
    ...decided
      .filter(({ possible }) => possible !== undefined)
      .map(({ command }) =>
        t('Folio cannot tell before it runs whether a rule applies to {0}.', command.text),
      ),
  ];
  if (mode === 'yolo') return [...new Set(stern)];
  const dangers = analysis.commands.filter(
    each => each.verdict === 'dangerous' && !(isSandboxed && changesOnlyShell(each)),
  );
  if (isSandboxed) return [...new Set([...stern, ...dangers.map(({ reason }) => reason())])];
  const redirects = rules.every(rule => rule.allowRedirection)
    ? []
    : analysis.writes.map(({ path }) => t('It writes to {0}.', path.text));
  return [
    ...new Set([
      ...stern,
      ...dangers.map(({ reason }) => reason()),
      ...(unparsed === undefined ? [] : [unparsed]),
      ...(analysis.commands.length === 0 ? [t('It contains no command.')] : []),
      ...demands.map(({ reason }) => reason()),
      ...analysis.doubts.map(say => say()),
      ...redirects,
      ...(analysis.background ? [t('It continues running in the background.')] : []),
    ]),
  ];
}

/**
 * True for builtins that only change the shell that runs them. That shell ends with the sandbox, and the commands that
 * it runs, as from `eval`, are classified separately.
 */
function changesOnlyShell({ words: [first] }: SubCommand): boolean {
  return first?.kind === 'plain' && /^(?:trap|alias|unalias|enable|eval)$/.test(first.value);
}

/** It runs whatever another command prints. */
function evaluatesOutput({ words: [first, ...args] }: SubCommand): boolean {
  return first?.kind === 'plain' && first.value === 'eval' && args.some(holdsSubstitution);
}

function restrictsCommands(rule: Rule): boolean {
  const isNarrow = rule.prefixes ?? rule.exceptPrefixes ?? rule.command ?? rule.args;
  return rule.tier !== 'default' && rule.decision !== 'allow' && isNarrow !== undefined;
}

interface Decided {
  readonly command: SubCommand;
  readonly rule: Rule;
  /** Forbids or asks, if the command becomes what it may become. */
  readonly possible?: Rule;
}

/** A user who wrote a rule that something asks is asked each time. */
function mayBeGranted({ command, rule }: Decided): boolean {
  return command.lasting && command.verdict !== 'dangerous' && !isWritten(rule);
}

function whyEachTime({ root }: SubCommand): string {
  return t(
    'Folio asks each time: it cannot limit a lasting permission to this use of {0}.',
    showHidden(root),
  );
}

export function isWritten({ tier }: Rule): boolean {
  return tier === 'user' || tier === 'admin';
}

function reasonOf({ command, rule }: Decided): string {
  if (isOthers(rule)) return rule.askMessage?.() ?? t('A rule requires you to confirm this.');
  return command.reason() || (rule.askMessage?.() ?? '');
}

function isOthers({ tier }: Rule): boolean {
  return tier !== 'default';
}

/**
 * A small model may answer an ask about this line in the user's place: nothing in it is dangerous, protected,
 * outside of the workspace, hidden or not understood.
 */
function mayBeClassified({ command, analysis, demands, home }: Line): boolean {
  const { commands, unparsed, doubts } = analysis;
  const isClear = unparsed === undefined && doubts.length === 0 && demands.length === 0;
  const isHarmful = (each: SubCommand) =>
    each.verdict === 'dangerous' || isDestructive(each, home) || reachesOut(each) || erases(each);
  return isClear && commands.length > 0 && !hasHiddenText(command) && !commands.some(isHarmful);
}

/** Its whole purpose is to talk to other machines. */
function reachesOut(command: SubCommand): boolean {
  return /^(?:curl|wget|aria2c|https?|xh|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|netcat|socat|mail|mailx|sendmail|mutt|ping|dig|nslookup|host)$/.test(
    nameOf(command),
  );
}

function erases(command: SubCommand): boolean {
  const name = nameOf(command);
  const deletes = command.words.some(word => word.text === '-delete');
  return name === 'truncate' || name === 'shred' || (name === 'find' && deletes);
}

function nameOf({ words: [first] }: SubCommand): string {
  return first?.kind === 'plain' ? (first.value.split(/[\\/]/).at(-1) ?? '').toLowerCase() : '';
}
