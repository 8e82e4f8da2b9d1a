/* Sums of what sessions took, for the page of statistics. */

/**
 * The numbers that are counted. Tokens are those of requests, `cached` of `input` came from the provider's cache,
 * `output` includes thoughts; `cost` is US dollars, and `unpriced` counts requests without a known price. Times are milliseconds. `kept`
 * are lines that the user approved before they were written, or accepted in review.
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

/** A count that is absent is 0. */
export type Counts = Readonly<Partial<Record<Count, number>>>;

export interface CountsOf {
  /** A model, the path of a project, or a tool. */
  readonly name: string;
  readonly counts: Counts;
}

/** A bar of the plot: a day, or a month where there are many days. */
export interface Bar {
  /** `2026-11-29` or `2026-11`, in the user's own time. */
  readonly start: string;
  /** In the order of `models`; those that did nothing are left out. */
  readonly models: readonly CountsOf[];
}

export interface Statistics {
  /** Sessions that did something in this time. */
  readonly sessions: number;
  readonly totals: Counts;
  /** Oldest first, without gaps. */
  readonly bars: readonly Bar[];
  /** These three: the most expensive or busiest first. */
  readonly models: readonly CountsOf[];
  readonly projects: readonly CountsOf[];
  readonly tools: readonly CountsOf[];
  /** Sessions that could not be read, and are not counted. */
  readonly unreadable: number;
}
