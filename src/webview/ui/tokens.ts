/* Counts of tokens in words. Most of them are estimates: three digits say all that is known. */

export function formatTokens(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en');
}

/** `12%`, `3.4%`, `<0.1%`; `100%` only of all. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 99 && percent < 100) return '>99%';
  if (percent >= 9.95) return `${Math.round(percent)}%`;
  if (percent === 0) return '0%';
  return percent < 0.1 ? '<0.1%' : `${percent.toFixed(1).replace('.0', '')}%`;
}
