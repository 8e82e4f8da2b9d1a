/* The answers of the contract of providers in the words of chat completions. */

import * as chat from './openaiAnswers.ts';
import type { ContractAnswer, ContractFault, ContractStep } from './providerContract.ts';

export function chatAnswer(answer: ContractAnswer): chat.ChatAnswer {
  if (answer.kind === 'fault') return faults[answer.fault];
  const steps = answer.steps.map(toStep);
  return answer.cut ? [...steps, chat.finish('length', { prompt_tokens: 9 })] : steps;
}

let calls = 0;

function toStep(step: ContractStep): chat.ChatStep {
  switch (step.kind) {
    case 'text':
      return chat.text(step.text);
    case 'thought':
      return chat.thought(step.text);
    case 'torn':
      return chat.torn(step.text);
    case 'call':
      return chat.call(step.name, step.args, { id: `call_${calls++}`, index: calls });
    case 'hang':
      return chat.hang;
  }
}

const faults: Readonly<Record<ContractFault, chat.ChatAnswer>> = {
  'a limit of requests': chat.refusal(429, 'Rate limit reached.', 'rate_limit_exceeded', {
    'retry-after': '7',
  }),
  'a used up quota': chat.refusal(429, 'You exceeded your current quota.', 'insufficient_quota'),
  'status 500': chat.refusal(500, 'The server had an error.'),
  'status 503': chat.refusal(503, 'Loading model'),
  'a page of a proxy with status 502': chat.page(502, '<h1>Bad gateway</h1>'),
  'an error within the stream': [
    chat.text('So'),
    chat.chunk({ error: { code: 503, message: 'Overloaded.' } }),
    chat.noFinish,
  ],
  'a forbidden request': chat.refusal(403, 'Country not supported.', 'unsupported_country'),
  'an unknown model': chat.refusal(404, 'The model `x` does not exist.', 'model_not_found'),
  'a conversation that is too long': chat.refusal(
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    'context_length_exceeded',
  ),
  'a request that it cannot work with': chat.refusal(400, 'Bad field.'),
  'a connection that breaks before the answer': chat.hangUp,
  'a connection that breaks within the answer': [chat.text('So far'), chat.reset],
  'a page instead of a stream': chat.page(200, '<h1>Log in</h1>'),
  'a stream that ends within a chunk': chat.cutInChunk,
  'a stream that ends within a character': chat.cutInCharacter,
  'a chunk that is not JSON': [chat.text('So'), chat.malformedChunk],
  'no finish reason': [chat.text('So'), chat.noFinish],
  'an empty stream': [chat.noFinish],
  'an empty answer': [chat.finish()],
  'only thoughts': [chat.thought('Hm')],
  'a call without a name': [chat.call('')],
  'a call that cannot be read': [
    chat.pieces({ index: 0, id: 'c', function: { name: 'look', arguments: '{"at": ' } }),
  ],
  'no text before the length limit': [chat.finish('length')],
  'a filter that stops the answer': [chat.text('So'), chat.finish('content_filter')],
  silence: chat.silence,
};
