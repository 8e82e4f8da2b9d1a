/*
 * Decides whether an answer that came in whole can be used. The rules in order: an answer that does not say that it
 * is finished, for arguments of a call may be missing then; then, as an answer with calls can be worked on, only for
 * answers without: a refusal, and nothing to show.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError } from '../../core/model.ts';

/** Facts about an answer once its stream is over. */
export interface CheckedAnswer {
  /** The server said that nothing follows. */
  readonly isOver: boolean;
  /**
   * `failed`: the server gave up; `filtered`: it stopped the model; `refused`: the model stopped without a word of why;
   * `calls`: it announced calls.
   */
  readonly ended: 'normally' | 'cut' | 'failed' | 'filtered' | 'refused' | 'calls';
  readonly hasCalls: boolean;
  readonly text: string;
  /** A picture, say, is something to show, too. */
  readonly hasMedia?: boolean;
  readonly hasThought: boolean;
  /** In the model's own words; empty: it did not refuse. */
  readonly refusal: string;
}

/** `undefined` when the answer is good. */
export function findAnswerFailure(answer: CheckedAnswer): ModelError | undefined {
  const { ended, hasCalls, refusal } = answer;
  if (!answer.isOver) return invalid(() => t('The answer ended early.'));
  if (ended === 'failed') return invalid(() => t('The model server gave up in the middle of its answer.'));
  if (hasCalls) return undefined;
  if (ended === 'filtered')
    return refused(() => t('The content filter of the model server stopped the answer.'));
  if (ended === 'refused') return refused(() => t('The model refused to answer.'));
  const words = oneLine(refusal, 300).replace(/[.!]+$/, '');
  if (words !== '') return refused(() => t('The model refused to answer ({0}).', words));
  if (answer.hasMedia || hasVisibleText(answer.text)) return undefined;
  if (ended === 'cut') return invalid(() => t('The answer reached its length limit before any text came.'));
  if (ended === 'calls') return invalid(() => t('The model made a call that cannot be read.'));
  return invalid(() =>
    answer.hasThought ? t('The model thought but did not answer.') : t('The model gave an empty answer.'),
  );
}

/** The service does not want to answer this. */
export function refused(what: () => string): ModelError {
  const say = () => t('{0} Put the request differently, or choose another model.', what());
  return new ModelError('blocked', say, { retryable: false });
}

/**
 * The answer cannot be used; another may.
 * @param forModel what was wrong, which the model reads with the next attempt
 */
export function invalid(what: () => string, forModel?: string): ModelError {
  const say = () => t('{0} Retry, or choose another model.', what());
  return new ModelError('invalidStream', say, { retryable: true, forModel });
}

/** Tells the model, with the next attempt, why its answer was not used. */
export function describeBadAnswer(reason: string): string {
  return `[Your last answer was not taken, and nothing of it was done: ${reason}. Answer again. Call only tools that you were given, with arguments as they are described.]`;
}
