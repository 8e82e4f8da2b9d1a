import { sumCounts } from '../../protocol/changes.ts';
import type { Usage } from '../../protocol/events.ts';
import { totalTokens } from '../../protocol/fold/spending.ts';
import { plural, t } from '../../protocol/language.ts';
import type { PanelChapter } from '../../protocol/panel/panelState.ts';
import type { TurnSpending } from '../../protocol/state.ts';
import type { FileCounts as ChapterFile, Counts } from '../../protocol/values.ts';
import { formatCost, formatCount, formatDuration } from './format.ts';
import { formatShare } from './tokens.ts';

interface FileTotals extends Counts {
  readonly files: number;
}

/** Sums file changes. A file of several chapters counts once. */
export function totalFiles(files: readonly ChapterFile[]): FileTotals {
  const paths = new Set(files.map(file => file.path));
  return { files: paths.size, ...sumCounts(files) };
}

/**
 * Returns `1 file undone`, `5 calls`, `45k tokens`, `91% cached, saved $0.12`, `$0.04` or `price unknown`, `2 min`,
 * `waited 1 min`, without zero ones.
 */
export function chapterFactList(
  { calls, undone = 0, ...spent }: PanelChapter,
  { activeMs, waitedMs }: Times,
): readonly string[] {
  return [
    ...(undone > 0 ? [plural(undone, 'one: {0} file undone | other: {0} files undone')] : []),
    ...(calls > 0 ? [plural(calls, 'one: {0} call | other: {0} calls')] : []),
    ...spendingFactsWithCache(spent),
    ...timeFacts(activeMs),
    ...timeFacts(waitedMs).map(time => t('waited {0}', time)),
  ];
}

/** Milliseconds of work, and of waiting for the user. */
interface Times {
  readonly activeMs: number;
  readonly waitedMs: number;
}

/** Returns tokens and cost, the latter only if known. */
export function spendingFacts(spent: Omit<TurnSpending, 'steps'>): readonly string[] {
  return [...tokensOf(spent.usage), ...costFacts(spent)];
}

/** Adds the cached share, its savings, and `price unknown` to `spentOf`. */
export function spendingFactsWithCache(spent: Omit<TurnSpending, 'steps'>): readonly string[] {
  const { usage, cost, saved } = spent;
  const money = usage.prompt > 0 && cost === undefined ? [t('price unknown')] : costFacts(spent);
  return [...tokensOf(usage), ...cachedOf(usage, saved), ...money];
}

function tokensOf(usage: Usage): readonly string[] {
  const tokens = totalTokens(usage);
  return tokens > 0 ? [t('{0} tokens', formatCount(tokens))] : [];
}

/** Returns the cached share; empty for 0, since many servers do not report it. */
function cachedOf({ prompt, cached }: Usage, saved = 0): readonly string[] {
  if (prompt === 0 || cached === 0) return [];
  const share = t('{0} cached', formatShare(cached / prompt));
  return [isSignificantSaving(saved) ? t('{0}, saved {1}', share, formatCost(saved)) : share];
}

/** Returns true for savings of at least half a cent. Filling a cache may first cost more than it saves. */
export function isSignificantSaving(saved: number): boolean {
  return saved >= 0.005;
}

/** Returns for example `$0.04`, or `at least $0.04` if some prices are unknown; empty if free. */
export function costFacts({ cost, unpriced }: Pick<TurnSpending, 'cost' | 'unpriced'>): readonly string[] {
  if (cost === undefined || cost === 0) return [];
  return [unpriced ? t('at least {0}', formatCost(cost)) : formatCost(cost)];
}

/** Returns the working time; empty below a second. */
export function timeFacts(activeMs: number): readonly string[] {
  return activeMs >= 1000 ? [formatDuration(activeMs)] : [];
}
