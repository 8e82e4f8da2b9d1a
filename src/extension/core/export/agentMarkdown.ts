/* A subagent in a document: what it was sent out for, its calls in a line each, what it handed in. Folded. */

import { t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pages.ts';
import { readAgentReport } from '../../../protocol/panel/reports.ts';
import { type AgentRun, type CallItem, liveChapter, type PromptItem } from '../../../protocol/state.ts';
import { withoutTags } from '../../base/untrusted.ts';
import { demoteHeadings, quoteBlock } from './markdownText.ts';
import { reportMarkdown } from './reportMarkdown.ts';
import { describeTotals } from './workTotals.ts';

/** Headings of what it wrote go below all of ours. */
const level = 6;

/** @param line of a call */
export function agentMarkdown(call: CallItem, run: AgentRun, line: (call: CallItem) => string): string {
  const calls = callsOf(run);
  return [
    `<details>\n<summary>${escapeHtml(describeRun(call, run, calls.length))}</summary>`,
    taskBlock(call, run),
    calls.map(line).join('\n'),
    reportBlock(call),
    '</details>',
  ]
    .filter(block => block !== '')
    .join('\n\n');
}

/** `generalist · 4 calls · 12,000 tokens · $0.02 · 1 min 4 s · gemini-2.5-pro`. */
function describeRun({ status }: CallItem, run: AgentRun, calls: number): string {
  const { usage, cost, unpriced, model } = run.session;
  const { files } = liveChapter(run.session);
  const activeMs = status.kind === 'ended' ? status.durationMs : 0;
  const facts = describeTotals({ files, calls, usage, cost, unpriced, activeMs });
  const { models = [model] } = promptOf(run)?.spent ?? {};
  return [run.name, facts, models.join(', ')].filter(fact => fact !== '').join(' · ');
}

/** The report stands below the calls, so the call that handed it in has no line of its own. */
function callsOf({ session }: AgentRun): readonly CallItem[] {
  return [...iterate(liveChapter(session).items)].filter(
    (item): item is CallItem =>
      item.type === 'call' &&
      !(item.tool === 'complete_task' && item.status.kind === 'ended' && item.status.outcome === 'ok'),
  );
}

function taskBlock({ args }: CallItem, run: AgentRun): string {
  const task = promptOf(run)?.text ?? String(args.prompt ?? '');
  return quoteBlock(`**${t('Task')}**\n\n${withinFold(demoteHeadings(task, level))}`);
}

function promptOf({ session }: AgentRun): PromptItem | undefined {
  return [...iterate(liveChapter(session).items)].find((item): item is PromptItem => item.type === 'prompt');
}

function reportBlock({ status }: CallItem): string {
  const report = status.kind === 'ended' ? readAgentReport(status.display.detail) : undefined;
  if (!report) return '';
  const text = withinFold(reportMarkdown(report, level));
  return quoteBlock(`**${t('Report')}**\n\n${text === '' ? `*${t('It is empty.')}*` : text}`);
}

/** Nothing in it ends the section or opens another. */
function withinFold(text: string): string {
  return withoutTags(withoutTags(text, 'details'), 'summary');
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
