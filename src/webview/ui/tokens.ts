/* Counts of tokens in words. Most of them are estimates: three digits say all that is known. */

import { formatNumber } from '../../protocol/words/numbers.ts';
import { digits } from './format.ts';

export function formatTokens(count: number): string {
  return formatNumber(Number(count.toPrecision(3)));
}

/** `12%`, `3.4%`, `<0.1%`; `100%` only of all. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 99 && percent < 100) return '>99%';
  if (percent >= 9.95) return `${Math.round(percent)}%`;
  if (percent === 0) return '0%';
  return percent < 0.1 ? `<${digits(0.1, 1)}%` : `${digits(percent, 1)}%`;
}
