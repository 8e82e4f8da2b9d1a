/* The scripted server itself: it must refuse what the service refuses, or it would let bad histories pass. */

import { GoogleGenAI } from '@google/genai/web';
import { beforeEach, describe, expect, test } from 'vitest';
import type { WireContent } from '../../src/extension/rehearsal/wire.ts';
import { eachTest } from './eachTest.ts';
import { finish, text } from './geminiAnswers.ts';
import { lastPrompt, lastResults, startGeminiServer, toolNames } from './geminiServer.ts';
import { dot } from './pictures.ts';

const server = eachTest(() => startGeminiServer());

beforeEach(async () => {
  server.afterScript([text('ok')]);
});

async function post(body: unknown, model = 'gemini-2.5-pro'): Promise<{ status: number; message: string }> {
  const response = await fetch(`${server.baseUrl}/v1beta/models/${model}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'k' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error?: { message: string } };
  return { status: response.status, message: answer.error?.message ?? '' };
}

const hi: WireContent = { role: 'user', parts: [{ text: 'Hi' }] };
const yes: WireContent = { role: 'model', parts: [{ text: 'Yes' }] };
const ask: WireContent = {
  role: 'model',
  parts: [{ functionCall: { id: '1', name: 'a', args: {} } }, { functionCall: { id: '2', name: 'b' } }],
};
const resultA = { functionResponse: { id: '1', name: 'a', response: { output: '' } } };
const resultB = { functionResponse: { id: '2', name: 'b', response: { error: 'no' } } };
const reported: WireContent = { role: 'user', parts: [resultA, resultB] };

function declare(...functionDeclarations: readonly object[]): object {
  return { contents: [hi], tools: [{ functionDeclarations }] };
}

function declareSchema(schema: unknown): object {
  return declare({ name: 'a', description: 'A.', parametersJsonSchema: schema });
}

const valid: readonly (readonly [string, unknown])[] = [
  ['a prompt', { contents: [hi] }],
  ['a conversation with calls', { contents: [hi, ask, reported, yes, hi] }],
  ['results in another order', { contents: [hi, ask, { role: 'user', parts: [resultB, resultA] }] }],
  ['a picture', { contents: [{ role: 'user', parts: [{ inlineData: dot }] }] }],
  [
    'a picture beside results',
    { contents: [hi, ask, { role: 'user', parts: [...(reported.parts ?? []), { text: 'see' }] }] },
  ],
  [
    'an empty text that carries a signature',
    { contents: [hi, { role: 'model', parts: [{ text: '', thoughtSignature: 'aGk=' }] }, hi] },
  ],
  ['a system instruction', { contents: [hi], systemInstruction: { parts: [{ text: 'Be.' }] } }],
  ['a tool without parameters', declare({ name: 'a', description: 'A.' })],
  [
    'nested schemas',
    declareSchema({
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'string', enum: ['x'] } } },
      required: ['l'],
    }),
  ],
  ['a search', { contents: [hi], tools: [{ googleSearch: {} }] }],
];

const invalid: readonly (readonly [string, unknown, string])[] = [
  ['no contents', {}, 'contents is not specified'],
  ['a model that speaks first', { contents: [yes, hi] }, 'contents[0].role must be user'],
  ['the same role twice', { contents: [hi, hi] }, 'contents[1].role is user twice'],
  ['a model that speaks last', { contents: [hi, yes] }, 'last turn'],
  ['an unknown role', { contents: [{ role: 'tool', parts: [{ text: 'x' }] }] }, 'must be user or model'],
  [
    'a turn without parts',
    { contents: [{ role: 'user', parts: [] }] },
    'contents[0].parts must not be empty',
  ],
  ['a part of nothing', { contents: [{ role: 'user', parts: [{}] }] }, 'contents[0].parts[0].data'],
  ['an empty text', { contents: [{ role: 'user', parts: [{ text: '' }] }] }, 'contents[0].parts[0].text'],
  [
    'a part of two kinds',
    { contents: [{ role: 'user', parts: [{ text: 'x', inlineData: {} }] }] },
    'oneof field',
  ],
  ['an unknown part', { contents: [{ role: 'user', parts: [{ picture: 'x' }] }] }, 'Unknown name "picture"'],
  [
    'bytes that are not base64',
    { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'a/b', data: '§' } }] }] },
    'Base64',
  ],
  [
    'bytes without a type',
    { contents: [{ role: 'user', parts: [{ inlineData: { data: 'aGk=' } }] }] },
    'MIME type',
  ],
  [
    'a call by the user',
    { contents: [{ role: 'user', parts: ask.parts }] },
    'must be in a turn of the model',
  ],
  [
    'a result by the model',
    { contents: [hi, { role: 'model', parts: [resultA] }, hi] },
    'must be in a turn of the user',
  ],
  [
    'a call without a name',
    { contents: [hi, { role: 'model', parts: [{ functionCall: {} }] }, hi] },
    'functionCall.name',
  ],
  [
    'a result that is no object',
    { contents: [hi, ask, { role: 'user', parts: [{ functionResponse: { name: 'a', response: 'x' } }] }] },
    'must be an object',
  ],
  [
    'calls without results',
    { contents: [hi, ask, hi] },
    '0 function response parts for 2 function call parts',
  ],
  [
    'too few results',
    { contents: [hi, ask, { role: 'user', parts: [resultA] }] },
    '1 function response parts for 2',
  ],
  [
    'a result with another id',
    {
      contents: [
        hi,
        ask,
        { role: 'user', parts: [resultA, { functionResponse: { id: '3', name: 'b', response: {} } }] },
      ],
    },
    'answers no call',
  ],
  [
    'a result with another name',
    {
      contents: [
        hi,
        ask,
        { role: 'user', parts: [resultA, { functionResponse: { id: '2', name: 'c', response: {} } }] },
      ],
    },
    'answers no call',
  ],
  [
    'one result twice',
    { contents: [hi, ask, { role: 'user', parts: [resultA, resultA] }] },
    'answers no call',
  ],
  ['results of nothing', { contents: [reported] }, 'must come immediately after'],
  ['late results', { contents: [hi, ask, hi, yes, reported] }, '0 function response parts for 2'],
  [
    'an empty system instruction',
    { contents: [hi], systemInstruction: { parts: [{ text: '' }] } },
    'systemInstruction.parts[0]',
  ],
  ['an unknown field', { contents: [hi], system: 'x' }, 'Unknown name "system"'],
  ['a bad tool name', declare({ name: 'two words', description: 'A.' }), 'Invalid function name'],
  [
    'two tools of one name',
    declare({ name: 'a', description: 'A.' }, { name: 'a', description: 'A.' }),
    'Duplicate',
  ],
  ['a tool without a description', declare({ name: 'a' }), 'description of a'],
  ['parameters that are no object', declareSchema({ type: 'string' }), 'type object'],
  [
    'an unknown keyword',
    declareSchema({ type: 'object', properties: { x: { type: 'string', choices: [] } } }),
    'parametersJsonSchema.properties.x: Unknown name "choices"',
  ],
  [
    'an unknown type',
    declareSchema({ type: 'object', properties: { x: { type: 'text' } } }),
    'Invalid value "text"',
  ],
  [
    'a required property that is not there',
    declareSchema({ type: 'object', properties: {}, required: ['x'] }),
    'property x is not defined',
  ],
  [
    'a list of nothing',
    declareSchema({ type: 'object', properties: { x: { type: 'array' } } }),
    'x.items: missing',
  ],
  [
    'a search beside other tools',
    {
      contents: [hi],
      tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'a', description: 'A.' }] }],
    },
    'cannot be combined',
  ],
];

describe('the server takes', () => {
  for (const [what, body] of valid) {
    test(what, async () => {
      expect(await post(body)).toEqual({ status: 200, message: '' });
    });
  }
});

describe('the server refuses', () => {
  for (const [what, body, reason] of invalid) {
    test(what, async () => {
      const { status, message } = await post(body);
      expect([status, message]).toEqual([400, expect.stringContaining(reason)]);
      expect(server.requests[0]?.fault).toBe(message);
    });
  }

  test('a call without a signature after the last prompt, from generation 3 on', async () => {
    const contents = [hi, ask, reported];
    expect((await post({ contents }, 'gemini-3-pro-preview')).message).toContain(
      'missing a thought_signature',
    );
    expect((await post({ contents: [...contents, yes, hi] }, 'gemini-3-pro-preview')).status).toBe(200);
  });

  test('a request without a key', async () => {
    const response = await fetch(`${server.baseUrl}/v1beta/models`);
    expect(response.status).toBe(403);
  });

  test('an address that the service does not have', async () => {
    const response = await fetch(`${server.baseUrl}/v1/models`, { headers: { 'x-goog-api-key': 'k' } });
    expect(response.status).toBe(404);
  });

  test('a request for which the script has no answer', async () => {
    server.afterScript(undefined);
    expect((await post({ contents: [hi] })).message).toBe('The script has no answer to request 1.');
  });
});

test('answers are played in order, and each request is recorded whole', async () => {
  server.script([text('one')], request => [text(`You asked: ${lastPrompt(request)}`)]);
  const client = new GoogleGenAI({
    apiKey: 'k',
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: server.baseUrl },
  });
  const first = await client.models.generateContent({ model: 'm', contents: 'A' });
  const second = await client.models.generateContent({ model: 'm', contents: 'B' });
  expect([first.text, second.text, server.unplayed]).toEqual(['one', 'You asked: B', 0]);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'generateContent', model: 'm', fault: undefined });
  expect(request?.bytes).toBe(Buffer.byteLength(JSON.stringify(request?.body)));
});

test('an answer is finished and measured unless it ends itself', async () => {
  server.script([text('one')], [text('two'), finish('MAX_TOKENS')]);
  const client = new GoogleGenAI({
    apiKey: 'k',
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: server.baseUrl },
  });
  const first = await client.models.generateContent({ model: 'm', contents: 'A' });
  const second = await client.models.generateContent({ model: 'm', contents: 'A' });
  expect(first.candidates?.[0]?.finishReason).toBe('STOP');
  expect(first.usageMetadata?.promptTokenCount).toBeGreaterThan(0);
  expect([second.candidates?.[0]?.finishReason, second.usageMetadata]).toEqual(['MAX_TOKENS', undefined]);
});

test('tokens are counted', async () => {
  const client = new GoogleGenAI({
    apiKey: 'k',
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: server.baseUrl },
  });
  const { totalTokens } = await client.models.countTokens({ model: 'm', contents: 'Four words are here' });
  expect(totalTokens).toBeGreaterThan(4);
});

test('what a request holds can be asked for', async () => {
  await post({
    ...declare({ name: 'a', description: 'A.' }, { name: 'b', description: 'B.' }),
    contents: [hi, ask, reported],
  });
  const request = server.requests[0]!;
  expect(toolNames(request)).toEqual(['a', 'b']);
  expect(lastPrompt(request)).toBe('Hi');
  expect(lastResults(request)).toEqual([
    { name: 'a', output: '' },
    { name: 'b', error: 'no' },
  ]);
});

test('closing ends answers under way', async () => {
  server.script(async request => {
    await new Promise<void>(resolve => request.signal.addEventListener('abort', () => resolve()));
    return [text('late')];
  });
  const asked = post({ contents: [hi] }).catch((error: unknown) => error);
  while (server.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  await server.dispose();
  expect(await asked).toBeInstanceOf(Error);
});
