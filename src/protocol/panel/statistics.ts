/**
 * Counted quantities. `cached`: part of `input` tokens that came from the provider's cache; `output`: tokens including
 * thoughts; `cost`: US dollars; `unpriced`: requests without a known price; times: milliseconds; `kept`: lines that the
 * user approved before they were written, or accepted in review.
 */
export type StatisticsCount =
  | 'prompts'
  | 'requests'
  | 'input'
  | 'cached'
  | 'output'
  | 'cost'
  | 'unpriced'
  | 'workMs'
  | 'waitMs'
  | 'calls'
  | 'failed'
  | 'callMs'
  | 'unasked'
  | 'allowed'
  | 'always'
  | 'refused'
  | 'refusedByRule'
  | 'testsPassed'
  | 'testsFailed'
  | 'added'
  | 'removed'
  | 'keptAdded'
  | 'keptRemoved';

/** Absent counts are 0. */
export type StatisticsCounts = Readonly<Partial<Record<StatisticsCount, number>>>;

export interface NamedCounts {
  /** A model, the path of a project, or a tool. */
  readonly name: string;
  readonly counts: StatisticsCounts;
}

/** A bar of the chart: a day, or a month in long periods. */
export interface StatisticsBar {
  /** `2026-11-29` or `2026-11`, in local time. */
  readonly start: string;
  /** In the order of `models`, without idle ones. */
  readonly models: readonly NamedCounts[];
}

export interface Statistics {
  /** Number of sessions that were active in this time. */
  readonly sessions: number;
  readonly totals: StatisticsCounts;
  /** Oldest first, without gaps. */
  readonly bars: readonly StatisticsBar[];
  /** Like the next two: most expensive or busiest first. */
  readonly models: readonly NamedCounts[];
  readonly projects: readonly NamedCounts[];
  readonly tools: readonly NamedCounts[];
  /** Number of sessions that could not be read. */
  readonly unreadable: number;
}
