import { languageTag, t } from '../../protocol/language.ts';
import { formatMoney } from '../../protocol/words/numbers.ts';

/** Returns for example `640`, `2.1k`, `45k`, `1.2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 9_950) return `${formatDecimal(count / 1000)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${formatDecimal(count / 1_000_000)}M`;
}

/** Returns for example `4 s`, `1 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 ? t('{0} min', minutes) : t('{0} min {1} s', minutes, seconds % 60);
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t('{0} h', hours) : t('{0} h {1} min', hours, minutes % 60);
}

/** Formats US dollars: `$0.04`, below a cent `<$0.01`. */
export function formatCost(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? `<${formatMoney(0.01)}` : formatMoney(dollars);
}

/** Returns `now`, `5 min ago`, `3 h ago`, `yesterday`, `4 days ago`, or the date. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return t('now');
  if (minutes < 60) return t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('{0} h ago', hours);
  const days = Math.floor(hours / 24);
  if (days === 1) return t('yesterday');
  return days < 14 ? t('{0} days ago', days) : formatDate(at, { dateStyle: 'short' });
}

/** Formats a date in local time. */
export function formatDate(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleString(languageTag(), options);
}

/** Formats with at most one decimal, without trailing zeros. */
export function formatDecimal(value: number): string {
  return Number(value.toFixed(1)).toLocaleString(languageTag());
}

/** Returns the first items. A single further one is returned, too: a row that counts it would take its place. */
export function firstOf<Item>(items: readonly Item[], limit: number): readonly Item[] {
  return items.length <= limit + 1 ? items : items.slice(0, limit);
}
