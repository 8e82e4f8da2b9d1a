import { describe, expect, it } from 'vitest';
import { planRetry } from '../../../src/extension/core/answers/retry.ts';
import { ModelError } from '../../../src/extension/core/model.ts';

const busy = new ModelError('overloaded', () => 'busy', { retryable: true });
const reported = new ModelError('rateLimited', () => 'wait', { retryable: true, retryAfterMs: 40_000 });
const invalid = new ModelError('invalidStream', () => 'cut', { retryable: true });
const silent = new ModelError('silent', () => 'nothing', { retryable: true });
const wrongKey = new ModelError('auth', () => 'wrong key', { retryable: false });

describe('planRetry', () => {
  it('doubles the pause for a busy server up to half a minute', () => {
    const delays = [1, 2, 3, 4, 5].map(failures => planRetry(Array(failures).fill(busy), 10, 0.5)?.delayMs);
    expect(delays).toEqual([5000, 10_000, 20_000, 30_000, 30_000]);
  });

  it('spreads the pause by chance within three tenths', () => {
    expect(planRetry(Array(1).fill(busy), 10, 0)?.delayMs).toBe(3500);
    expect(planRetry(Array(1).fill(busy), 10, 1)?.delayMs).toBe(6500);
  });

  it("never waits less than the server's own request", () => {
    expect(planRetry(Array(1).fill(reported), 10, 0)?.delayMs).toBe(40_000);
    expect(planRetry(Array(1).fill(reported), 10, 1)?.delayMs).toBe(48_000);
  });

  it('asks for an invalid answer again three times, soon', () => {
    const delays = [1, 2, 3, 4].map(failures => planRetry(Array(failures).fill(invalid), 10, 0.5)?.delayMs);
    expect(delays).toEqual([1000, 2000, 4000, undefined]);
  });

  it('asks a silent server again twice, and says so', () => {
    const plans = [1, 2, 3].map(failures => planRetry(Array(failures).fill(silent), 10, 0.5));
    expect(plans).toEqual([
      { delayMs: 5000, maxAttempts: 3 },
      { delayMs: 10_000, maxAttempts: 3 },
      undefined,
    ]);
    expect(planRetry(Array(2).fill(silent), 2, 0.5)).toBeUndefined();
  });

  it('tries what is no silence as often as before, also after silences', () => {
    expect(planRetry([silent, silent, busy], 10, 0.5)).toEqual({ delayMs: 5000, maxAttempts: 10 });
  });

  it('asks for an invalid answer again as often after a server that was busy', () => {
    const before = [busy, reported, busy, silent, busy];
    const plans = [1, 2, 3, 4].map(count => planRetry([...before, ...Array(count).fill(invalid)], 10, 0.5));
    expect(plans.map(plan => plan?.delayMs)).toEqual([1000, 2000, 4000, undefined]);
    expect(plans[0]?.maxAttempts).toBe(9);
    expect(planRetry([...before, invalid], 6, 0.5)).toBeUndefined();
  });

  it('gives up after the attempts that are set', () => {
    expect(planRetry(Array(2).fill(busy), 3, 0.5)).toBeDefined();
    expect(planRetry(Array(3).fill(busy), 3, 0.5)).toBeUndefined();
    expect(planRetry(Array(2).fill(invalid), 2, 0.5)).toBeUndefined();
  });

  it('does not try again what cannot succeed', () => {
    expect(planRetry(Array(1).fill(wrongKey), 10, 0.5)).toBeUndefined();
  });
});
