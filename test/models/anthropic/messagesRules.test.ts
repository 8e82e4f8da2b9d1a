/* The server of the tests refuses what the documentation of Anthropic's Messages says that the service refuses. */

import { expect, test } from 'vitest';
import * as claude from '../../support/anthropicAnswers.ts';
import type { MessagesBlock, MessagesBody } from '../../support/anthropicRequestRules.ts';
import { startAnthropicServer } from '../../support/anthropicServer.ts';
import { eachTest } from '../../support/eachTest.ts';

const server = eachTest(() => startAnthropicServer({ apiKey: 'test-key' }));

const thought = (thinking: string): MessagesBlock => ({
  type: 'thinking',
  thinking,
  signature: claude.signatureOf(thinking),
});
const sealed: MessagesBlock = { type: 'redacted_thinking', data: 'c2VhbGVk' };
const callOf = (id: string): MessagesBlock => ({ type: 'tool_use', id, name: 'look', input: {} });
const resultOf = (id: string): MessagesBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text: 'seen' }],
});
const words: MessagesBlock = { type: 'text', text: 'Hi' };
const marked: MessagesBlock = { ...words, cache_control: { type: 'ephemeral' } };
const given = [thought('First.'), sealed, thought(''), callOf('toolu_1'), callOf('toolu_2')];

function talk(answer: readonly MessagesBlock[], ...next: readonly MessagesBlock[]): MessagesBody['messages'] {
  return [
    { role: 'user', content: [words] },
    { role: 'assistant', content: answer },
    { role: 'user', content: next },
  ];
}

const valid: MessagesBody = {
  model: 'claude-sonnet-4-6',
  max_tokens: 32_000,
  stream: true,
  thinking: { type: 'adaptive' },
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
  messages: talk(given, resultOf('toolu_1'), resultOf('toolu_2')),
};

async function send(
  body: MessagesBody,
  headers: Readonly<Record<string, string>> = { 'x-api-key': 'test-key' },
): Promise<string> {
  const response = await fetch(`${server.baseUrl}/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2026-10-21', ...headers },
    body: JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
}

/** The answer that `given` is of. */
async function giveFirst(): Promise<void> {
  server.script([
    claude.thought('First.'),
    claude.redacted('c2VhbGVk'),
    claude.thought(''),
    claude.call('look', {}, 'toolu_1'),
    claude.call('look', {}, 'toolu_2'),
  ]);
  const first = await send({ ...valid, messages: [{ role: 'user', content: [words] }] });
  expect(first).toContain('message_stop');
}

test('a request that keeps all rules is answered, by a key or a token, in the old version with a temperature', async () => {
  await giveFirst();
  server.script([claude.text('1')], [claude.text('2')], [claude.text('3')]);
  expect(await send(valid)).toMatch(/^200/);
  expect(await send(valid, { authorization: 'Bearer test-key' })).toMatch(/^200/);
  const old = { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' };
  expect(await send({ ...valid, thinking: undefined, temperature: 0 }, old)).toMatch(/^200/);
});

test('neither another key nor a version that nobody knows is let in', async () => {
  expect(await send(valid, { 'x-api-key': 'other' })).toMatch(/^401 .*authentication_error/s);
  expect(await send(valid, { 'x-api-key': 'test-key', 'anthropic-version': '2020-01-01' })).toMatch(
    /^400 .*anthropic-version/s,
  );
});

test.for<readonly [what: string, change: MessagesBody, says: RegExp]>([
  ['a request without a limit of its answer', { max_tokens: undefined }, /max_tokens: Field required/],
  ['a longer answer than the model gives', { max_tokens: 64_001 }, /max_tokens: 64001 > 64000/],
  ['a temperature in the new version', { temperature: 0 }, /temperature: Extra inputs/],
  ['top_p in the new version', { top_p: 1 }, /top_p: Extra inputs/],
  ['top_k in the new version', { top_k: 1 }, /top_k: Extra inputs/],
  [
    'thinking by budget of a model that only decides itself',
    { model: 'claude-opus-4-6', thinking: { type: 'enabled', budget_tokens: 2048 } },
    /enabled is not supported/,
  ],
  [
    'thinking of its own measure of a model that has budgets',
    { model: 'claude-haiku-4-5' },
    /adaptive is not/,
  ],
  [
    'an effort of a model that knows none',
    { model: 'claude-haiku-4-5', thinking: undefined, output_config: { effort: 'low' } },
    /does not support the effort parameter/,
  ],
  [
    'thoughts in another order',
    {
      messages: talk(
        [thought(''), sealed, thought('First.'), ...given.slice(3)],
        resultOf('toolu_1'),
        resultOf('toolu_2'),
      ),
    },
    /cannot be modified/,
  ],
  [
    'thoughts without the empty one',
    { messages: talk([...given.slice(0, 2), ...given.slice(3)], resultOf('toolu_1'), resultOf('toolu_2')) },
    /cannot be modified/,
  ],
  [
    'thoughts without the sealed one',
    { messages: talk([given[0]!, ...given.slice(2)], resultOf('toolu_1'), resultOf('toolu_2')) },
    /cannot be modified/,
  ],
  [
    'a thought with other words',
    { messages: talk([{ ...given[0]!, thinking: 'Else.' }, callOf('toolu_9')], resultOf('toolu_9')) },
    /Invalid `signature`/,
  ],
  [
    'results in two messages',
    {
      messages: [
        ...talk(given, resultOf('toolu_1'))!,
        { role: 'assistant', content: [words] },
        { role: 'user', content: [resultOf('toolu_2')] },
      ],
    },
    /without `tool_result` blocks immediately after/,
  ],
  [
    'results behind words',
    { messages: talk(given, words, resultOf('toolu_1'), resultOf('toolu_2')) },
    /must come first/,
  ],
  ['results that are missing', { messages: talk(given, words) }, /without `tool_result`/],
  [
    'a result of no call',
    { messages: talk(given, resultOf('toolu_1'), resultOf('toolu_2'), resultOf('toolu_3')) },
    /unexpected `tool_use_id`/,
  ],
  [
    'five marks for the cache',
    { messages: talk(given, resultOf('toolu_1'), resultOf('toolu_2'), ...Array(5).fill(marked)) },
    /maximum of 4 blocks/,
  ],
  ['a history with calls without tools', { tools: undefined }, /must define tools/],
  ['an answer that is begun for the model', { messages: valid.messages!.slice(0, 2) }, /no answer|prefill/],
])('%s is refused', async ([, change, says]) => {
  await giveFirst();
  const answer = await send({ ...valid, ...change });
  expect(answer).toMatch(/^400/);
  expect(answer).toMatch(says);
});
