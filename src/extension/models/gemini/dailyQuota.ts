const minute = 60_000;
const day = 24 * 60 * minute;

/** Beside a daily quota, shorter delays speak of the window of a minute, which is not what ran out. */
const longestPause = 5 * minute;

/**
 * Milliseconds until a daily quota is renewed: at midnight in California, as Google documents it, unless the service
 * asks for a delay that can only be about the day.
 * @param wait the service's own wish
 * @param now milliseconds since the Unix epoch
 */
export function untilDailyRenewal(wait: number | undefined, now: number): number {
  return wait !== undefined && wait > longestPause ? wait : untilPacificMidnight(now);
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
