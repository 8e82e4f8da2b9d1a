/* Messages about requests that exceed the model's limit, for users and models. */

import { t } from '../../../../protocol/language.ts';
import type { Failure } from '../../../../protocol/values.ts';
import { formatNumber } from '../../../../protocol/words/numbers.ts';
import { makeFailure } from '../../failure.ts';

export function requestTooLargeFailure(expected: number, limit: number): Failure {
  const say = () =>
    t(
      'The next request would be about {0} tokens, and the model takes {1}. Compress the context with "Folio: Compress Context", then retry.',
      formatNumber(expected),
      formatNumber(limit),
    );
  return makeFailure('tooLarge', say, 'compress');
}

export function incompressibleFailure(least: number, limit: number): Failure {
  const say = () =>
    t(
      'Even without the conversation before it the next request would be about {0} tokens, and the model takes {1}. Choose a model that takes more with "Folio: Select Model", or ask for less in a new session.',
      formatNumber(least),
      formatNumber(limit),
    );
  return makeFailure('tooLarge', say, 'selectModel');
}
