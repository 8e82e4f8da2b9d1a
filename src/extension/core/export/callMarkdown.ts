import type { FileDiff } from '../../../protocol/asks.ts';
import type { Display, OutcomeKind } from '../../../protocol/events.ts';
import { undoneWord } from '../../../protocol/fold/fileCounts.ts';
import { plural, t } from '../../../protocol/language.ts';
import type { CallItem } from '../../../protocol/state.ts';
import type { Todo } from '../../../protocol/values.ts';
import { describeClassified } from '../../../protocol/words/askWords.ts';
import { agentMarkdown } from './agentMarkdown.ts';
import { codeSpan, escapeInline, fenceBlock, indent } from './markdownText.ts';
import { describeDuration } from './workTotals.ts';

/** Its calls appear as headings of the document. */
const topicTool = 'create_new_topic';

/** Formats a call as a list item: title and outcome, output of commands, diff of edits. */
export function callMarkdown(call: CallItem): string | undefined {
  const { status, tool, agent } = call;
  const isOver = status.kind === 'ended';
  if (tool === topicTool && isOver && status.outcome === 'ok') return undefined;
  const line = callLine(call);
  const block = agent ? agentMarkdown(call, agent, callLine) : isOver ? detailBlock(status.display) : '';
  return block === '' ? line : `${line}\n\n${indent(block)}\n`;
}

function callLine(call: CallItem): string {
  const { status } = call;
  if (status.kind === 'asking')
    return `- ? ${titleOf(call)} · ${t('waits for your decision: {0}', escapeInline(status.ask.reason))}`;
  if (status.kind !== 'ended') return `- … ${titleOf(call)} · ${t('not finished')}`;
  const { outcome, display, durationMs } = status;
  const facts = [
    outcome !== 'ok' && outcomes[outcome](),
    escapeInline(display.summary) || false,
    call.judged?.answer === 'allow' && escapeInline(describeClassified(call.judged)),
    outcome === 'denied' && call.decided?.reason && escapeInline(call.decided.reason),
    call.effect === 'run' && durationMs >= 1000 && describeDuration(durationMs),
    undoneWord(call) || false,
  ].filter(fact => typeof fact === 'string');
  return `- ${marks[outcome]} ${[titleOf(call), ...facts].join(' · ')}`;
}

const outcomes = {
  failed: () => t('failed'),
  denied: () => t('denied'),
  cancelled: () => t('cancelled'),
} as const;

const marks: Readonly<Record<OutcomeKind, string>> = { ok: '✓', failed: '✗', denied: '⊘', cancelled: '■' };

/** Formats the command as code, other titles as text. */
function titleOf({ title: english, said: title = english, args }: CallItem): string {
  const { command } = args;
  if (typeof command !== 'string' || !title.includes(command)) return escapeInline(title);
  const [before = '', ...after] = title.split(command);
  return [escapeInline(before), codeSpan(command), escapeInline(after.join(command))]
    .filter(part => part !== '')
    .join(' ');
}

function detailBlock({ detail }: Display): string {
  switch (detail?.kind) {
    case 'command':
      return detail.output.trim() === '' ? '' : fenceBlock(detail.output);
    case 'diff':
      return fenceBlock(diffText(detail.diff), 'diff');
    case 'todos':
      return detail.todos.map(todoLine).join('\n');
    // Shown in the section of the subagent.
    case 'report':
    case 'text':
    case undefined:
      return '';
  }
}

function todoLine({ description, status }: Todo): string {
  const done = status === 'completed';
  const word = status === 'completed' || status === 'pending' ? '' : ` (${todoWords[status]()})`;
  return `- [${done ? 'x' : ' '}] ${escapeInline(description)}${word}`;
}

const todoWords = {
  in_progress: () => t('in progress'),
  cancelled: () => t('cancelled'),
  blocked: () => t('blocked'),
} as const;

/** Formats like `git diff`. */
export function diffText({ path, change, hunks, hiddenLines }: FileDiff): string {
  const lines = [
    `--- ${change === 'created' ? '/dev/null' : `a/${path}`}`,
    `+++ ${change === 'deleted' ? '/dev/null' : `b/${path}`}`,
  ];
  for (const { oldStart, newStart, lines: changed } of hunks) {
    const count = (without: 'added' | 'removed') => changed.filter(({ kind }) => kind !== without).length;
    lines.push(`@@ -${oldStart},${count('added')} +${newStart},${count('removed')} @@`);
    lines.push(...changed.map(({ kind, text }) => `${signs[kind]}${text}`));
  }
  if (hiddenLines > 0) lines.push(`… ${plural(hiddenLines, 'one: {0} more line | other: {0} more lines')}`);
  return lines.join('\n');
}

const signs = { context: ' ', added: '+', removed: '-' } as const;
