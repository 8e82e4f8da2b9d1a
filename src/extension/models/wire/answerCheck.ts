/*
 * Decides whether a complete answer can be used. An answer without an end is rejected first, because arguments of a
 * call may be missing. Refusals and empty answers are rejected only if there are no calls, since calls can be run.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError } from '../../core/model.ts';

/** Facts about an answer after its stream has ended. */
export interface EndedAnswer {
  /** The server signalled the end. */
  readonly isOver: boolean;
  /**
   * `failed`: the server gave up; `filtered`: the server stopped the model; `refused`: the model stopped without a
   * reason; `calls`: the server announced calls.
   */
  readonly ended: 'normally' | 'cut' | 'failed' | 'filtered' | 'refused' | 'calls';
  readonly hasCalls: boolean;
  readonly text: string;
  /** A picture, for example, also counts as content. */
  readonly hasMedia?: boolean;
  readonly hasThought: boolean;
  /** The model's own words. Empty if it did not refuse. */
  readonly refusal: string;
}

/** Returns `undefined` if the answer can be used. */
export function findAnswerFailure(answer: EndedAnswer): ModelError | undefined {
  const { ended, hasCalls, refusal } = answer;
  if (!answer.isOver) return invalidAnswerError(() => t('The answer ended early.'));
  if (ended === 'failed')
    return invalidAnswerError(() => t('The model server gave up in the middle of its answer.'));
  if (hasCalls) return undefined;
  if (ended === 'filtered')
    return refusalError(() => t('The content filter of the model server stopped the answer.'));
  if (ended === 'refused') return refusalError(() => t('The model refused to answer.'));
  const words = oneLine(refusal, 300).replace(/[.!]+$/, '');
  if (words !== '') return refusalError(() => t('The model refused to answer ({0}).', words));
  if (answer.hasMedia || hasVisibleText(answer.text)) return undefined;
  if (ended === 'cut')
    return invalidAnswerError(() => t('The answer reached its length limit before any text came.'));
  if (ended === 'calls') return invalidAnswerError(() => t('The model made a call that cannot be read.'));
  return invalidAnswerError(() =>
    answer.hasThought ? t('The model thought but did not answer.') : t('The model gave an empty answer.'),
  );
}

/** The service declines this request. */
export function refusalError(what: () => string): ModelError {
  const say = () => t('{0} Put the request differently, or choose another model.', what());
  return new ModelError('blocked', say, { retryable: false });
}

/**
 * The answer cannot be used; another one may.
 * @param forModel what was wrong; sent to the model with the next attempt
 */
export function invalidAnswerError(what: () => string, forModel?: string): ModelError {
  const say = () => t('{0} Retry, or choose another model.', what());
  return new ModelError('invalidStream', say, { retryable: true, forModel });
}

/** Message to the model with the next attempt: why its answer was rejected. */
export function describeBadAnswer(reason: string): string {
  return `[Your last answer was not taken, and nothing of it was done: ${reason}. Answer again. Call only tools that you were given, with arguments as they are described.]`;
}
