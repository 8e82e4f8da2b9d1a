/*
 * How long to wait before a request is tried again. Three kinds of problem: an answer that came but is not valid is
 * asked for again soon and seldom; a server that is busy gets more time and more attempts; one that is silent costs
 * minutes at each attempt, so it is asked again twice, as a user would, and not for an hour.
 */

import type { ModelError } from '../model.ts';

interface RetryPlan {
  readonly delayMs: number;
  readonly maxAttempts: number;
}

const invalidAnswers = { attempts: 4, firstMs: 1000 };
const silentAttempts = 3;
const unreachable = { firstMs: 5000, maxMs: 30_000, jitter: 0.3, serverJitter: 0.2 };

/**
 * @param failures how often this request has failed so far, from 1
 * @param random from 0 up to 1
 * @returns undefined when it must not be tried again
 */
export function planRetry(
  error: ModelError,
  failures: number,
  maxAttempts: number,
  random: number,
): RetryPlan | undefined {
  if (!error.retryable) return undefined;
  if (error.kind === 'invalidStream') {
    const limit = Math.min(invalidAnswers.attempts, maxAttempts);
    if (failures >= limit) return undefined;
    return { delayMs: invalidAnswers.firstMs * 2 ** (failures - 1), maxAttempts: limit };
  }
  const limit = error.kind === 'silent' ? Math.min(silentAttempts, maxAttempts) : maxAttempts;
  if (failures >= limit) return undefined;
  const backoff = Math.min(unreachable.firstMs * 2 ** (failures - 1), unreachable.maxMs);
  const requested = error.retryAfterMs;
  const delayMs =
    requested === undefined
      ? backoff * (1 + unreachable.jitter * (2 * random - 1))
      : Math.max(backoff, requested) * (1 + unreachable.serverJitter * random);
  return { delayMs: Math.round(delayMs), maxAttempts: limit };
}
