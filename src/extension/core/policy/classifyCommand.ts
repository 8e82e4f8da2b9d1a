/*
 * Classifies a command line, command by command:
 *
 * 1. denies what the analysis refuses, and the line if a rule denies any of its commands
 * 2. asks about what no rule can allow: dangers, hidden characters, secrets, unparsed parts
 * 3. asks if a rule asks about any command, and allows the line if all commands are allowed
 *
 * A sandboxed command does not ask about what the sandbox prevents; dangers and written rules still ask. If it asks
 * only because the program is unknown, a small model may be asked first. In the mode that allows all, step 2 shrinks to
 * destructive commands, hidden characters and secrets.
 */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import type { AskedCommand } from '../../../protocol/permissions.ts';
import { escapeInvisibleText, hasInvisibleText } from '../../base/hiddenText.ts';
import { isDevicePath } from '../../platform/fileSystem.ts';
import {
  type AnalysedCommand,
  type CommandAnalysis,
  classifyCommandLine,
  hasSubstitution,
} from '../../shell/classify/analysis.ts';
import type { FileAccessVerdict } from './classifyCommandFiles.ts';
import { type CommandRuleInput, makeCommandRuleInput } from './commandMatch.ts';
import type { Rule, RuleInput } from './rule.ts';
import { findPossibleRule, findRule, type RuleBook } from './ruleBook.ts';

export type LineVerdict =
  | { readonly kind: 'denied'; readonly reason?: LocalizedMessage; readonly rule?: Rule }
  | { readonly kind: 'allowed' }
  /**
   * `roots`: commands that lasting permissions would name; undefined: none would help. `eachTime`: why not, if `reason`
   * does not say so. `mayBeClassified`: a small model may answer for the user.
   */
  | {
      readonly kind: 'asks';
      readonly reason: LocalizedMessage;
      readonly rule?: Rule;
      readonly roots?: readonly string[];
      readonly eachTime?: LocalizedMessage;
      readonly mayBeClassified: boolean;
    };

/** A shell command line with the facts known before rules apply. */
export interface CommandLine {
  readonly command: string;
  readonly analysis: CommandAnalysis;
  /** The absolute folder that `~` stands for. */
  readonly home: string;
  /** Demands of the files that it accesses. */
  readonly demands: readonly FileAccessVerdict[];
  /** The system's sandbox protects from harm, so that default rules need not ask. */
  readonly isSandboxed: boolean;
}

/** @param isGranted tells whether a lasting permission names this root */
export function classifyLine(
  line: CommandLine,
  book: RuleBook,
  ruleInputOf: (command: string, part?: CommandRuleInput) => RuleInput,
  isGranted: (root: string) => boolean,
): LineVerdict {
  const { command, analysis, demands } = line;
  if (analysis.refused !== undefined) return { kind: 'denied', reason: analysis.refused };
  const whole = ruleInputOf(command);
  const decided = analysis.commands.map((command): Decided => {
    const ruleInput = ruleInputOf(command.text, makeCommandRuleInput(command));
    return { command, rule: findRule(book, ruleInput), possible: findPossibleRule(book, ruleInput) };
  });
  const rules = [...decided.map(({ rule }) => rule), ...rulesOfWhole(book, whole, analysis)];
  const denying = rules.find(rule => rule.decision === 'deny');
  if (denying) return { kind: 'denied', rule: denying };
  const denied = demands.find(demand => demand.kind === 'denied');
  if (denied) return { kind: 'denied', reason: denied.reason };
  const judgement = classifyCommandLine(analysis);
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
    ? open.find(each => !each.command.lasting && !isFromUserOrAdmin(each.rule))
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

export function toAskedCommands({ commands }: CommandAnalysis): readonly AskedCommand[] {
  return commands.map(({ text, verdict, reason }) => ({
    text: escapeInvisibleText(text),
    verdict,
    reason: reason(),
  }));
}

/**
 * Selects rules for the line as a whole. Patterns over arguments may mean the whole line, and commands that only read
 * may write through redirections. A line without any command has only these rules.
 */
function rulesOfWhole(
  book: RuleBook,
  whole: RuleInput,
  { commands, writes }: CommandAnalysis,
): readonly Rule[] {
  if (commands.length === 0) return [findRule(book, whole)];
  const isMeant = ({ args, exceptReads, decision }: Rule) =>
    decision !== 'allow' && (args !== undefined || (exceptReads === true && writes.length > 0));
  const rules = book.rules.filter(isMeant);
  const rule = findRule({ rules }, whole);
  return rules.includes(rule) ? [rule] : [];
}

/** Collects reasons to ask that no permission removes. */
function reasonsOf(
  { command, analysis, demands, home, isSandboxed }: CommandLine,
  { mode }: RuleInput,
  book: RuleBook,
  { rules, decided }: { readonly rules: readonly Rule[]; readonly decided: readonly Decided[] },
): readonly string[] {
  const unparsed = analysis.unparsed?.();
  const stern = [
    ...(hasInvisibleText(command) ? [unparsed ?? t('It contains invisible characters.')] : []),
    ...analysis.commands
      .filter(each => isDestructive(each, home) || (!isSandboxed && evaluatesOutput(each)))
      .map(({ reason }) => reason()),
    ...demands
      .filter(({ kind, isHarmlessInSandbox }) => kind === 'stern' && !(isSandboxed && isHarmlessInSandbox))
      .map(({ reason }) => reason()),
    // An unparsed part may contain something that a rule forbids.
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
function changesOnlyShell({ words: [first] }: AnalysedCommand): boolean {
  return first?.kind === 'plain' && /^(?:trap|alias|unalias|enable|eval)$/.test(first.value);
}

/** True if `eval` runs the output of another command. */
function evaluatesOutput({ words: [first, ...args] }: AnalysedCommand): boolean {
  return first?.kind === 'plain' && first.value === 'eval' && args.some(hasSubstitution);
}

function restrictsCommands(rule: Rule): boolean {
  const isNarrow = rule.prefixes ?? rule.exceptPrefixes ?? rule.command ?? rule.args;
  return rule.tier !== 'default' && rule.decision !== 'allow' && isNarrow !== undefined;
}

interface Decided {
  readonly command: AnalysedCommand;
  readonly rule: Rule;
  /** A rule that denies or asks, if the command turns out at run time to match it. */
  readonly possible?: Rule;
}

/** False under a rule of the user, so that it asks each time. */
function mayBeGranted({ command, rule }: Decided): boolean {
  return command.lasting && command.verdict !== 'dangerous' && !isFromUserOrAdmin(rule);
}

function whyEachTime({ root }: AnalysedCommand): string {
  return t(
    'Folio asks each time: it cannot limit a lasting permission to this use of {0}.',
    escapeInvisibleText(root),
  );
}

export function isFromUserOrAdmin({ tier }: Rule): boolean {
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
 * True if a small model may answer for the user: nothing is dangerous, protected, hidden, unparsed or outside the
 * workspace.
 */
function mayBeClassified({ command, analysis, demands, home }: CommandLine): boolean {
  const { commands, unparsed, doubts } = analysis;
  const isClear = unparsed === undefined && doubts.length === 0 && demands.length === 0;
  const isHarmful = (each: AnalysedCommand) =>
    each.verdict === 'dangerous' || isDestructive(each, home) || reachesOut(each) || erases(each);
  return isClear && commands.length > 0 && !hasInvisibleText(command) && !commands.some(isHarmful);
}

/** True for programs whose purpose is to talk to other machines. */
function reachesOut(command: AnalysedCommand): boolean {
  return /^(?:curl|wget|aria2c|https?|xh|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|netcat|socat|mail|mailx|sendmail|mutt|ping|dig|nslookup|host)$/.test(
    nameOf(command),
  );
}

function erases(command: AnalysedCommand): boolean {
  const name = nameOf(command);
  const deletes = command.words.some(word => word.text === '-delete');
  return name === 'truncate' || name === 'shred' || (name === 'find' && deletes);
}

function nameOf({ words: [first] }: AnalysedCommand): string {
  return first?.kind === 'plain' ? (first.value.split(/[\\/]/).at(-1) ?? '').toLowerCase() : '';
}

/**
 * Detects commands that ask even in the mode that allows everything: they erase a disk, the home folder or the system,
 * or halt the machine, irreversibly.
 * @param home absolute; the analysis substitutes it for `~`
 */
function isDestructive(command: AnalysedCommand, home: string): boolean {
  const [first, ...rest] = command.words;
  const name = first?.kind === 'plain' ? (first.value.split('/').at(-1) ?? '') : '';
  const words = rest.map(word => (word.kind === 'unknown' ? word.text.replace(/["']/g, '') : word.value));
  if (/^(?:mkfs(?:\..+)?|mke2fs|wipefs|fdisk|sfdisk|parted|blkdiscard)$/.test(name)) return true;
  if (name === 'dd') return words.some(word => isDisk(word.replace(/^of=/, '')) && word.startsWith('of='));
  if (name === 'shred' || name === 'tee' || name === 'cp') return words.some(isDisk);
  if (isForkBomb(command.text)) return true;
  if (command.text.startsWith('>')) return command.paths.some(({ text }) => isDisk(text));
  const isAll = (word: string) =>
    everything.test(word.startsWith(home) ? `~${word.slice(home.length)}` : word);
  const isWhole = words.some(isAll);
  if (name === 'rm') return isWhole && words.some(isRecursive);
  if (name === 'chmod' || name === 'chown') return isWhole && words.some(isRecursive);
  if (name === 'find') return isAll(words[0] ?? '') && words.includes('-delete');
  return (
    /^(?:format-volume|clear-disk)$/i.test(name) || (isWhole && /^(?:remove-item|ri|del|rd)$/i.test(name))
  );
}

/** The root, the home folder, and their direct children. */
const everything =
  /^(?:\/+|~|\$\{?HOME\}?|\/(?:bin|boot|dev|etc|home|lib|opt|root|sbin|usr|var|users|system|library)|[a-z]:[\\/]?)(?:[\\/]+\.?\*{0,2})?$|^\/\*$/i;

function isRecursive(word: string): boolean {
  return /^-[a-z]*r|^--recursive$/i.test(word);
}

function isDisk(word: string): boolean {
  return isDevicePath(word) && /^\/dev\/(?!null|zero|tty|stdout|stderr|stdin|u?random|fd\/|pts\/)/.test(word);
}

/** Matches `:(){ :|:& };:` under any name. */
function isForkBomb(text: string): boolean {
  return /^([\w:.]+)\(\)\{\1\|\1&\}?;?\}?/.test(text.replace(/\s/g, ''));
}
