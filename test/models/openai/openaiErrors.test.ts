/* What servers say about a problem, through the real client; their words are as they were seen. */

import { describe, expect, test } from 'vitest';
import type { ModelErrorKind } from '../../../src/extension/core/model.ts';
import { eachTest } from '../../support/eachTest.ts';
import { failed, notify, requestOf, user } from '../../support/geminiClient.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';

const server = eachTest(() => startOpenAiServer());

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

async function errorOf(answer: chat.ChatAnswer, key?: string) {
  server.script(answer);
  const { end } = await notify(
    openAiAt(server.baseUrl, key).stream(requestOf([user('Hi')], { tools: [scan] })),
  );
  return failed(end);
}

const llama = (code: number, message: string, type: string) =>
  chat.json(code, { error: { code, message, type } });

const lacksTools = 'The model "gemini-2.5-pro" cannot call tools, which Folio needs. Choose another model.';

/** As a router says that someone behind it failed. */
const routed = (code: number, raw: string) =>
  chat.json(code, {
    error: { code, message: 'Provider returned error', metadata: { provider_name: 'X', raw } },
  });

const cases: readonly (readonly [string, chat.ChatAnswer, ModelErrorKind, string])[] = [
  [
    'llama.cpp, when the context is full',
    llama(
      400,
      'the request exceeds the available context size. try increasing it',
      'exceed_context_size_error',
    ),
    ...(['tooLarge', 'Compress Context'] as const),
  ],
  [
    'a server of one’s own, when the context is full, with status 500',
    chat.json(500, { error: 'input is too large: context window exceeded' }),
    ...(['tooLarge', 'folio.openai.contextLimit'] as const),
  ],
  [
    'a body that is too big',
    chat.page(413, 'Payload Too Large', 'text/plain'),
    'tooLarge',
    'Compress Context',
  ],
  [
    'Ollama, of a model without tools',
    chat.refusal(400, 'registry.ollama.ai/library/gemma:2b does not support tools'),
    ...(['noTools', lacksTools] as const),
  ],
  [
    'a router, whose servers have no tools for a model',
    chat.refusal(404, 'No endpoints found that support tool use.'),
    ...(['noTools', lacksTools] as const),
  ],
  [
    'a service that quotes what it refuses',
    chat.refusal(400, '`tool calling` is not supported with this model'),
    ...(['noTools', lacksTools] as const),
  ],
  [
    'a service that has not switched it on',
    chat.refusal(400, 'Function calling is not enabled for this model'),
    ...(['noTools', lacksTools] as const),
  ],
  [
    'llama.cpp, started without templates',
    llama(500, 'tools param requires --jinja flag', 'server_error'),
    ...(['noTools', 'Start llama.cpp again with --jinja, or choose another model'] as const),
  ],
  [
    'vLLM, started without a parser of calls',
    chat.json(400, {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      code: 400,
    }),
    ...(['noTools', 'Start vLLM again with --enable-auto-tool-choice and --tool-call-parser'] as const),
  ],
  [
    'llama.cpp, while it loads',
    llama(503, 'Loading model', 'unavailable_error'),
    'overloaded',
    'Loading model',
  ],
  [
    'Ollama, of a missing model',
    chat.refusal(404, 'model "x" not found, try pulling it first'),
    'notFound',
    'Select Model',
  ],
  ['a path that is wrong', chat.json(404, { detail: 'Not Found' }), 'notFound', 'folio.openai.baseUrl'],
  [
    'a server that checks by a schema',
    chat.json(422, { detail: [{ loc: ['body'], msg: 'Field required' }, { msg: 'Extra' }] }),
    ...(['badRequest', 'Field required; Extra'] as const),
  ],
  ['an empty account', chat.refusal(402, 'Insufficient Balance'), 'quota', 'Insufficient Balance'],
  ['a limit of a day', chat.refusal(429, 'Rate limit reached on requests per day (RPD)'), 'quota', 'quota'],
  ['an hour to wait', chat.refusal(429, 'Slow.', null, { 'retry-after': '3600' }), 'quota', 'quota'],
  ['a server that wants a key', chat.refusal(401, 'Unauthorized'), 'auth', 'rejected'],
  [
    'an error with status 200',
    chat.json(200, { error: 'The model crashed.' }),
    'overloaded',
    'The model crashed',
  ],
  [
    'a gateway, within the stream',
    [chat.chunk({ error: { code: 429, message: 'Slow.' } })],
    'rateLimited',
    'Retry',
  ],
  ['a finish of an error', [chat.text('So'), chat.finish('error')], 'invalidStream', 'gave up'],
  [
    'a model that refuses',
    [chat.delta({ refusal: 'I will' }), chat.delta({ refusal: ' not.' })],
    ...(['blocked', 'refused to answer (I will not).'] as const),
  ],
  [
    'a refused message that came as a whole',
    chat.whole({ content: null, refusal: 'Not this.' }),
    ...(['blocked', 'refused to answer (Not this).'] as const),
  ],
  [
    'a service that puts its error into a list',
    chat.json(400, [
      { error: { code: 400, message: 'The schema is too deep.', status: 'INVALID_ARGUMENT' } },
    ]),
    ...(['badRequest', 'The schema is too deep'] as const),
  ],
  [
    'who stands behind a router',
    routed(400, 'Upstream says: tool names must be short.'),
    ...(['badRequest', 'tool names must be short'] as const),
  ],
  [
    'who stands behind a router, in its own form',
    routed(400, JSON.stringify({ error: { message: 'Too much text.', code: 'context_length_exceeded' } })),
    ...(['tooLarge', 'Compress Context'] as const),
  ],
  [
    'a router that has words of its own',
    chat.json(400, { error: { message: 'No such route.', metadata: { raw: 'secret of another' } } }),
    ...(['badRequest', 'No such route'] as const),
  ],
  [
    'a service that read a call which fits no tool',
    chat.json(400, { error: { message: 'Call validation failed: at is missing', code: 'tool_use_failed' } }),
    ...(['invalidStream', 'at is missing'] as const),
  ],
  [
    'the same within the stream',
    [
      chat.delta({ reasoning: 'I call.' }),
      chat.chunk({ error: { message: 'No call was made', code: 'tool_use_failed', status_code: 400 } }),
    ],
    ...(['invalidStream', 'No call was made'] as const),
  ],
  [
    'a service for which all messages are too long',
    chat.json(400, {
      error: { message: 'All messages together are too long.', type: 'too_many_prompt_tokens' },
    }),
    ...(['tooLarge', 'Compress Context'] as const),
  ],
  [
    'a service that says so without a code',
    chat.refusal(400, 'The length of the messages is too long.'),
    ...(['tooLarge', 'Compress Context'] as const),
  ],
  [
    'a page where the path is wrong',
    chat.page(404, '<!DOCTYPE html><html><title>Models we love</title><p>Not found</p></html>'),
    ...(['notFound', 'Check the setting folio.openai.baseUrl'] as const),
  ],
  ['odd status', chat.refusal(418, 'Teapot.'), 'unknown', 'Teapot'],
];

describe('the words of', () => {
  for (const [who, answer, kind, says] of cases) {
    test(`${who} are understood as ${kind}`, async () => {
      const error = await errorOf(answer);
      expect(error.kind).toBe(kind);
      expect(error.message).toContain(says);
      expect(error.message).toMatch(/^[A-Z].*\.$/);
      expect(error.message).not.toMatch(/undefined|\[object|!/);
      expect(server.requests).toHaveLength(1);
    });
  }
});

test('the request to wait is read from the headers and from the words', async () => {
  const waits: (number | undefined)[] = [];
  for (const answer of [
    chat.refusal(429, 'Slow.', null, { 'retry-after': '7' }),
    chat.refusal(429, 'Slow.', null, { 'retry-after-ms': '250', 'retry-after': '1' }),
    chat.refusal(429, 'Rate limit reached. Please try again in 1.5s. Visit us.'),
    chat.refusal(429, 'Please try again in 2m3s.'),
    chat.refusal(503, 'Please try again in 20ms.'),
    chat.refusal(429, 'Slow.'),
  ])
    waits.push((await errorOf(answer)).retryAfterMs);
  expect(waits).toEqual([7000, 250, 1500, 123_000, 20, undefined]);
});

test('a key is in no sentence and no cause, however the server repeats it', async () => {
  for (const key of [`sk-${'q7'.repeat(20)}`, 'plain-key-of-mine']) {
    for (const answer of [
      chat.refusal(400, `Bad key ${key}`),
      chat.refusal(403, `Bearer ${key} may not.`),
      [chat.chunk({ error: { message: key } })],
    ]) {
      const error = await errorOf(answer, key);
      expect(`${error.message} ${error.cause}`).not.toContain(key);
    }
  }
});

test('without a key the service is not asked, and a server that wants one says how to set it', async () => {
  const { end } = await notify(openAiAt('', '').stream(requestOf([user('Hi')])));
  expect(failed(end)).toMatchObject({ kind: 'auth', message: expect.stringContaining('OPENAI_API_KEY') });
  const strict = await startOpenAiServer({ apiKey: 'right' });
  const refused = await notify(openAiAt(strict.baseUrl, '').stream(requestOf([user('Hi')])));
  expect(failed(refused.end).message).toContain('requires an API key');
  await strict.dispose();
});

test('an address or a key that cannot be used is told without being quoted', async () => {
  for (const address of ['not an address', 'ftp://x/v1', 'http://me:hidden@127.0.0.1:9/v1']) {
    const error = failed((await notify(openAiAt(address).stream(requestOf([user('Hi')])))).end);
    expect(error).toMatchObject({ kind: 'badRequest', retryable: false });
    expect(error.message).toContain('folio.openai.baseUrl');
    expect(`${error.message} ${error.cause}`).not.toContain('hidden');
  }
  const { end } = await notify(openAiAt(server.baseUrl, 'schlüssel').stream(requestOf([user('Hi')])));
  expect(failed(end).kind).toBe('auth');
  expect(failed(end).message).not.toContain('schlüssel');
});

test('a server that breaks off while it explains is still understood by its status', async () => {
  const error = await errorOf(chat.page(503, '', 'text/plain'));
  expect(error).toMatchObject({ kind: 'overloaded', message: expect.stringContaining('no reason given') });
});

describe('a server that does not come to an end is cut off', () => {
  const megabyte = 'x'.repeat(1024 * 1024);

  test('in one event', async () => {
    const endless = chat.bytes(`data: ${megabyte}`);
    const error = await errorOf([
      endless,
      ...Array.from({ length: 6 }, () => chat.bytes(megabyte)),
      chat.hang,
    ]);
    expect(error).toMatchObject({ kind: 'invalidStream', retryable: true });
    expect(error.message).toContain('more than 4.0 MB');
  });

  test('in an error', async () => {
    const error = await errorOf(chat.page(500, megabyte.repeat(5), 'text/plain'));
    expect(error).toMatchObject({ kind: 'overloaded', message: expect.stringContaining('no reason given') });
  });
});
