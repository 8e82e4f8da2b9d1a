/* Classifies a model's failure for the choice of another model. */

import type { ModelFailureKind } from '../../../protocol/routing.ts';
import type { ModelError } from '../model.ts';

/** Returns `undefined` if another model would not help: problems with key, request or network. */
export function failureKind({ kind }: ModelError): ModelFailureKind | undefined {
  switch (kind) {
    case 'quota':
      return 'terminal';
    case 'overloaded':
    case 'rateLimited':
    case 'invalidStream':
      return 'transient';
    case 'notFound':
      return 'notFound';
    case 'unknown':
      return 'unknown';
    // All models of a provider share one address.
    case 'network':
    case 'silent':
    case 'auth':
    case 'forbidden':
    case 'badRequest':
    case 'noTools':
    case 'tooLarge':
    case 'blocked':
    case 'aborted':
      return undefined;
  }
}

const hour = 3_600_000;

/** Milliseconds. Overloads are often short, and another attempt is cheap. */
const capacityMs = 30_000;

/**
 * Returns until when a model is not used, in milliseconds since the Unix epoch. A quota lasts as long as the provider
 * reports, else one hour: long enough not to fail at each prompt, short enough to notice a payment. A missing model may
 * be enabled after an hour. Other failures end after half a minute.
 */
export function unavailableUntil({ kind, retryAfterMs }: ModelError, now: number): number {
  if (kind === 'quota') return now + (retryAfterMs ?? hour);
  return now + (kind === 'notFound' ? hour : capacityMs);
}
