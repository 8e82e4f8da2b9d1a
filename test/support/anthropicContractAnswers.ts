/* The answers of the contract of providers in the words of Anthropic's Messages. */

import * as claude from './anthropicAnswers.ts';
import type { ContractAnswer, ContractFault, ContractStep } from './providerContract.ts';

export function messagesAnswer(answer: ContractAnswer): claude.MessagesAnswer {
  if (answer.kind === 'fault') return faults[answer.fault];
  const steps = answer.steps.map(toStep);
  return answer.cut ? [...steps, claude.finish('max_tokens')] : joined(steps);
}

let calls = 0;

function toStep(step: ContractStep): claude.MessagesStep {
  switch (step.kind) {
    case 'text':
      return claude.text(step.text);
    case 'thought':
      return claude.thought(step.text);
    case 'torn':
      return { kind: 'tornText', text: step.text };
    case 'call':
      return claude.call(step.name, step.args, `toolu_${calls++}`);
    case 'hang':
      return claude.hang;
  }
}

/** The service says what belongs together in one block. */
function joined(steps: readonly claude.MessagesStep[]): readonly claude.MessagesStep[] {
  const result: claude.MessagesStep[] = [];
  for (const step of steps) {
    const last = result.at(-1);
    const both =
      last?.kind === 'block' && step.kind === 'block' ? joinedBlock(last.block, step.block) : undefined;
    if (both) result[result.length - 1] = both;
    else result.push(step);
  }
  return result;
}

function joinedBlock(one: claude.Block, other: claude.Block): claude.MessagesStep | undefined {
  if (one.type === 'text' && other.type === 'text') return claude.text(one.text + other.text);
  return one.type === 'thinking' && other.type === 'thinking'
    ? claude.thought(one.thinking + other.thinking)
    : undefined;
}

const brokenCall = claude.callOf('look', '{"at": ', 'toolu_broken');

const faults: Readonly<Record<ContractFault, claude.MessagesAnswer>> = {
  'a limit of requests': claude.refusal(429, 'rate_limit_error', 'Too many requests.', {
    'retry-after': '7',
  }),
  'a used up quota': claude.refusal(429, 'rate_limit_error', 'You have reached your spend limit.'),
  'status 500': claude.refusal(500, 'api_error', 'Internal server error'),
  'status 503': claude.refusal(529, 'overloaded_error', 'Overloaded'),
  'a page of a proxy with status 502': claude.page(502, '<h1>Bad gateway</h1>'),
  'an error within the stream': [
    claude.text('So'),
    claude.event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    claude.noFinish,
  ],
  'a forbidden request': claude.refusal(403, 'permission_error', 'Not allowed for this key.'),
  'an unknown model': claude.refusal(404, 'not_found_error', 'model: x'),
  'a conversation that is too long': claude.refusal(
    400,
    'invalid_request_error',
    'prompt is too long: 213462 tokens > 200000 maximum',
  ),
  'a request that it cannot work with': claude.refusal(400, 'invalid_request_error', 'Bad field.'),
  'a connection that breaks before the answer': claude.hangUp,
  'a connection that breaks within the answer': [claude.text('So far'), claude.reset],
  'a page instead of a stream': claude.page(200, '<h1>Log in</h1>'),
  'a stream that ends within a chunk': [
    claude.bytes('event: content_block_delta\ndata: {"type":"content_bl'),
    claude.noFinish,
  ],
  'a stream that ends within a character': [
    claude.bytes('event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"Gr'),
    claude.bytes(Uint8Array.of(0xc3)),
    claude.noFinish,
  ],
  'a chunk that is not JSON': [
    claude.text('So'),
    claude.bytes('event: content_block_delta\ndata: {"index": [{]}\n\n'),
  ],
  'no finish reason': [claude.text('So'), claude.noFinish],
  'an empty stream': [claude.noFinish],
  'an empty answer': [claude.finish()],
  'only thoughts': [claude.thought('Hm')],
  'a call without a name': [claude.call('')],
  'a call that cannot be read': [brokenCall],
  'no text before the length limit': [claude.finish('max_tokens')],
  'a filter that stops the answer': [claude.text('So'), claude.finish('refusal')],
  silence: claude.silence,
};
