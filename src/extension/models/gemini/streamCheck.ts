/*
 * Stop reasons that only Gemini's services have. A refused prompt always fails. A finish that reports a problem fails
 * only in answers without calls, since calls can still be run.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { ModelError } from '../../core/model.ts';
import { describeBadAnswer, invalidAnswerError, refusalError } from '../wire/answerCheck.ts';

export interface GeminiStop {
  readonly finish?: string | undefined;
  /** The service's explanation of an unusual finish. */
  readonly finishMessage?: string | undefined;
  /** Set when the prompt itself was refused. */
  readonly blockReason?: string | undefined;
  /** The service's explanation of `blockReason`. */
  readonly blockMessage?: string | undefined;
}

/** The model called a tool, or answered, in a form that the service could not parse. */
const malformed: readonly string[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
];

/** Completes the sentence "Gemini stopped because …". */
const blocked: Readonly<Record<string, () => string>> = {
  SAFETY: () => t('its safety filter was triggered'),
  IMAGE_SAFETY: () => t('its safety filter was triggered'),
  RECITATION: () => t('the answer came too close to existing text'),
  LANGUAGE: () => t('the language is not supported'),
  BLOCKLIST: () => t('the answer held forbidden words'),
  PROHIBITED_CONTENT: () => t('the content is prohibited'),
  IMAGE_PROHIBITED_CONTENT: () => t('the content is prohibited'),
  SPII: () => t('the answer may hold personal data'),
  MODEL_ARMOR: () => t('Model Armor found the answer against its rules'),
  OTHER: () => t('of an unknown reason'),
};

/** Returns `undefined` for a stop that any model may have. */
export function findStreamFailure(
  { finish, finishMessage, blockReason, blockMessage }: GeminiStop,
  hasCalls: boolean,
): ModelError | undefined {
  if (blockReason)
    return refusalError(() => t('Gemini refused the prompt ({0}).', withWords(blockReason, blockMessage)));
  if (hasCalls || finish === undefined) return undefined;
  const words = withWords(finish, finishMessage);
  if (Object.hasOwn(blocked, finish)) {
    // If the service gave an explanation, use it instead of the sentence that there is none.
    const why = finish === 'OTHER' && finishMessage ? undefined : blocked[finish];
    return refusalError(() =>
      why ? t('Gemini stopped because {0} ({1}).', why(), words) : t('Gemini stopped ({0}).', words),
    );
  }
  if (!malformed.includes(finish)) return undefined;
  return invalidAnswerError(
    () => t('Gemini made a call that cannot be read ({0}).', words),
    describeBadAnswer(words),
  );
}

/** Appends the service's explanation, if any, to its code. */
function withWords(word: string, explanation: string | undefined): string {
  const words = oneLine(explanation ?? '', 300).replace(/[.!]+$/, '');
  return words === '' ? word : `${word}: ${words}`;
}
