/* Formats a subagent's run: its task, one line per call, and its report, in a folded section. */

import { t } from '../../../protocol/language.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import { readAgentReport } from '../../../protocol/panel/reports.ts';
import { type AgentRun, type CallItem, newestChapter, type PromptItem } from '../../../protocol/state.ts';
import { defuseTags } from '../../base/untrusted.ts';
import { demoteHeadings, quoteBlock } from './markdownText.ts';
import { reportMarkdown } from './reportMarkdown.ts';
import { describeTotals } from './workTotals.ts';

/** Its own headings are placed below all of ours. */
const level = 6;

/** @param line formats a call */
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

/** Formats `generalist · 4 calls · 12,000 tokens · $0.02 · 1 min 4 s · gemini-2.5-pro`. */
function describeRun({ status }: CallItem, run: AgentRun, calls: number): string {
  const { usage, cost, unpriced, model } = run.session;
  const { files } = newestChapter(run.session);
  const activeMs = status.kind === 'ended' ? status.durationMs : 0;
  const facts = describeTotals({ files, calls, usage, cost, unpriced, activeMs });
  const { models = [model] } = promptOf(run)?.spent ?? {};
  return [run.name, facts, models.join(', ')].filter(fact => fact !== '').join(' · ');
}

/** Omits the call that returned the report, which is shown below the calls. */
function callsOf({ session }: AgentRun): readonly CallItem[] {
  return [...iterate(newestChapter(session).items)].filter(
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
  return [...iterate(newestChapter(session).items)].find(
    (item): item is PromptItem => item.type === 'prompt',
  );
}

function reportBlock({ status }: CallItem): string {
  const report = status.kind === 'ended' ? readAgentReport(status.display.detail) : undefined;
  if (!report) return '';
  const text = withinFold(reportMarkdown(report, level));
  return quoteBlock(`**${t('Report')}**\n\n${text === '' ? `*${t('It is empty.')}*` : text}`);
}

/** Prevents text from closing the section or opening another. */
function withinFold(text: string): string {
  return defuseTags(defuseTags(text, 'details'), 'summary');
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
