/* Statistics of sessions for their page. */

/**
 * Counted quantities. `cached`: part of `input` tokens that came from the provider's cache; `output`: tokens including
 * thoughts; `cost`: US dollars; `unpriced`: requests without a known price; times: milliseconds; `kept`: lines that the
 * user approved before they were written, or accepted in review.
 */
export type Count =
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
export type Counts = Readonly<Partial<Record<Count, number>>>;

export interface CountsOf {
  /** A model, the path of a project, or a tool. */
  readonly name: string;
  readonly counts: Counts;
}

/** A bar of the chart: a day, or a month in long periods. */
export interface Bar {
  /** `2026-11-29` or `2026-11`, in local time. */
  readonly start: string;
  /** In the order of `models`, without idle ones. */
  readonly models: readonly CountsOf[];
}

export interface Statistics {
  /** Number of sessions that were active in this time. */
  readonly sessions: number;
  readonly totals: Counts;
  /** Oldest first, without gaps. */
  readonly bars: readonly Bar[];
  /** Like the next two: most expensive or busiest first. */
  readonly models: readonly CountsOf[];
  readonly projects: readonly CountsOf[];
  readonly tools: readonly CountsOf[];
  /** Number of sessions that could not be read. */
  readonly unreadable: number;
}
