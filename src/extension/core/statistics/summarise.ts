/* Summarises rows of many sessions for the page and as CSV. Pure. */

import type {
  NamedCounts,
  Statistics,
  StatisticsBar,
  StatisticsCount,
  StatisticsCounts,
} from '../../../protocol/panel/statistics.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { parseRowKey, type RowKey, type StatisticsRows } from './foldStatistics.ts';
import type { LoadedStatistics, SessionRows } from './statisticsIndex.ts';

/** Longer periods are grouped by month. */
const maxDays = 62;
const dayMs = 24 * 60 * 60 * 1000;

/** All counts in column order. */
const countNames = [
  ...(['prompts', 'requests', 'input', 'cached', 'output', 'cost', 'unpriced', 'workMs', 'waitMs'] as const),
  ...(['calls', 'failed', 'callMs', 'unasked', 'allowed', 'always', 'refused', 'refusedByRule'] as const),
  ...(['testsPassed', 'testsFailed', 'added', 'removed', 'keptAdded', 'keptRemoved'] as const),
] satisfies readonly StatisticsCount[];

interface Row extends RowKey {
  readonly counts: StatisticsCounts;
}

/** `first` and `last`: days such as `2026-11-29`; an empty first one: from the beginning. */
interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Returns the last `count` days up to this one; 0: all. */
export function daysUpTo(last: string, count: number): DayRange {
  return { first: count === 0 ? '' : shiftDay(last, 1 - count), last };
}

export function summariseStatistics({ sessions, unreadable }: LoadedStatistics, days: DayRange): Statistics {
  const found = sessions.map(session => rowsOf(session, days)).filter(rows => rows.length > 0);
  const rows = found.flat();
  const requests = rows.filter(({ tool }) => tool === '');
  const models = sumBy(requests, ({ model }) => model).filter(({ counts }) => (counts.requests ?? 0) > 0);
  return {
    sessions: found.length,
    totals: sum(rows),
    bars: barsOf(
      requests,
      days,
      models.map(({ name }) => name),
    ),
    models,
    projects: sumBy(rows, ({ project }) => project),
    tools: sumBy(
      rows.filter(({ tool }) => tool !== ''),
      ({ tool }) => tool,
    ),
    unreadable,
  };
}

/** One line per day, project, model and tool; lines without a tool contain requests, tokens, cost and time. */
export function statisticsCsv({ sessions }: LoadedStatistics, days: DayRange): string {
  const rows = sessions.flatMap(session => rowsOf(session, days));
  const merged = groupBy(rows, ({ day, project, model, tool }) =>
    JSON.stringify([day, project, model, tool]),
  );
  const lines = [...merged]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, same]) => {
      const { day, project, model, tool } = same[0]!;
      const counts = sum(same);
      return [day, ...[project, model, tool].map(csvText), ...countNames.map(name => counts[name] ?? 0)];
    });
  const head = ['day', 'project', 'model', 'tool', ...countNames];
  return [head, ...lines].map(cells => `${cells.join(',')}\r\n`).join('');
}

/** Uses the local time zone. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function rowsOf({ all }: SessionRows, { first, last }: DayRange): readonly Row[] {
  return all.flatMap(toRows).filter(({ day }) => day >= first && day <= last);
}

/** Sanitises names, which come from servers and folders. */
function toRows(rows: StatisticsRows): readonly Row[] {
  return Object.entries(rows).map(([key, counts]) => {
    const { day, project, model, tool } = parseRowKey(key);
    return {
      day,
      project: maskSecrets(project),
      model: maskSecrets(model),
      tool: maskSecrets(tool),
      counts,
    };
  });
}

function sum(rows: readonly Row[]): StatisticsCounts {
  const total: Partial<Record<StatisticsCount, number>> = {};
  for (const { counts } of rows)
    for (const name of countNames) {
      const count = counts[name];
      if (count) total[name] = (total[name] ?? 0) + count;
    }
  return total;
}

function sumBy(rows: readonly Row[], nameOf: (row: Row) => string): readonly NamedCounts[] {
  const sums = [...groupBy(rows, nameOf)].map(([name, same]) => ({ name, counts: sum(same) }));
  return sums.toSorted((a, b) => compare(b.counts, a.counts));
}

/** Orders by cost, tokens, then calls. */
function compare(a: StatisticsCounts, b: StatisticsCounts): number {
  const order = (['cost', 'input', 'calls'] as const).map(name => (a[name] ?? 0) - (b[name] ?? 0));
  return order.find(difference => difference !== 0) ?? 0;
}

function barsOf(
  rows: readonly Row[],
  { first, last }: DayRange,
  models: readonly string[],
): readonly StatisticsBar[] {
  const oldest = rows.reduce((day, row) => (row.day < day ? row.day : day), last);
  const start = first === '' ? oldest : first;
  const isLong = start < shiftDay(last, -maxDays);
  const unit = (day: string) => (isLong ? day.replace(/-\d\d$/, '') : day);
  const byStart = groupBy(rows, ({ day }) => unit(day));
  return startsBetween(start, last, unit).map(each => {
    const byModel = groupBy(byStart.get(each) ?? [], ({ model }) => model);
    return {
      start: each,
      models: models.flatMap(name => {
        const same = byModel.get(name);
        return same ? [{ name, counts: sum(same) }] : [];
      }),
    };
  });
}

function startsBetween(first: string, last: string, unit: (day: string) => string): readonly string[] {
  const starts = new Set<string>();
  for (let day = first; day <= last; day = shiftDay(day, 1)) starts.add(unit(day));
  return [...starts];
}

/** Calendar days have no time zone. */
function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Escapes text that spreadsheets would run as a formula, since servers choose names of tools. */
function csvText(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
