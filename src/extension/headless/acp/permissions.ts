/* Converts asks to permission requests, and responses to decisions. Offers the same options as the panel. */

import { resolve } from 'node:path';
import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import type { Ask } from '../../../protocol/asks.ts';
import { acceptLabels, describeChoice } from '../../../protocol/words/askWords.ts';
import { choicesOf } from '../../../protocol/words/choices.ts';
import { modeWords } from '../../../protocol/words/modeWords.ts';
import type { Decision } from '../../core/calls/approvals.ts';
import {
  type CallFacts,
  describeCallStart,
  diffContent,
  fencedContent,
  type StartedCall,
  textContent,
} from './callUpdates.ts';

/** An option with the decision that it means. */
interface Choice {
  readonly option: PermissionOption;
  readonly decision: Decision;
}

interface AskedCall {
  readonly callId: string;
  /** The call as requested, if known. */
  readonly call: StartedCall | undefined;
  readonly ask: Ask;
}

export function describeAsk(asked: AskedCall, view: CallFacts): Omit<RequestPermissionRequest, 'sessionId'> {
  const { callId, call, ask } = asked;
  // A client may show only the question, so it also contains the description of the call.
  const { title = ask.reason, kind, content: described } = call ? describeCallStart(call, view) : {};
  const content = [...reasonsOf(ask), ...subjectOf(asked, view), ...(described ?? [])];
  return {
    toolCall: { toolCallId: callId, title, kind, status: 'pending', content },
    options: optionsOf(ask).map(({ option }) => option),
  };
}

/** The decision holds only for this ask. An option that was not offered counts as cancelled. */
export function decisionOf(ask: Ask, outcome: RequestPermissionOutcome): Decision {
  const { id: askId } = ask;
  if (outcome.outcome === 'cancelled') return { kind: 'deny', reason: unanswered, askId };
  const chosen = optionsOf(ask).find(({ option }) => option.optionId === outcome.optionId);
  if (!chosen) return { kind: 'deny', reason: notOffered, askId };
  return { ...chosen.decision, askId };
}

const unanswered = 'The question was closed without an answer.';
const notOffered = 'The answer was none of those that were offered.';

function optionsOf(ask: Ask): readonly Choice[] {
  return ask.subject.kind === 'plan' ? planChoices : [allowOnce(ask), ...lasting(ask), deny];
}

const deny: Choice = {
  option: { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
  decision: { kind: 'deny' },
};

const planChoices: readonly Choice[] = [
  {
    option: { optionId: 'approve', name: 'Approve, and ask before each edit', kind: 'allow_once' },
    decision: { kind: 'plan', mode: 'default' },
  },
  {
    option: { optionId: 'approve.autoEdit', name: 'Approve, and edit without asking', kind: 'allow_always' },
    decision: { kind: 'plan', mode: 'autoEdit' },
  },
  {
    option: { optionId: 'deny', name: 'Send back', kind: 'reject_once' },
    decision: { kind: 'deny' },
  },
];

function allowOnce({ subject, commands = [] }: Ask): Choice {
  const verb = acceptLabels()[subject.kind];
  const name = commands.some(({ verdict }) => verdict === 'dangerous') ? `${verb} anyway` : verb;
  return { option: { optionId: 'once', name, kind: 'allow_once' }, decision: { kind: 'once' } };
}

function lasting(ask: Ask): readonly Choice[] {
  return choicesOf(ask).map(choice => ({
    option: {
      optionId: `always.${choice.id}`,
      name: describeChoice(choice),
      kind: choice.scope === 'once' ? 'allow_once' : 'allow_always',
    },
    decision: { kind: 'always', choice: choice.id },
  }));
}

function reasonsOf({ reason, rule, eachTime, commands = [] }: Ask): readonly ToolCallContent[] {
  const listed = commands.length > 1 ? commands : [];
  // Omits reasons that are already shown next to their command.
  const rest = listed.reduce((left, each) => left.replaceAll(each.reason, ''), reason).trim();
  const lines = [
    rest,
    rule ?? '',
    eachTime ?? '',
    ...listed.map(each => `- \`${each.text}\`: ${each.reason}`),
  ].filter(Boolean);
  return lines.length === 0 ? [] : [textContent(lines.join('\n'))];
}

function subjectOf({ callId, ask: { subject } }: AskedCall, view: CallFacts): readonly ToolCallContent[] {
  switch (subject.kind) {
    case 'edit':
      return diffContent(callId, subject.diff, view);
    case 'command':
      return [
        fencedContent(subject.command, 'sh'),
        textContent(
          `In ${resolve(view.cwd, subject.cwd)}${subject.background ? ', in the background' : ''}.${subject.walls ? ` It runs ${subject.walls}.` : ''}`,
        ),
      ];
    case 'connect':
      return [fencedContent(subject.command, 'sh'), textContent(`Connect to:\n${subject.hosts.join('\n')}`)];
    case 'fetch':
      return [textContent(subject.urls.join('\n'))];
    case 'read':
      return [textContent(subject.paths.join('\n'))];
    case 'plan':
      return [textContent(subject.text), textContent(`The plan stands in ${subject.path}.`)];
    case 'mode':
      return [
        textContent(
          `Mode: ${modeWords().find(({ value }) => value === subject.mode)?.label ?? subject.mode}`,
        ),
      ];
    case 'questions':
      return [textContent(subject.questions.map(({ text }) => text).join('\n\n'))];
    case 'other':
      return [textContent(subject.detail)];
  }
}
