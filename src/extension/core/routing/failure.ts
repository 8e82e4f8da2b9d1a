/* Sorts a model's failure by its meaning for the choice of another model. */

import type { FailureKind } from '../../../protocol/routing.ts';
import type { ModelError } from '../model.ts';

/** `undefined`: another model would not help, since the problem is with the key, the request or the user's network. */
export function failureKind({ kind }: ModelError): FailureKind | undefined {
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
    // All models of a provider are behind one address.
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

/** A model without capacity often has some again soon, and asking it once more costs little. */
const capacityMs = 30_000;

/**
 * Until when a model is left alone, milliseconds since the Unix epoch. A quota: as long as the provider says (its
 * classifier knows when daily ones are renewed), and an hour without a word: long enough not to fail at each prompt,
 * short enough to notice that someone paid. A model that is not there may have been let through after an hour.
 * Everything else is over in half a minute, or has to be tried again.
 */
export function unavailableUntil({ kind, retryAfterMs }: ModelError, now: number): number {
  if (kind === 'quota') return now + (retryAfterMs ?? hour);
  return now + (kind === 'notFound' ? hour : capacityMs);
}
