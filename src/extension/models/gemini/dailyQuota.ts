import type { ErrorBody } from '../wire/errorBody.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Beside a daily quota, shorter delays speak of the window of a minute, which is not what ran out. */
const maxPauseMs = 5 * minute;

/**
 * Milliseconds until a daily quota is renewed: at midnight in California, as Google documents it, unless the service
 * asks for a delay that can only be about the day. `undefined`: another quota is used up.
 * @param wait the service's own request
 * @param now milliseconds since the Unix epoch
 */
export function untilDailyRenewal(
  { code }: Pick<ErrorBody, 'code'>,
  wait: number | undefined,
  now = Date.now(),
): number | undefined {
  if (!/PerDay|Daily/.test(code)) return undefined;
  return wait !== undefined && wait > maxPauseMs ? wait : untilPacificMidnight(now);
}

/** On the two days on which clocks are changed it may be an hour off, which costs one attempt. */
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
