/* Describes the work of a subagent, a session with one chapter, for its card. */

import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pagedList.ts';
import type { PanelAgent, PanelCall, PanelItem } from '../../protocol/panel/panelState.ts';
import { readAgentReport } from '../../protocol/panel/reports.ts';
import { newestChapter } from '../../protocol/state.ts';
import type { SubagentReport } from '../../protocol/values.ts';
import { isQuietHook } from '../hooks/hookWords.ts';
import { type Row, rowsOf } from '../transcript/rows/rows.ts';
import { formatDuration } from '../ui/format.ts';
import { spendingFacts } from '../ui/totals.ts';

/** Returns true for a script that calls tools, whose work is shown like that of an agent. */
export function isScript({ tool }: PanelCall): boolean {
  return tool === 'run_tool_script';
}

/** Returns the first line of the task, which tells parallel agents apart. */
export function taskOf({ args, title }: PanelCall): string {
  const given = args.prompt ?? args.purpose ?? args.script;
  const asked = typeof given === 'string' ? given.trim().split('\n', 1)[0] : undefined;
  return asked || title;
}

/** Returns `4 steps`, `12k tokens`, `$0.02`, `1 min`, without those that are zero or unknown. */
export function agentFacts({ status, agent }: PanelCall, now: number): readonly string[] {
  if (!agent) return [];
  const { session, steps } = agent;
  const elapsed = elapsedOf(status, now);
  return [
    ...(steps > 0 ? [plural(steps, 'one: {0} step | other: {0} steps')] : []),
    ...spendingFacts(session),
    ...(elapsed >= 1000 ? [formatDuration(elapsed)] : []),
  ];
}

function elapsedOf(status: PanelCall['status'], now: number): number {
  if (status.kind === 'ended') return status.durationMs;
  return status.kind === 'running' ? now - status.startedAt : 0;
}

/** Says when the agent retries a failed request; `undefined` if it does not wait for a retry. */
export function describeRetry({ session: { activity } }: PanelAgent, now: number): string | undefined {
  if (activity.status !== 'retrying') return undefined;
  const left = formatDuration(activity.until - now);
  return t(
    '{0} Retrying in {1} ({2} of {3}).',
    activity.reason,
    left,
    activity.attempt,
    activity.maxAttempts,
  );
}

export function callsThatAsk({ session }: PanelAgent): readonly PanelCall[] {
  return [...iterate(newestChapter(session).items)].filter(isAsking);
}

function isAsking(item: PanelItem): item is PanelCall {
  return item.type === 'call' && item.status.kind === 'asking';
}

const maxNewestRows = 3;

/** Returns the last rows of current work: without prompts, empty texts and quiet hooks, and without asks, shown below. */
export function newestRows({ session }: PanelAgent): readonly Row[] {
  const { pages } = newestChapter(session).items;
  const items = pages
    .slice(-2)
    .flat()
    .filter(item => isActivity(item) && !isAsking(item));
  return rowsOf(items).slice(-maxNewestRows);
}

function isActivity(item: PanelItem): boolean {
  if (item.type === 'hook') return !isQuietHook(item);
  return item.type !== 'prompt' && !(item.type === 'text' && item.text.trim() === '');
}

/**
 * Marks an open call of an ended agent as ended. If the window closed during the work, no event did so.
 */
export function endInterruptedCall(item: PanelItem): PanelItem {
  if (item.type !== 'call' || item.status.kind === 'ended') return item;
  const display = { summary: t('Interrupted') };
  return { ...item, status: { kind: 'ended', outcome: 'cancelled', display, durationMs: 0 } };
}

/** Returns true for the call that hands in the report, which is shown below the work. */
export function isReportCall(item: PanelItem): boolean {
  return (
    item.type === 'call' &&
    item.tool === 'complete_task' &&
    item.status.kind === 'ended' &&
    item.status.outcome === 'ok'
  );
}

/** Returns the final report; `undefined` if the agent has not ended, or the report cannot be shown. */
export function reportOf({ status }: PanelCall): SubagentReport | undefined {
  return status.kind === 'ended' ? readAgentReport(status.display.detail) : undefined;
}
