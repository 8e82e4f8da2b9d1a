/* Totals of a chapter or a session (files, calls, tokens, cost and time) and their descriptions. */

import { shortCounts, sumCounts } from '../../../protocol/changes.ts';
import type { Usage } from '../../../protocol/events.ts';
import { addFileCounts } from '../../../protocol/fold/fileCounts.ts';
import { totalTokens } from '../../../protocol/fold/spending.ts';
import { plural, t } from '../../../protocol/language.ts';
import type { Chapter, SessionState, Spending } from '../../../protocol/state.ts';
import type { FileCounts } from '../../../protocol/values.ts';
import { formatNumber } from '../../../protocol/words/numbers.ts';
import { codeSpan } from './markdownText.ts';

/** Sums common to chapters and sessions. */
interface WorkTotals {
  readonly files: readonly FileCounts[];
  readonly calls: number;
  readonly usage: Usage;
  readonly cost?: number;
  /** Some answers have no known price. */
  readonly unpriced?: true;
  readonly activeMs: number;
}

/** More files than this are counted, not named. */
const namedFiles = 20;

export function sessionTotals({ chapters, usage, cost, unpriced }: SessionState): WorkTotals {
  const sum = (of: (chapter: Chapter) => number) => chapters.reduce((total, each) => total + of(each), 0);
  return {
    files: chapters.flatMap(({ files }) => files).reduce<readonly FileCounts[]>(addFileCounts, []),
    calls: sum(({ calls }) => calls),
    usage,
    cost,
    unpriced,
    activeMs: sum(({ activeMs }) => activeMs),
  };
}

/**
 * Formats `2 files (+10 −3) · 12 calls · 34,200 tokens · $0.12 · 2 min 5 s` and omits zeros. The cost is `price
 * unknown` if nothing has a known price, `at least $0.12` if some answers have none.
 */
export function describeTotals({ files, calls, usage, cost, unpriced, activeMs }: WorkTotals): string {
  const tokens = totalTokens(usage);
  return [
    files.length > 0 &&
      `${plural(files.length, 'one: {0} file | other: {0} files')} (${shortCounts(sumCounts(files))})`,
    calls > 0 && plural(calls, 'one: {0} call | other: {0} calls'),
    tokens > 0 && t('{0} tokens', formatNumber(tokens)),
    describeMoney({ usage, cost, unpriced }),
    activeMs >= 1000 && describeDuration(activeMs),
  ]
    .filter(fact => typeof fact === 'string' && fact !== '')
    .join(' · ');
}

/** Formats a line with the first files and their counts; empty without files. */
export function listChangedFiles(files: readonly FileCounts[]): string {
  if (files.length === 0) return '';
  const named = files
    .slice(0, namedFiles)
    .map(({ path, ...counts }) => `${codeSpan(path)} (${shortCounts(counts)})`);
  const more = files.length - named.length;
  const names = named.join(', ');
  return more > 0 ? t('Files: {0} and {1} more', names, more) : t('Files: {0}', names);
}

/** Formats `$0.12`, `at least $0.12` or `price unknown`; empty without requests. */
export function describeMoney({ usage, cost, unpriced }: Spending): string {
  if (cost === undefined) return usage.prompt > 0 ? t('price unknown') : '';
  return unpriced ? t('at least {0}', describeCost(cost)) : describeCost(cost);
}

/** Formats `$0.0042` or `$1.25`. */
export function describeCost(dollars: number): string {
  return `$${dollars.toFixed(dollars > 0 && dollars < 0.01 ? 4 : 2)}`;
}

/** Formats `850 ms`, `12 s`, `2 min 5 s` or `1 h 3 min`. */
export function describeDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 ? ` ${seconds % 60} s` : ''}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
}
