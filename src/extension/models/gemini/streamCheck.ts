/*
 * Reasons to stop that only Gemini's services know: a refused prompt; then, as an answer with calls can be worked on,
 * only for answers without, a finish that reports the problem.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import type { ModelError } from '../../core/model.ts';
import { describeBadAnswer, invalid, refused } from '../wire/answerCheck.ts';

export interface GeminiStop {
  readonly finish?: string | undefined;
  /** The service's own explanation of an unusual finish. */
  readonly finishMessage?: string | undefined;
  /** Set when the prompt itself was refused. */
  readonly blockReason?: string | undefined;
  /** The service's own explanation of that. */
  readonly blockMessage?: string | undefined;
}

/** The model tried to call a tool, or to answer, in a form that the service could not read. */
const malformed: readonly string[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
];

/** Reasons of a stop, as they read after "Gemini stopped because …". */
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

/** `undefined`: it stopped as any model may. */
export function findStreamFailure(
  { finish, finishMessage, blockReason, blockMessage }: GeminiStop,
  hasCalls: boolean,
): ModelError | undefined {
  if (blockReason)
    return refused(() => t('Gemini refused the prompt ({0}).', withWords(blockReason, blockMessage)));
  if (hasCalls || finish === undefined) return undefined;
  const words = withWords(finish, finishMessage);
  if (Object.hasOwn(blocked, finish)) {
    // A reason in words stands in the place of the sentence that there is none.
    const why = finish === 'OTHER' && finishMessage ? undefined : blocked[finish];
    return refused(() =>
      why ? t('Gemini stopped because {0} ({1}).', why(), words) : t('Gemini stopped ({0}).', words),
    );
  }
  if (!malformed.includes(finish)) return undefined;
  return invalid(() => t('Gemini made a call that cannot be read ({0}).', words), describeBadAnswer(words));
}

/** The service's word, and its explanation where it gave one. */
function withWords(word: string, explanation: string | undefined): string {
  const words = oneLine(explanation ?? '', 300).replace(/[.!]+$/, '');
  return words === '' ? word : `${word}: ${words}`;
}
