/* Messages about requests that exceed the model's limit, for users and models. */

import { t } from '../../../../protocol/language.ts';
import type { Failure } from '../../../../protocol/values.ts';
import { formatNumber } from '../../../../protocol/words/numbers.ts';
import { makeFailure } from '../../failure.ts';

export function requestTooLargeFailure(expected: number, limit: number): Failure {
  const say = () =>
    t(
      'The next request would have about {0} tokens, and the model\'s limit is {1}. Compress the context with "Folio: Compress Context", then retry.',
      formatNumber(expected),
      formatNumber(limit),
    );
  return makeFailure('tooLarge', say, 'compress');
}

export function incompressibleFailure(least: number, limit: number): Failure {
  const say = () =>
    t(
      'Even without the earlier conversation, the next request would have about {0} tokens, and the model\'s limit is {1}. Choose a model with a larger context with "Folio: Select Model", or ask for less in a new session.',
      formatNumber(least),
      formatNumber(limit),
    );
  return makeFailure('tooLarge', say, 'selectModel');
}
