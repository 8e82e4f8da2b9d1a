/* The answers of the contract of providers in the words of OpenAI's Responses. */

import type { ContractAnswer, ContractFault, ContractStep } from './providerContract.ts';
import * as gpt from './responsesAnswers.ts';
import { responsesRefusal } from './responsesServer.ts';

export function responsesAnswer(answer: ContractAnswer): gpt.ResponsesAnswer {
  if (answer.kind === 'fault') return faults[answer.fault];
  const steps = joined(answer.steps.map(toStep));
  return answer.cut ? [...steps, gpt.finish('max_output_tokens')] : steps;
}

let calls = 0;

function toStep(step: ContractStep): gpt.ResponsesStep {
  switch (step.kind) {
    case 'text':
      return gpt.text(step.text);
    case 'thought':
      return gpt.thought(step.text);
    case 'torn':
      return { kind: 'tornText', text: step.text };
    case 'call':
      return gpt.call(step.name, step.args, `call_${calls++}`);
    case 'hang':
      return gpt.hang;
  }
}

/** The service says what belongs together in one item. */
function joined(steps: readonly gpt.ResponsesStep[]): readonly gpt.ResponsesStep[] {
  const result: gpt.ResponsesStep[] = [];
  for (const step of steps) {
    const last = result.at(-1);
    const both = last?.kind === 'item' && step.kind === 'item' ? joinedItem(last.item, step.item) : undefined;
    if (both) result[result.length - 1] = both;
    else result.push(step);
  }
  return result;
}

function joinedItem(one: gpt.Item, other: gpt.Item): gpt.ResponsesStep | undefined {
  if (one.type === 'message' && other.type === 'message') return gpt.text(one.text + other.text);
  return one.type === 'reasoning' && other.type === 'reasoning'
    ? gpt.thought([...one.summaries, ...other.summaries].join(''))
    : undefined;
}

const faults: Readonly<Record<ContractFault, gpt.ResponsesAnswer>> = {
  'a limit of requests': responsesRefusal(429, 'Rate limit reached.', 'rate_limit_exceeded', {
    'retry-after': '7',
  }),
  'a used up quota': responsesRefusal(429, 'You exceeded your current quota.', 'insufficient_quota'),
  'status 500': responsesRefusal(500, 'The server had an error.'),
  'status 503': responsesRefusal(503, 'Slow down'),
  'a page of a proxy with status 502': gpt.page(502, '<h1>Bad gateway</h1>'),
  'an error within the stream': [gpt.text('So'), gpt.failure('server_error', 'Something went wrong.')],
  'a forbidden request': responsesRefusal(403, 'Country not supported.', 'unsupported_country'),
  'an unknown model': responsesRefusal(404, 'The model `x` does not exist.', 'model_not_found'),
  'a conversation that is too long': responsesRefusal(
    400,
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'context_length_exceeded',
  ),
  'a request that it cannot work with': responsesRefusal(400, 'Bad field.'),
  'a connection that breaks before the answer': gpt.hangUp,
  'a connection that breaks within the answer': [gpt.text('So far'), gpt.reset],
  'a page instead of a stream': gpt.page(200, '<h1>Log in</h1>'),
  'a stream that ends within a chunk': [
    gpt.bytes('event: response.output_text.delta\ndata: {"type":"response.out'),
    gpt.noFinish,
  ],
  'a stream that ends within a character': [
    gpt.bytes('event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Gr'),
    gpt.bytes(Uint8Array.of(0xc3)),
    gpt.noFinish,
  ],
  'a chunk that is not JSON': [gpt.text('So'), gpt.bytes('data: {"output_index": [{]}\n\n')],
  'no finish reason': [gpt.text('So'), gpt.noFinish],
  'an empty stream': [gpt.noFinish],
  'an empty answer': [gpt.finish()],
  'only thoughts': [gpt.thought('Hm')],
  'a call without a name': [gpt.call('')],
  'a call that cannot be read': [gpt.callOf('look', '{"at": ', 'call_broken')],
  'no text before the length limit': [gpt.finish('max_output_tokens')],
  'a filter that stops the answer': [gpt.text('So'), gpt.finish('content_filter')],
  silence: gpt.silence,
};
