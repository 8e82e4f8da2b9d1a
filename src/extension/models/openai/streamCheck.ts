/*
 * Whether an answer that came in whole can be used. The rules in order: an answer that does not say that it is
 * finished, for arguments of a call may be missing then; a call of nothing, or with arguments that are no JSON; then,
 * as an answer with calls can be worked on, only for answers without: a refusal, and nothing to show.
 */

import { oneLine } from '../../base/text.ts';
import { hasVisibleText } from '../../base/visibleText.ts';
import { ModelError } from '../../core/model.ts';
import type { Gathered } from './fromChat.ts';

/** `undefined` when the answer is good. */
export function findStreamTrouble(answer: Gathered): ModelError | undefined {
  const { finish, calls, refusal } = answer;
  if (!answer.isOver) return invalid('The answer broke off before its end.');
  if (finish === 'error') return invalid('The model server gave up in the middle of its answer.');
  if (calls.some(({ name }) => name === '')) return invalid('The model made a call without a name.');
  const isCut = finish === 'length';
  if (calls.some(({ broken }) => broken) || (isCut && calls.at(-1)?.bare)) {
    const why = isCut ? ', since the answer reached its length limit' : '';
    return invalid(`The model made a call that cannot be read${why}.`);
  }
  if (calls.length > 0) return undefined;
  if (finish === 'content_filter')
    return refused('The content filter of the model server stopped the answer.');
  const words = oneLine(refusal, 300).replace(/[.!]+$/, '');
  if (words !== '') return refused(`The model refused to answer (${words}).`);
  if (hasContent(answer)) return undefined;
  if (isCut) return invalid('The answer reached its length limit before any text came.');
  if (finish === 'tool_calls') return invalid('The model made a call that cannot be read.');
  const thought = answer.said.some(({ kind }) => kind === 'thought');
  return invalid(thought ? 'The model thought but did not answer.' : 'The model gave an empty answer.');
}

function hasContent({ said }: Gathered): boolean {
  return hasVisibleText(said.map(({ kind, text }) => (kind === 'text' ? text : '')).join(''));
}

function refused(what: string): ModelError {
  return new ModelError('blocked', `${what} Put the request differently, or choose another model.`, {
    retryable: false,
  });
}

function invalid(what: string): ModelError {
  return new ModelError('invalidStream', `${what} Retry, or choose another model.`, { retryable: true });
}
