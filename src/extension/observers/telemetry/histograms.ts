import { type Attributes, type MetricName, metrics } from './span.ts';

export interface HistogramPoint {
  readonly metric: MetricName;
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** One more than the number of bounds. */
  readonly buckets: readonly number[];
}

/** Maximum number of rows per metric, however many tool names there are. */
const maxRows = 2_000;

/** Counts since the start, with one row per metric and set of attributes. */
export class Histograms {
  private readonly rows = new Map<string, HistogramPoint>();

  add(metric: MetricName, value: number, attributes: Attributes): void {
    const key = JSON.stringify([metric, attributes]);
    const bounds: readonly number[] = metrics[metric].bounds;
    const row = this.rows.get(key);
    if (!row && this.rows.size >= maxRows) return;
    const found = bounds.findIndex(bound => value <= bound);
    const at = found < 0 ? bounds.length : found;
    const buckets = (row?.buckets ?? [...bounds, 0].map(() => 0)).map(
      (n, index) => n + (index === at ? 1 : 0),
    );
    this.rows.set(key, {
      metric,
      attributes,
      count: (row?.count ?? 0) + 1,
      sum: (row?.sum ?? 0) + value,
      min: Math.min(row?.min ?? value, value),
      max: Math.max(row?.max ?? value, value),
      buckets,
    });
  }

  get points(): readonly HistogramPoint[] {
    return [...this.rows.values()];
  }
}
