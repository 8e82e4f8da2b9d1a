/*
 * Plans retries of a request for three kinds of errors. An invalid answer is requested again soon, few times. A busy
 * server gets more time and attempts. A silent server costs minutes per attempt, so it is asked twice more at most.
 */

import type { ModelError, ModelErrorKind } from '../model.ts';

const invalidAnswers = { attempts: 4, firstMs: 1000 };
const silentAttempts = 3;
const unreachable = { firstMs: 5000, maxMs: 30_000, jitter: 0.3, serverJitter: 0.2 };

/**
 * Counts attempts and pauses per kind of error: an answer that breaks off after the server was busy still gets all its
 * attempts. `maxAttempts` limits the total.
 * @param failures all failures of this request, the newest last; at least one
 * @param random from 0 up to 1
 * @returns undefined if it must not be retried
 */
export function planRetry(
  failures: readonly ModelError[],
  maxAttempts: number,
  random: number,
): { readonly delayMs: number; readonly maxAttempts: number } | undefined {
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
