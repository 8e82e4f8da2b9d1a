/*
 * How long to wait before a request is tried again. Three kinds of problem: an answer that came but is not valid is
 * asked for again soon and seldom; a server that is busy gets more time and more attempts; one that is silent costs
 * minutes at each attempt, so it is asked again twice, as a user would, and not for an hour.
 */

import type { ModelError, ModelErrorKind } from '../model.ts';

interface RetryPlan {
  readonly delayMs: number;
  readonly maxAttempts: number;
}

const invalidAnswers = { attempts: 4, firstMs: 1000 };
const silentAttempts = 3;
const unreachable = { firstMs: 5000, maxMs: 30_000, jitter: 0.3, serverJitter: 0.2 };

/**
 * Each kind of problem has attempts and pauses of its own: an answer that breaks off after a server was busy for a while
 * is asked for again as often as any other. `maxAttempts` limits them together.
 * @param failures all of this request so far, the newest last; at least one
 * @param random from 0 up to 1
 * @returns undefined when it must not be tried again
 */
export function planRetry(
  failures: readonly ModelError[],
  maxAttempts: number,
  random: number,
): RetryPlan | undefined {
  const error = failures.at(-1)!;
  if (!error.retryable) return undefined;
  const alike = failures.filter(({ kind }) => groupOf(kind) === groupOf(error.kind)).length;
  const limit = Math.min(maxAttempts, failures.length - alike + attemptsOf(error.kind, maxAttempts));
  if (failures.length >= limit) return undefined;
  return { delayMs: Math.round(delayOf(error, alike, random)), maxAttempts: limit };
}

function groupOf(kind: ModelErrorKind): 'invalidStream' | 'silent' | 'busy' {
  return kind === 'invalidStream' || kind === 'silent' ? kind : 'busy';
}

function attemptsOf(kind: ModelErrorKind, maxAttempts: number): number {
  const group = groupOf(kind);
  if (group === 'busy') return maxAttempts;
  return group === 'silent' ? silentAttempts : invalidAnswers.attempts;
}

function delayOf({ kind, retryAfterMs }: ModelError, alike: number, random: number): number {
  if (kind === 'invalidStream') return invalidAnswers.firstMs * 2 ** (alike - 1);
  const backoff = Math.min(unreachable.firstMs * 2 ** (alike - 1), unreachable.maxMs);
  return retryAfterMs === undefined
    ? backoff * (1 + unreachable.jitter * (2 * random - 1))
    : Math.max(backoff, retryAfterMs) * (1 + unreachable.serverJitter * random);
}
