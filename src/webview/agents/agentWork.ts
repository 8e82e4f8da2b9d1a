/* Describes a subagent's work for its card. The work is a session of its own in one chapter. */

import { plural, t } from '../../protocol/language.ts';
import { iterate } from '../../protocol/pages.ts';
import type { PanelAgent, PanelCall, PanelItem } from '../../protocol/panel/panelState.ts';
import { reportedReport } from '../../protocol/panel/reports.ts';
import { liveChapter } from '../../protocol/state.ts';
import type { Report } from '../../protocol/values.ts';
import { isQuietHook } from '../hooks/hookWords.ts';
import { type Row, rowsOf } from '../transcript/rows/rows.ts';
import { formatDuration } from '../ui/format.ts';
import { spentOf } from '../ui/totals.ts';

/** Its calls are those of code, and of no agent. */
export function isScript({ tool }: PanelCall): boolean {
  return tool === 'run_tool_script';
}

/** Its first line is enough to tell it from those beside it. */
export function taskOf({ args, title }: PanelCall): string {
  const given = args.prompt ?? args.purpose ?? args.script;
  const asked = typeof given === 'string' ? given.trim().split('\n', 1)[0] : undefined;
  return asked || title;
}

/** `4 steps`, `12k tokens`, `$0.02`, `1 min`; what is zero or not known is left out. */
export function agentFacts({ status, agent }: PanelCall, now: number): readonly string[] {
  if (!agent) return [];
  const { session, steps } = agent;
  const elapsed = elapsedOf(status, now);
  return [
    ...(steps > 0 ? [plural(steps, 'one: {0} step | other: {0} steps')] : []),
    ...spentOf(session),
    ...(elapsed >= 1000 ? [formatDuration(elapsed)] : []),
  ];
}

function elapsedOf(status: PanelCall['status'], now: number): number {
  if (status.kind === 'ended') return status.durationMs;
  return status.kind === 'running' ? now - status.startedAt : 0;
}

/** Says when the agent tries a failed request again; `undefined`: it does not wait for that. */
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

/** Calls of it that a user is asked about. */
export function asksOf({ session }: PanelAgent): readonly PanelCall[] {
  return [...iterate(liveChapter(session).items)].filter(isAsking);
}

function isAsking(item: PanelItem): item is PanelCall {
  return item.type === 'call' && item.status.kind === 'asking';
}

/** So many rows show what it does right now. */
const newest = 3;

/** Its newest rows; what asks stands below them and is none, and neither is what nobody would look for. */
export function newestRows({ session }: PanelAgent): readonly Row[] {
  const { pages } = liveChapter(session).items;
  const items = pages
    .slice(-2)
    .flat()
    .filter(item => isActivity(item) && !isAsking(item));
  return rowsOf(items).slice(-newest);
}

function isActivity(item: PanelItem): boolean {
  if (item.type === 'hook') return !isQuietHook(item);
  return item.type !== 'prompt' && !(item.type === 'text' && item.text.trim() === '');
}

/**
 * Once the agent has ended nothing of it runs or asks any more: when the window was closed in the middle of it,
 * nobody has said so of each call.
 */
export function settled(item: PanelItem): PanelItem {
  if (item.type !== 'call' || item.status.kind === 'ended') return item;
  const display = { summary: t('Interrupted') };
  return { ...item, status: { kind: 'ended', outcome: 'cancelled', display, durationMs: 0 } };
}

/** The report stands below the work, whole. */
export function isHandIn(item: PanelItem): boolean {
  return (
    item.type === 'call' &&
    item.tool === 'complete_task' &&
    item.status.kind === 'ended' &&
    item.status.outcome === 'ok'
  );
}

/** The report that ends the agent's work. `undefined`: it has not ended, or its report cannot be shown. */
export function reportOf({ status }: PanelCall): Report | undefined {
  return status.kind === 'ended' ? reportedReport(status.display.detail) : undefined;
}
