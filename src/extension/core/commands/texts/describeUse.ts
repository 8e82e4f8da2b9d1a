/* Statistics of a session by model and by tool, as Markdown. */

import { addTurnSpent, nothingSpent, totalTokens } from '../../../../protocol/fold/spending.ts';
import { t } from '../../../../protocol/language.ts';
import { iterate } from '../../../../protocol/pagedList.ts';
import { countsAsCall, type Item, type SessionState, type TurnSpending } from '../../../../protocol/state.ts';
import { formatNumber } from '../../../../protocol/words/numbers.ts';
import { codeSpan } from '../../export/markdownText.ts';
import { describeDuration, describeMoney } from '../../export/workTotals.ts';

/** A turn with several models counts for all of them together, since only the sum is known. */
export function describeModelStats(state: SessionState): string {
  const spent = new Map<string, { turns: number; spent: TurnSpending }>();
  for (const item of itemsOf(state)) {
    if (item.type !== 'prompt' || !item.spent || item.spent.steps === 0) continue;
    const models = item.spent.models?.map(codeSpan).join(', ') ?? t('unknown');
    const before = spent.get(models) ?? { turns: 0, spent: nothingSpent };
    spent.set(models, { turns: before.turns + 1, spent: addTurnSpent(before.spent, item.spent) });
  }
  const head = [t('model'), t('prompts'), t('steps'), t('tokens'), t('of which cached'), t('cost')];
  const rows = [...spent].map(([models, { turns, spent: sum }]) => [
    models,
    formatNumber(turns),
    formatNumber(sum.steps),
    formatNumber(totalTokens(sum.usage)),
    formatNumber(sum.usage.cached),
    describeMoney(sum),
  ]);
  return tableOf(t('Statistics of models'), head, rows, t('No model has answered yet.'));
}

interface ToolUse {
  calls: number;
  failed: number;
  denied: number;
  ms: number;
}

export function describeToolStats(state: SessionState): string {
  const uses = new Map<string, ToolUse>();
  for (const item of itemsOf(state)) {
    if (item.type !== 'call' || !countsAsCall(item)) continue;
    const use = uses.get(item.tool) ?? { calls: 0, failed: 0, denied: 0, ms: 0 };
    uses.set(item.tool, use);
    use.calls++;
    if (item.status.kind !== 'ended') continue;
    if (item.status.outcome === 'failed') use.failed++;
    if (item.status.outcome === 'denied') use.denied++;
    use.ms += item.status.durationMs;
  }
  const head = [t('tool'), t('calls'), t('failed'), t('denied'), t('time')];
  const rows = [...uses]
    .toSorted(([, a], [, b]) => b.calls - a.calls)
    .map(([tool, { calls, failed, denied, ms }]) => [
      codeSpan(tool),
      formatNumber(calls),
      formatNumber(failed),
      formatNumber(denied),
      describeDuration(ms),
    ]);
  return tableOf(t('Statistics of tools'), head, rows, t('No tool was called yet.'));
}

function itemsOf({ chapters }: SessionState): readonly Item[] {
  return chapters.flatMap(({ items }) => [...iterate(items)]);
}

function tableOf(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): string {
  if (rows.length === 0) return `# ${title}\n\n${none}\n`;
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
  return `# ${title}\n\n${lines.join('\n')}\n`;
}
