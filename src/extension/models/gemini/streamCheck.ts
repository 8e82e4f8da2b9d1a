/*
 * Decides whether an answer that came in whole can be used. The rules in order: a refused prompt; then, as an answer
 * with calls can be worked on, only for answers without: a finish that reports the problem, none at all, and nothing to
 * show.
 */

import { t } from '../../../protocol/language.ts';
import { oneLine } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import type { ModelError } from '../../core/model.ts';
import { badAnswer, invalid, refused } from '../wire/answerCheck.ts';
import type { Gathered } from './fromGemini.ts';

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
  OTHER: () => t('of a reason that it did not name'),
};

/** `undefined` when the answer is good. */
export function findStreamFailure(answer: Gathered): ModelError | undefined {
  const { finish, finishMessage, message, blockReason, blockMessage } = answer;
  if (blockReason)
    return refused(() => t('Gemini refused the prompt ({0}).', withWords(blockReason, blockMessage)));
  if (message.parts.some(({ kind }) => kind === 'call')) return undefined;
  if (finish !== undefined && Object.hasOwn(blocked, finish)) {
    // A reason in words stands in the place of the sentence that there is none.
    const why = finish === 'OTHER' && finishMessage ? undefined : blocked[finish];
    const words = withWords(finish, finishMessage);
    return refused(() =>
      why ? t('Gemini stopped because {0} ({1}).', why(), words) : t('Gemini stopped ({0}).', words),
    );
  }
  if (finish === undefined) return invalid(() => t('The answer broke off before its end.'));
  if (malformed.includes(finish)) {
    return invalid(
      () => t('Gemini made a call that cannot be read ({0}).', withWords(finish, finishMessage)),
      badAnswer(withWords(finish, finishMessage)),
    );
  }
  if (hasContent(answer)) return undefined;
  if (finish === 'MAX_TOKENS')
    return invalid(() => t('The answer reached its length limit before any text came.'));
  const thought = message.parts.some(part => part.kind === 'thought');
  return invalid(() =>
    thought ? t('Gemini thought but did not answer.') : t('Gemini gave an empty answer.'),
  );
}

function hasContent({ message }: Gathered): boolean {
  const text = message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  return hasVisibleText(text) || message.parts.some(part => part.kind === 'blob');
}

/** The service's word, and its explanation where it gave one. */
function withWords(word: string, explanation: string | undefined): string {
  const words = oneLine(explanation ?? '', 300).replace(/[.!]+$/, '');
  return words === '' ? word : `${word}: ${words}`;
}
