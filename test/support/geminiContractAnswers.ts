/* The answers of the contract of providers in the words of Gemini's wire. */

import * as gemini from './geminiAnswers.ts';
import type { ContractAnswer, ContractFault, ContractStep } from './providerContract.ts';

export function geminiAnswer(answer: ContractAnswer): gemini.Answer {
  if (answer.kind === 'fault') return faults[answer.fault];
  const steps = answer.steps.map(toStep);
  return answer.cut ? [...steps, gemini.finish('MAX_TOKENS')] : steps;
}

function toStep(step: ContractStep): gemini.Step {
  switch (step.kind) {
    case 'text':
      return gemini.text(step.text);
    case 'thought':
      return gemini.thought(step.text);
    case 'torn':
      return gemini.torn(step.text);
    case 'call':
      return gemini.call(step.name, step.args);
    case 'hang':
      return gemini.hang;
  }
}

const faults: Readonly<Record<ContractFault, gemini.Answer>> = {
  'a limit of requests': gemini.rateLimited(7),
  'a used up quota': gemini.dailyQuota(),
  'status 500': gemini.internalError,
  'status 503': gemini.unavailable,
  'a page of a proxy with status 502': gemini.page(502, '<h1>Bad gateway</h1>'),
  'an error within the stream': [
    gemini.text('So'),
    gemini.errorChunk(503, 'UNAVAILABLE', 'Overloaded.'),
    gemini.noFinish,
  ],
  'a forbidden request': gemini.permissionDenied,
  'an unknown model': gemini.modelNotFound,
  'a conversation that is too long': gemini.refusal(
    400,
    'INVALID_ARGUMENT',
    'The input token count (2) exceeds the maximum number of tokens allowed (1).',
  ),
  'a request that it cannot work with': gemini.refusal(400, 'INVALID_ARGUMENT', 'Bad field.'),
  'a connection that breaks before the answer': gemini.hangUp,
  'a connection that breaks within the answer': [gemini.text('So far'), gemini.reset],
  'a page instead of a stream': gemini.page(200, '<h1>Log in</h1>'),
  'a stream that ends within a chunk': gemini.cutInChunk,
  'a stream that ends within a character': gemini.cutInCharacter,
  'a chunk that is not JSON': [gemini.text('So'), gemini.malformedChunk],
  'no finish reason': [gemini.text('So'), gemini.noFinish],
  'an empty stream': gemini.emptyStream,
  'an empty answer': [gemini.finish()],
  'only thoughts': [gemini.thought('Hm')],
  'a call without a name': [gemini.call('')],
  'a call that cannot be read': gemini.malformedCall,
  'no text before the length limit': [gemini.finish('MAX_TOKENS')],
  'a filter that stops the answer': [gemini.text('So'), gemini.finish('SAFETY')],
  silence: gemini.silence,
};
