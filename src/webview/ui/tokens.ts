/* Formats token counts. Most are estimates, so three digits suffice. */

import { formatNumber } from '../../protocol/words/numbers.ts';
import { formatDecimal } from './format.ts';

export function formatTokens(count: number): string {
  return formatNumber(Number(count.toPrecision(3)));
}

/** Returns for example `12%`, `3.4%`, `<0.1%`; `100%` only for all. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 99 && percent < 100) return '>99%';
  if (percent >= 9.95) return `${Math.round(percent)}%`;
  if (percent === 0) return '0%';
  return percent < 0.1 ? `<${formatDecimal(0.1)}%` : `${formatDecimal(percent)}%`;
}
