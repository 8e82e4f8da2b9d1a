/* How a subagent's work ended, and the messages about it. */

import type { Message, TurnEnd } from '../../../protocol/events.ts';
import { type LocalizedMessage, plural, t } from '../../../protocol/language.ts';
import type { Failure, SubagentReport } from '../../../protocol/values.ts';
import { formatNumber } from '../../../protocol/words/numbers.ts';
import { cutMiddle } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { makeFailure } from '../failure.ts';
import { callsOf, textOf } from '../history/history.ts';
import type { AgentDefinition } from './agentDefinition.ts';

export type AgentEnd =
  | {
      readonly kind: 'reported';
      readonly report: SubagentReport;
      readonly steps: number;
      readonly calls: number;
      /** It is not done: the report is a question, or a request to sign in. */
      readonly waitsFor?: 'answer' | 'login';
    }
  /** `why`: for the caller. `shown`: for the user. `found`: what the agent had written. */
  | {
      readonly kind: 'unfinished';
      readonly why: string;
      readonly shown: LocalizedMessage;
      readonly found: string;
    };

/** Why an agent gets one more step to report. */
export type MissingReportCause = 'rested' | 'steps' | 'time';

/** Characters of the agent's text that replace a missing report. */
const foundLimit = 12_000;

/** An agent's context cannot be compressed by hand, but its caller can ask for less. */
export function agentTooLargeFailure(tokens: number, limit: number): Failure {
  return makeFailure('tooLarge', () => {
    return t(
      "It read too much: its next request would have about {0} tokens, and the model's limit is {1}. Give it a smaller task.",
      formatNumber(tokens),
      formatNumber(limit),
    );
  });
}

export function finalReportPrompt(lack: MissingReportCause): string {
  const why = {
    rested: 'You stopped without handing in a report.',
    steps: 'You have used up your steps.',
    time: 'Your time is up.',
  }[lack];
  return `[${why} Call \`complete_task\` now, with all you have found and what is still open. This is your last answer; no other tool works any more.]`;
}

/** Returns the end of an agent's turn that has no report even then. */
export function endWithoutReport(lack: MissingReportCause, { maxTurns, maxMs }: AgentDefinition): TurnEnd {
  switch (lack) {
    case 'rested':
      return { kind: 'failed', trouble: makeFailure('unfinished', () => t('It stopped without a report.')) };
    case 'steps':
      return budgetEnd('steps', maxTurns);
    case 'time':
      return budgetEnd('time', maxMs);
  }
}

function budgetEnd(kind: 'steps' | 'time', limit: number): TurnEnd {
  return { kind: 'budget', budget: { kind, scope: 'turn', limit, used: limit } };
}

export function describeMissingReport(
  lack: MissingReportCause,
  { maxTurns, maxMs }: AgentDefinition,
): string {
  switch (lack) {
    case 'rested':
      return t('It stopped without one.');
    case 'steps':
      return plural(maxTurns, 'one: It used up its {0} step. | other: It used up its {0} steps.');
    case 'time':
      return plural(
        Math.round(maxMs / 6_000) / 10,
        'one: Its time of {0} minute was up. | other: Its time of {0} minutes was up.',
      );
  }
}

/** Returns everything that an agent wrote, the newest last, including invalid reports. */
export function collectAgentTexts(messages: readonly Message[]): string {
  const texts = messages
    .filter(({ role }) => role === 'model')
    .map(message =>
      [textOf(message).trim(), ...callsOf(message).flatMap(triedReport)].filter(Boolean).join('\n'),
    );
  return cutMiddle(texts.filter(Boolean).join('\n\n'), foundLimit);
}

function triedReport({ name, args }: { name: string; args: SubagentReport }): readonly string[] {
  return name === 'complete_task' ? [JSON.stringify(args)] : [];
}

export function describeUnfinished(
  name: string,
  { why, found }: Extract<AgentEnd, { kind: 'unfinished' }>,
): string {
  const rest =
    found === ''
      ? 'It had said nothing yet.'
      : `What it had said until then:\n${wrapUntrusted('untrusted_output', found)}`;
  return `${name} handed in no report. ${why} ${rest}`;
}

export function formatStepsAndCalls({ steps, calls }: Extract<AgentEnd, { kind: 'reported' }>): string {
  return [
    plural(steps, 'one: {0} step | other: {0} steps'),
    plural(calls, 'one: {0} call | other: {0} calls'),
  ].join(', ');
}
