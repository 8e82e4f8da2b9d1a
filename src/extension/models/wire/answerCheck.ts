/*
 * Decides whether an answer that came in whole can be used. The rules in order: an answer that does not say that it
 * is finished, for arguments of a call may be missing then; a call of nothing, or with arguments that break off;
 * then, as an answer with calls can be worked on, only for answers without: a refusal, and nothing to show.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError } from '../../core/model.ts';

/** Facts about an answer once its stream is over. */
export interface JudgedAnswer {
  /** The server said that nothing follows. */
  readonly isOver: boolean;
  /**
   * `failed`: the server gave up; `filtered`: it stopped the model; `refused`: the model stopped without a word of why;
   * `calls`: it announced calls.
   */
  readonly ended: 'normally' | 'cut' | 'failed' | 'filtered' | 'refused' | 'calls';
  readonly calls: readonly JudgedCall[];
  readonly text: string;
  readonly hasThought: boolean;
  /** In the model's own words; empty: it did not refuse. */
  readonly refusal: string;
}

interface JudgedCall {
  readonly name: string;
  /** The arguments break off. */
  readonly broken: boolean;
  /** It came without arguments: it has none, or they were cut off. */
  readonly bare: boolean;
}

/** `undefined` when the answer is good. */
export function findAnswerTrouble(answer: JudgedAnswer): ModelError | undefined {
  const { ended, calls, refusal } = answer;
  if (!answer.isOver) return invalid(() => t('The answer broke off before its end.'));
  if (ended === 'failed') return invalid(() => t('The model server gave up in the middle of its answer.'));
  if (calls.some(({ name }) => name === '')) return invalid(() => t('The model made a call without a name.'));
  const isCut = ended === 'cut';
  if (calls.some(({ broken }) => broken) || (isCut && calls.at(-1)?.bare)) {
    return invalid(() =>
      isCut
        ? t('The model made a call that cannot be read, since the answer reached its length limit.')
        : t('The model made a call that cannot be read.'),
    );
  }
  if (calls.length > 0) return undefined;
  if (ended === 'filtered')
    return refused(() => t('The content filter of the model server stopped the answer.'));
  if (ended === 'refused') return refused(() => t('The model refused to answer.'));
  const words = oneLine(refusal, 300).replace(/[.!]+$/, '');
  if (words !== '') return refused(() => t('The model refused to answer ({0}).', words));
  if (hasVisibleText(answer.text)) return undefined;
  if (isCut) return invalid(() => t('The answer reached its length limit before any text came.'));
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

/** The answer cannot be used; another may. */
export function invalid(what: () => string): ModelError {
  const say = () => t('{0} Retry, or choose another model.', what());
  return new ModelError('invalidStream', say, { retryable: true });
}
