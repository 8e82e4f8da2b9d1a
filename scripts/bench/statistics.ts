/** Samples of one quantity of one contestant. */
export interface Measurement {
  readonly benchmark: string;
  readonly what: string;
  readonly who: string;
  readonly unit: Unit;
  readonly samples: readonly number[];
  /** Contestant whose median is the reference. */
  readonly against?: string;
  readonly limit?: Limit;
}

export type Unit = 'bytes' | 'ms' | 'MB' | 'µs' | '×' | 'times' | 'tokens' | '%';

/** Limit of the median, or of its ratio to `against`. */
export type Limit =
  | { readonly kind: 'median'; readonly atMost: number }
  | { readonly kind: 'ratio'; readonly atMost: number };

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) throw new Error('Nothing was measured.');
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** @param share from 0 to 1; 0.95 is the 95th percentile */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  if (sorted.length === 0) throw new Error('Nothing was measured.');
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
}

/** Returns the ratio of medians to the contestant in `against`. */
export function ratioOf(one: Measurement, all: readonly Measurement[]): number | undefined {
  const base = all.find(
    other => other.benchmark === one.benchmark && other.what === one.what && other.who === one.against,
  );
  return base && base !== one ? median(one.samples) / median(base.samples) : undefined;
}

export function verdict(one: Measurement, all: readonly Measurement[]): 'kept' | 'broken' | undefined {
  if (one.limit === undefined) return undefined;
  const value = one.limit.kind === 'median' ? median(one.samples) : ratioOf(one, all);
  if (value === undefined) return undefined;
  return value <= one.limit.atMost ? 'kept' : 'broken';
}
