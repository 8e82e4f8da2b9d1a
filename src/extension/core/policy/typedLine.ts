/*
 * A line that the model types into a shell which runs already. It is classified as an answer to a program and as a
 * command, and the stricter counts. What is not whole, or changes when the shell reads it, is asked about in every
 * mode.
 */

import { type Saying, t } from '../../../protocol/language.ts';
import { hasHiddenText } from '../../base/hiddenText.ts';
import type { CommandAnalysis } from '../../shell/classify/analysis.ts';
import type { CallTarget } from '../tool.ts';
import { classifyLine, type Line, type LineVerdict, listCommands } from './classifyCommand.ts';
import { classifyCommandFiles } from './classifyCommandFiles.ts';
import { type CommandMatter, makeCommandMatter } from './commandMatch.ts';
import type { Matter, Rule } from './rule.ts';
import { decide, type RuleBook } from './ruleBook.ts';
import { deny, type Verdict } from './verdict.ts';
import type { DiskGate } from './workspaceScan.ts';

interface Environment {
  readonly analyse: (command: string) => Promise<CommandAnalysis>;
  readonly gate: DiskGate;
  /** The absolute folder that `~` stands for. */
  readonly home: string;
}

/** Nobody knows what the shell's words mean by now, so no lasting permission counts. */
export async function classifyTypedLine(
  { text: command, cwd }: Extract<CallTarget, { kind: 'typed' }>,
  book: RuleBook,
  { analyse, gate, home }: Environment,
  matterOf: (command: string, part?: CommandMatter) => Matter,
): Promise<Verdict> {
  const analysis = await analyse(command);
  const demands = await classifyCommandFiles(analysis, { gate, cwd, home, connects: true });
  const line = { command, analysis, demands, home, isSandboxed: false };
  return verdictOf(
    line,
    classifyLine(line, book, matterOf, () => false),
  );
}

/** Only an administrator forbids what the user typed from the prompt, and no sandbox holds it, as in a terminal. */
export function classifyUsersLine(
  { commands }: CommandAnalysis,
  { rules }: RuleBook,
  matterOf: (command: string, part?: CommandMatter) => Matter,
): Verdict {
  const book = { rules: rules.filter(({ tier }) => tier === 'admin') };
  const deciding = commands.map(each => decide(book, matterOf(each.text, makeCommandMatter(each))));
  const rule = deciding.find(({ decision }) => decision === 'deny');
  return rule ? deny(denialOf(rule, 'run_shell_command')) : { kind: 'allow' };
}

function verdictOf({ command, analysis }: Line, verdict: LineVerdict): Verdict {
  if (verdict.kind === 'denied')
    return deny(
      verdict.rule ? denialOf(verdict.rule, 'send_input') : (verdict.reason ?? (() => t('It is refused.'))),
    );
  const unclear = analysis.unparsed ?? findUnclear(command);
  const reasons = [unclear, verdict.kind === 'asks' ? verdict.reason : undefined].filter(say => say?.());
  if (reasons.length === 0) return { kind: 'allow' };
  const reason = () => reasons.map(say => say?.()).join(' ');
  const rule = verdict.kind === 'asks' ? verdict.rule && explain(verdict.rule) : undefined;
  return { kind: 'ask', reason, rule, commands: listCommands(analysis), always: [] };
}

/** Both ask: both reasons are seen. */
export function stricter(answer: Verdict, line: Verdict): Verdict {
  if (answer.kind === 'deny' || line.kind === 'allow') return answer;
  if (line.kind === 'deny' || answer.kind === 'allow') return line;
  const reason = () => [...new Set([line.reason(), answer.reason()])].join(' ');
  return { ...line, reason, rule: answer.rule ?? line.rule };
}

function findUnclear(text: string): Saying | undefined {
  if (/\t/.test(text) || hasHiddenText(text)) return () => t('It sends keys that edit the command line.');
  if (/\\$/.test(text)) return () => t('The line continues after its end.');
  if (/![^\s=]|^\^/.test(text)) return () => t('The shell may put earlier commands in it.');
  return undefined;
}

export function denialOf({ denyMessage, tier, origin }: Rule, tool: string): Saying {
  const say = denyMessage ?? (() => t('A rule forbids this use of {0}.', tool));
  return tier === 'default' ? say : () => `${say()} (${origin()})`;
}

export function explain({ tier, origin }: Rule): string | undefined {
  return tier === 'default' ? undefined : t('A rule asks: {0}.', origin());
}
