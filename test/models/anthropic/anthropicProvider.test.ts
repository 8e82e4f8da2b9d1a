import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/events.ts';
import * as claude from '../../support/anthropicAnswers.ts';
import { anthropicAt } from '../../support/anthropicClient.ts';
import { type AnthropicServer, startAnthropicServer } from '../../support/anthropicServer.ts';
import { failed, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { dot as picture } from '../../support/pictures.ts';

let server: AnthropicServer;

beforeEach(async () => {
  server = await startAnthropicServer();
});

afterEach(async () => {
  await server.dispose();
});

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

async function ask(messages: readonly Message[], more: Parameters<typeof requestOf>[1] = {}) {
  const request = requestOf(messages, { model: 'claude-sonnet-4-6', tools: [scan], ...more });
  return notify(anthropicAt(server.baseUrl).stream(request));
}

function resultsOf(answer: Message): Message {
  const calls = answer.parts.filter(part => part.kind === 'call');
  return user(
    ...calls.map(({ id, name }) => ({ kind: 'result', id, name, ok: true, text: 'seen' }) as const),
  );
}

const newest = () => server.requests.at(-1)!.body;

test('thoughts go back unchanged and in order, sealed and empty ones among them', async () => {
  server.script(
    [
      claude.thought('First I look.'),
      claude.redacted('c2VhbGVk'),
      claude.text('I look.'),
      claude.thought(''),
      claude.call('look', { at: 'a' }, 'toolu_1'),
      claude.call('look', {}, 'toolu_2'),
    ],
    [claude.text('Done.')],
  );
  const { message } = succeeded((await ask([user('Hi')])).end);
  succeeded((await ask([user('Hi'), message, resultsOf(message)])).end);
  expect(newest().messages?.[1]?.content).toEqual([
    { type: 'thinking', thinking: 'First I look.', signature: claude.signatureOf('First I look.') },
    { type: 'redacted_thinking', data: 'c2VhbGVk' },
    { type: 'text', text: 'I look.' },
    { type: 'thinking', thinking: '', signature: claude.signatureOf('') },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'a' } },
    { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
  ]);
});

test('where a secret was masked in a thought, all thoughts of its answer stay away: in part they are refused', async () => {
  server.script(
    [claude.thought('First I look.'), claude.thought('The key is sk-1.'), claude.call('look')],
    [claude.text('Done.')],
  );
  const { message } = succeeded((await ask([user('Hi')])).end);
  const masked = message.parts.map(part =>
    part.kind === 'thought' ? { ...part, text: part.text.replace('sk-1', '[masked]') } : part,
  );
  succeeded((await ask([user('Hi'), { ...message, parts: masked }, resultsOf(message)])).end);
  expect(newest().messages?.[1]?.content.map(({ type }) => type)).toEqual(['tool_use']);
});

test('four places are marked for the cache: tools, system, the newest message and the prompt before', async () => {
  server.afterScript([claude.text('ok')]);
  await ask([user('One'), model('Yes.'), user('Two'), model('Yes.'), user('Three')], { system: 'Be short.' });
  const { tools, system, messages } = newest();
  const mark = { type: 'ephemeral' };
  expect(tools?.map(({ cache_control }) => cache_control)).toEqual([mark]);
  expect(system?.map(({ cache_control }) => cache_control)).toEqual([mark]);
  expect(messages?.map(({ content }) => content.at(-1)?.cache_control)).toEqual([
    undefined,
    undefined,
    mark,
    undefined,
    mark,
  ]);
});

test('each of the four marks names an hour where the user wants that long', async () => {
  server.afterScript([claude.text('ok')]);
  const provider = anthropicAt(server.baseUrl, 'test-key', '1h');
  const messages = [user('One'), model('Yes.'), user('Two')];
  succeeded((await notify(provider.stream(requestOf(messages, { system: 'Be short.', tools: [scan] })))).end);
  const { tools, system, messages: sent = [] } = newest();
  const marks = [tools?.at(-1), system?.at(-1), sent[0]?.content.at(-1), sent[2]?.content.at(-1)];
  const mark = { type: 'ephemeral', ttl: '1h' };
  expect(marks.map(marked => marked?.cache_control)).toEqual([mark, mark, mark, mark]);
});

test('the prompt is what was read again, from the cache and written to it', async () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 200,
    cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 150 },
    output_tokens: 50,
    output_tokens_details: { thinking_tokens: 20 },
  };
  server.script([claude.text('ok'), claude.finish('end_turn', usage)]);
  const reported = succeeded((await ask([user('Hi')])).end).usage!;
  const sent = { prompt: 1300, cached: 1000, written: 200, writtenForAnHour: 150 };
  expect(reported).toEqual({ ...sent, output: 30, thoughts: 20 });
});

describe('what a model takes is asked of the list, once, and never found out by a refusal', () => {
  test.for([
    ['claude-opus-4-6', 'adaptive'],
    ['claude-sonnet-4-6', 'adaptive'],
    ['claude-haiku-4-5', 'enabled'],
    ['claude-always-thinking', 'adaptive'],
    ['claude-plain', undefined],
  ] as const)('%s thinks by %s', async ([id, type]) => {
    server.afterScript([claude.text('ok')]);
    const provider = anthropicAt(server.baseUrl);
    const request = requestOf([user('Hi')], { model: id, tools: [scan] });
    succeeded((await notify(provider.stream(request))).end);
    succeeded((await notify(provider.stream({ ...request, mustCall: true }))).end);
    expect(server.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(server.requests[0]?.body.thinking?.type).toBe(type);
    expect(server.lists).toHaveLength(1);
  });

  test('a gateway without a list gets what every model takes', async () => {
    await server.dispose();
    server = await startAnthropicServer({ listsNothing: true });
    server.script([claude.text('ok')]);
    succeeded((await ask([user('Hi')])).end);
    expect(newest().thinking).toBeUndefined();
  });
});

test('a model that thinks by budget continues without thoughts where another one made the calls', async () => {
  server.script([claude.text('ok')]);
  const foreign = model({ kind: 'call', id: 'call:1/ä', name: 'look', args: {} });
  succeeded((await ask([user('Hi'), foreign, resultsOf(foreign)], { model: 'claude-haiku-4-5' })).end);
  expect(newest().thinking).toBeUndefined();
});

test('a question beside the conversation declares the tools of its history, and forbids them', async () => {
  server.script([claude.text('In short: yes.')]);
  const called = model({ kind: 'call', id: '1', name: 'look', args: {} });
  succeeded((await ask([user('Hi'), called, resultsOf(called)], { tools: [] })).end);
  expect(newest().tools?.map(({ name }) => name)).toEqual(['look']);
  expect(newest().tool_choice).toEqual({ type: 'none' });
});

test.for([
  ['end_turn', undefined],
  ['stop_sequence', undefined],
  ['a_reason_of_tomorrow', undefined],
  ['max_tokens', true],
  ['pause_turn', undefined],
  ['model_context_window_exceeded', true],
] as const)('an answer that ends by %s keeps its text, cut: %s', async ([reason, cut]) => {
  server.script([claude.text('So far'), claude.finish(reason)]);
  const end = succeeded((await ask([user('Hi')])).end);
  expect(end.message.parts).toEqual([{ kind: 'text', text: 'So far' }]);
  expect(end.cut).toBe(cut);
});

test('an answer that the service paused continues', async () => {
  server.script([claude.text('So far'), claude.finish('pause_turn')]);
  expect(succeeded((await ask([user('Hi')])).end).paused).toBe(true);
});

test('a refusal without a word of why is told as one', async () => {
  server.script([claude.text('So'), claude.finish('refusal')]);
  expect(failed((await ask([user('Hi')])).end).message).toContain('The model refused to answer.');
});

test.each([
  ['rate_limit_error', 'rateLimited'],
  ['overloaded_error', 'overloaded'],
])('%s within a stream is waited for', async (type, kind) => {
  const error = { type: 'error', error: { type, message: 'Too many requests.' } };
  server.script([claude.text('So'), claude.event(error)]);
  expect(failed((await ask([user('Hi')])).end)).toMatchObject({ kind, retryable: true });
});

test('a refusal says why, and nothing that came before it runs', async () => {
  const details = { type: 'refusal', category: 'cyber', explanation: 'This looks like an attack.' };
  server.script([claude.call('look'), claude.finish('refusal', undefined, details)]);
  const error = failed((await ask([user('Hi')])).end);
  expect(error).toMatchObject({ kind: 'blocked', retryable: false });
  expect(error.message).toContain('This looks like an attack');
});

test('events and blocks of unknown types are passed over', async () => {
  server.script([
    claude.event({ type: 'something_new', index: 7 }),
    claude.event({ type: 'content_block_start', index: 8, content_block: { type: 'novelty' } }),
    claude.event({ type: 'content_block_delta', index: 8, delta: { type: 'novelty_delta', text: 'x' } }),
    claude.text('ok'),
  ]);
  expect((await ask([user('Hi')])).text).toBe('ok');
});

test('pictures and documents go along, in results too, and other files are named', async () => {
  server.script([claude.text('ok')]);
  const paper = { mimeType: 'application/pdf', data: 'JVBERi0=' };
  const sound = { mimeType: 'audio/wav', data: 'UklGRg==' };
  const called = model({ kind: 'call', id: '1', name: 'look', args: {} });
  const result = {
    kind: 'result',
    id: '1',
    name: 'look',
    ok: true,
    text: '',
    blobs: [picture, paper],
  } as const;
  succeeded((await ask([user('See', { kind: 'blob', blob: sound }), called, user(result)])).end);
  const [prompt, , results] = newest().messages ?? [];
  expect(JSON.stringify(prompt)).toContain('audio/wav');
  expect(results?.content[0]?.content?.map(({ type }) => type)).toEqual(['image', 'document']);
});

test.for([
  [413, 'request_too_large', 'tooLarge', false],
  [529, 'overloaded_error', 'overloaded', true],
  [403, 'permission_error', 'forbidden', false],
  [400, 'billing_error', 'quota', false],
] as const)('status %i of the type %s is told as %s', async ([status, type, kind, retryable]) => {
  server.script(claude.refusal(status, type, 'Your credit balance is too low.'));
  expect(failed((await ask([user('Hi')])).end)).toMatchObject({ kind, retryable });
});

test('only the key and what the protocol needs is sent, whatever the environment holds', async () => {
  server.script([claude.text('ok')]);
  await ask([user('Hi')]);
  expect(Object.keys(server.requests[0]!.headers).sort()).toEqual(
    expect.arrayContaining(['anthropic-version', 'content-type', 'user-agent', 'x-api-key']),
  );
  expect(server.requests[0]!.headers).toMatchObject({ 'user-agent': 'Folio', 'x-api-key': 'test-key' });
  expect(server.requests[0]!.headers.authorization).toBeUndefined();
});

test('a search of the web is done by the service, and the pages that the answer names are its sources', async () => {
  const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
    claude.event({ type: 'content_block_start', index, content_block }),
    ...deltas.map(delta => claude.event({ type: 'content_block_delta', index, delta })),
    claude.event({ type: 'content_block_stop', index }),
  ];
  const page = {
    type: 'web_search_result_location',
    url: 'https://n.example/',
    title: 'Node',
    cited_text: 'x',
  };
  server.script([
    ...block(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    ...block(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'https://n.example/', title: 'Node' }],
    }),
    ...block(
      2,
      { type: 'text', text: '', citations: [] },
      { type: 'text_delta', text: 'Node 24.' },
      { type: 'citations_delta', citation: page },
      { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'no page' } },
    ),
  ]);
  const { end } = await ask([user('newest node?')], { builtIn: 'webSearch', tools: [] });
  const { message, citations } = succeeded(end);
  expect(newest().tools).toEqual([{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }]);
  expect(message.parts).toEqual([{ kind: 'text', text: 'Node 24.' }]);
  expect(citations).toEqual([{ uri: 'https://n.example/', title: 'Node' }]);
});

test('pages are not read by the service', async () => {
  const error = failed((await ask([user('Hi')], { builtIn: 'urlContext', tools: [] })).end);
  expect(error).toMatchObject({ kind: 'badRequest', retryable: false });
  expect(server.requests).toEqual([]);
});
