import type { ErrorBody } from '../wire/errorBody.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Next to a daily quota, shorter delays refer to the per-minute window, which is not exhausted. */
const maxPauseMs = 5 * minute;

/**
 * Milliseconds until a daily quota renews. By Google's documentation that is midnight in California, unless the service
 * asks for a delay that can only mean the day. Returns `undefined` if another quota is exhausted.
 * @param wait milliseconds that the service asked for
 * @param now milliseconds since the Unix epoch
 */
export function msUntilDailyRenewal(
  { code }: Pick<ErrorBody, 'code'>,
  wait: number | undefined,
  now = Date.now(),
): number | undefined {
  if (!/PerDay|Daily/.test(code)) return undefined;
  return wait !== undefined && wait > maxPauseMs ? wait : untilPacificMidnight(now);
}

/** May be an hour off on the two days when clocks change. That costs one attempt. */
function untilPacificMidnight(now: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Los_Angeles',
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = format.formatToParts(now);
  const read = (type: string) => Number(parts.find(part => part.type === type)?.value ?? 0);
  const passed = (read('hour') * 60 + read('minute')) * minute + read('second') * 1000 + (now % 1000);
  return day - passed;
}
