/*
 * Whether an answer that came in whole can be used. The rules in order: a refused prompt; a call of nothing; then,
 * as an answer with calls can be worked on, only for answers without: a finish that tells of trouble, none at all, and
 * nothing to show.
 */

import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError } from '../../core/model.ts';
import type { Gathered } from './fromGemini.ts';

/** The model tried to call a tool, or to answer, in a form that the service could not read. */
const malformed: readonly string[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
];

/** What stopped the model, as it reads after "Gemini stopped because …". */
const blocked: Readonly<Record<string, string>> = {
  SAFETY: 'its safety filter was triggered',
  IMAGE_SAFETY: 'its safety filter was triggered',
  RECITATION: 'the answer came too close to existing text',
  LANGUAGE: 'the language is not supported',
  BLOCKLIST: 'the answer held forbidden words',
  PROHIBITED_CONTENT: 'the content is prohibited',
  IMAGE_PROHIBITED_CONTENT: 'the content is prohibited',
  SPII: 'the answer may hold personal data',
  OTHER: 'of a reason that it did not name',
};

/** `undefined` when the answer is good. */
export function findStreamTrouble(answer: Gathered): ModelError | undefined {
  const { finish, message, blockReason } = answer;
  if (blockReason) return refused(`Gemini refused the prompt (${blockReason}).`);
  const calls = message.parts.filter(part => part.kind === 'call');
  if (calls.some(({ name }) => name === '')) return invalid('Gemini made a call without a name.');
  if (calls.length > 0) return undefined;
  if (finish !== undefined && Object.hasOwn(blocked, finish)) {
    return refused(`Gemini stopped because ${blocked[finish]} (${finish}).`);
  }
  if (finish === undefined) return invalid('The answer broke off before its end.');
  if (malformed.includes(finish)) return invalid(`Gemini made a call that cannot be read (${finish}).`);
  if (hasContent(answer)) return undefined;
  if (finish === 'MAX_TOKENS') return invalid('The answer reached its length limit before any text came.');
  const thought = message.parts.some(part => part.kind === 'thought');
  return invalid(thought ? 'Gemini thought but did not answer.' : 'Gemini gave an empty answer.');
}

function hasContent({ message }: Gathered): boolean {
  const text = message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  return hasVisibleText(text) || message.parts.some(part => part.kind === 'blob');
}

function refused(what: string): ModelError {
  return new ModelError('blocked', `${what} Put the request differently, or choose another model.`, {
    retryable: false,
  });
}

function invalid(what: string): ModelError {
  return new ModelError('invalidStream', `${what} Retry, or choose another model.`, { retryable: true });
}
