/* The server of the tests refuses what the documentation of OpenAI's Responses says that the service refuses. */

import { expect, test } from 'vitest';
import { eachTest } from '../../support/eachTest.ts';
import * as gpt from '../../support/responsesAnswers.ts';
import type { InputItem, ResponsesBody } from '../../support/responsesRequestRules.ts';
import { startResponsesServer } from '../../support/responsesServer.ts';

const server = eachTest(() => startResponsesServer({ apiKey: 'test-key' }));

const words: InputItem = { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
const scan: InputItem = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' };
const touch: InputItem = { type: 'function_call', call_id: 'call_2', name: 'touch', arguments: '{}' };
const seen: InputItem = { type: 'function_call_output', call_id: 'call_1', output: 'seen' };
const felt: InputItem = { type: 'function_call_output', call_id: 'call_2', output: 'felt' };

/** The thought that the server gives first, as it was at its end. */
async function giveFirst(): Promise<InputItem> {
  const step = gpt.thought('Hm');
  server.script([step, gpt.call('look', {}, 'call_1'), gpt.call('touch', {}, 'call_2')]);
  expect(await send({ ...valid, input: [words] })).toContain('response.completed');
  if (step.kind !== 'item' || step.item.type !== 'reasoning') throw new Error('It is no thought.');
  const { id } = step.item;
  const summary = [{ type: 'summary_text', text: 'Hm' }];
  return { type: 'reasoning', id, summary, encrypted_content: gpt.sealOf(id) };
}

const closed = { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false };
const tool = (strict: boolean | undefined, parameters: object) => [
  { type: 'function', name: 'look', parameters, strict },
];

const valid: ResponsesBody = {
  model: 'gpt-5',
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  reasoning: { summary: 'auto' },
  tools: tool(false, { type: 'object', properties: {} }),
  prompt_cache_key: 'k'.repeat(64),
};

async function send(body: ResponsesBody & { readonly [member: string]: unknown }): Promise<string> {
  const response = await fetch(`${server.baseUrl}/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key' },
    body: JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
}

test('a request that keeps all rules is answered, also with a strict tool whose keys are all required', async () => {
  const thought = await giveFirst();
  server.script([gpt.text('1')], [gpt.text('2')], [gpt.text('3')]);
  const input = [words, thought, scan, touch, seen, felt];
  expect(await send({ ...valid, input })).toMatch(/^200/);
  expect(await send({ ...valid, input, tools: tool(true, { ...closed, required: ['at'] }) })).toMatch(/^200/);
  const plain = { ...valid, model: 'gpt-4.1', include: undefined, reasoning: undefined, temperature: 0 };
  expect(await send({ ...plain, input: [words] })).toMatch(/^200/);
});

test.for<
  readonly [
    what: string,
    change: (thought: InputItem) => ResponsesBody & { readonly [member: string]: unknown },
    says: RegExp,
  ]
>([
  ['a request that shall be kept', () => ({ store: true }), /store must be false/],
  [
    'a conversation that the service shall remember',
    () => ({ previous_response_id: 'resp_1' }),
    /Unknown parameter: 'previous_response_id'/,
  ],
  ['a request without words', () => ({ input: [] }), /empty array/],
  ['a key for the cache of 65 characters', () => ({ prompt_cache_key: 'k'.repeat(65) }), /string too long/],
  [
    'sealed thoughts of a model that has none',
    () => ({ model: 'gpt-4.1', reasoning: undefined }),
    /not supported/,
  ],
  [
    'a temperature of a model that thinks',
    () => ({ temperature: 0 }),
    /Unsupported parameter: 'temperature'/,
  ],
  [
    'a strict tool with an open schema',
    () => ({ tools: tool(true, { ...closed, additionalProperties: undefined }) }),
    /additionalProperties/,
  ],
  [
    'a tool that does not say that it is not strict',
    () => ({ tools: tool(undefined, { type: 'object' }) }),
    /additionalProperties/,
  ],
  [
    'a strict tool with a key that is not required',
    () => ({ tools: tool(true, closed) }),
    /including every key/,
  ],
  [
    'the thought as it was announced',
    thought => ({
      input: [words, { ...thought, encrypted_content: gpt.sealOf('the beginning') }, scan, touch, seen, felt],
    }),
    /could not be verified/,
  ],
  [
    'a thought before what did not come of it',
    thought => ({ input: [words, scan, thought, touch, seen, felt] }),
    /without its required following item/,
  ],
  [
    'a thought before nothing',
    thought => ({ input: [words, thought] }),
    /without its required following item/,
  ],
  ['a call without a result', () => ({ input: [words, scan, touch, seen] }), /No tool output found.*call_2/],
  ['a result without a call', () => ({ input: [words, scan, seen, felt] }), /No tool call found.*call_2/],
])('%s is refused', async ([, change, says]) => {
  const thought = await giveFirst();
  const answer = await send({ ...valid, input: [words], ...change(thought) });
  expect(answer).toMatch(/^400/);
  expect(answer).toMatch(says);
});
