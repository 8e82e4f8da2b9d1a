import { describe, expect, test } from 'vitest';
import { msUntilDailyQuotaReset } from '../../../src/extension/models/gemini/geminiProvider.ts';

const hour = 3_600_000;
const daily = { code: 'RESOURCE_EXHAUSTED RequestsPerDay' };

describe('a daily quota is renewed', () => {
  for (const [now, hours] of [
    // Winter: California is eight hours behind, summer: seven.
    ['2026-01-15T08:00:00Z', 24],
    ['2026-01-15T07:30:00Z', 0.5],
    ['2026-01-15T20:00:00.500Z', 12 - 0.5 / 3600],
    ['2026-07-15T06:00:00Z', 1],
    ['2026-07-15T07:00:00Z', 24],
  ] as const) {
    test(`at midnight in California, ${hours} hours after ${now}`, () => {
      expect(msUntilDailyQuotaReset(daily, undefined, Date.parse(now))).toBe(hours * hour);
    });
  }

  test('whatever the service says of the next minutes', () => {
    expect(msUntilDailyQuotaReset(daily, 40_000, Date.parse('2026-01-15T07:00:00Z'))).toBe(hour);
  });

  test('when the service says, where that can only be about the day', () => {
    expect(msUntilDailyQuotaReset(daily, 5 * hour, Date.parse('2026-01-15T07:00:00Z'))).toBe(5 * hour);
  });
});
