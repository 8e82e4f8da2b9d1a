/* Parses the delay before a retry, in milliseconds. */

/** Parses seconds or milliseconds with a unit, for example `34.07s` or `500ms`. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^([\d.]+)(ms|s)$/.exec(text.trim()) ?? [];
  const number = Number(amount);
  if (!Number.isFinite(number)) return undefined;
  return Math.ceil(unit === 'ms' ? number : number * 1000);
}

/** Parses the HTTP header: seconds, or a date. */
export function parseRetryAfter(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
