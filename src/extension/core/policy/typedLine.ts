/*
 * Classifies a line that the model types into a running shell, both as an answer to a program and as a command; the
 * stricter verdict counts. An incomplete line, or one that the shell would change, asks in every mode.
 */

import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { hasInvisibleText } from '../../base/hiddenText.ts';
import type { CommandAnalysis } from '../../shell/classify/analysis.ts';
import type { CallTarget } from '../tool.ts';
import { type CommandLine, classifyLine, type LineVerdict, toAskedCommands } from './classifyCommand.ts';
import { classifyCommandFiles } from './classifyCommandFiles.ts';
import { type CommandRuleInput, makeCommandRuleInput } from './commandMatch.ts';
import type { Rule, RuleInput } from './rule.ts';
import { findRule, type RuleBook } from './ruleBook.ts';
import { denied, type Verdict } from './verdict.ts';
import type { PathGate } from './workspaceScan.ts';

interface Environment {
  readonly analyse: (command: string) => Promise<CommandAnalysis>;
  readonly gate: PathGate;
  /** The absolute folder that `~` stands for. */
  readonly home: string;
}

/** Aliases and functions of the shell are unknown, so lasting permissions do not count. */
export async function classifyTyping(
  { text: command, cwd }: Extract<CallTarget, { kind: 'typed' }>,
  book: RuleBook,
  { analyse, gate, home }: Environment,
  ruleInputOf: (command: string, part?: CommandRuleInput) => RuleInput,
): Promise<Verdict> {
  const analysis = await analyse(command);
  const demands = await classifyCommandFiles(analysis, { gate, cwd, home, connects: true });
  const line = { command, analysis, demands, home, isSandboxed: false };
  return verdictOf(
    line,
    classifyLine(line, book, ruleInputOf, () => false),
  );
}

/** Only an administrator can forbid a command that the user typed. As in a terminal, it runs without a sandbox. */
export function classifyUserCommand(
  { commands }: CommandAnalysis,
  { rules }: RuleBook,
  ruleInputOf: (command: string, part?: CommandRuleInput) => RuleInput,
): Verdict {
  const book = { rules: rules.filter(({ tier }) => tier === 'admin') };
  const deciding = commands.map(each => findRule(book, ruleInputOf(each.text, makeCommandRuleInput(each))));
  const rule = deciding.find(({ decision }) => decision === 'deny');
  return rule ? denied(denialOf(rule, 'run_shell_command')) : { kind: 'allow' };
}

function verdictOf({ command, analysis }: CommandLine, verdict: LineVerdict): Verdict {
  if (verdict.kind === 'denied')
    return denied(
      verdict.rule ? denialOf(verdict.rule, 'send_input') : (verdict.reason ?? (() => t('It is refused.'))),
    );
  const unclear = analysis.unparsed ?? findUnclear(command);
  const reasons = [unclear, verdict.kind === 'asks' ? verdict.reason : undefined].filter(say => say?.());
  if (reasons.length === 0) return { kind: 'allow' };
  const reason = () => reasons.map(say => say?.()).join(' ');
  const rule = verdict.kind === 'asks' ? verdict.rule && explainAsk(verdict.rule) : undefined;
  return { kind: 'ask', reason, rule, commands: toAskedCommands(analysis), always: [] };
}

/** If both ask, both reasons are shown. */
export function stricterVerdict(answer: Verdict, line: Verdict): Verdict {
  if (answer.kind === 'deny' || line.kind === 'allow') return answer;
  if (line.kind === 'deny' || answer.kind === 'allow') return line;
  const reason = () => [...new Set([line.reason(), answer.reason()])].join(' ');
  return { ...line, reason, rule: answer.rule ?? line.rule };
}

function findUnclear(text: string): LocalizedMessage | undefined {
  if (/\t/.test(text) || hasInvisibleText(text)) return () => t('It sends keys that edit the command line.');
  if (/\\$/.test(text)) return () => t('The line continues after its end.');
  if (/![^\s=]|^\^/.test(text)) return () => t('The shell may put earlier commands in it.');
  return undefined;
}

export function denialOf({ denyMessage, tier, origin }: Rule, tool: string): LocalizedMessage {
  const say = denyMessage ?? (() => t('A rule forbids this use of {0}.', tool));
  return tier === 'default' ? say : () => `${say()} (${origin()})`;
}

/** Names the rule that asks; `undefined` for a default rule. */
export function explainAsk({ tier, origin }: Rule): string | undefined {
  return tier === 'default' ? undefined : t('A rule asks: {0}.', origin());
}
