/*
 * Whole answers of Anthropic's Messages and OpenAI's Responses with all that the services send along: each event that
 * announces, repeats or ends something, counts, pings, and members that Folio has no use for. They come in one packet,
 * one event a packet, and byte by byte.
 */

import { describe, expect, test } from 'vitest';
import type { ModelProvider } from '../../src/extension/core/model.ts';
import type { Message, Part } from '../../src/protocol/events.ts';
import { anthropicAt } from '../support/anthropicClient.ts';
import { byteByByte, type FaultyAnswer, FaultyServer, streamed } from '../support/faultyServer.ts';
import { notify, type Reported, requestOf, succeeded, user } from '../support/geminiClient.ts';
import { responsesAt } from '../support/responsesClient.ts';
import { eventText } from '../support/scriptedSteps.ts';

type Event = Parameters<typeof eventText>[0];

const start: Event = {
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-6',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 2048,
      cache_read_input_tokens: 18_000,
      cache_creation: { ephemeral_5m_input_tokens: 2048, ephemeral_1h_input_tokens: 0 },
      output_tokens: 2,
      service_tier: 'standard',
    },
  },
};
const blockOf = (index: number, block: object, ...deltas: readonly object[]): readonly Event[] => [
  { type: 'content_block_start', index, content_block: block },
  ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const stop = (reason: string, more: object = {}): readonly Event[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, ...more },
    context_management: { applied_edits: [] },
    usage: { input_tokens: 12, output_tokens: 90, output_tokens_details: { thinking_tokens: 40 } },
  },
  { type: 'message_stop' },
];
const emptyThought = { type: 'thinking', thinking: '', signature: '' };
const emptyText = { type: 'text', text: '' };

const messagesOfTools: readonly Event[] = [
  start,
  ...blockOf(
    0,
    emptyThought,
    { type: 'thinking_delta', thinking: 'Zuerst ' },
    { type: 'thinking_delta', thinking: 'schaue ich.' },
    { type: 'signature_delta', signature: 'EqQBCkgI' },
  ),
  { type: 'ping' },
  ...blockOf(1, { type: 'redacted_thinking', data: 'EmwKAhgB' }),
  ...blockOf(2, emptyText, { type: 'text_delta', text: 'Ich schaue' }, { type: 'text_delta', text: ' 👀.' }),
  ...blockOf(3, emptyThought, { type: 'signature_delta', signature: 'EqQBleer' }),
  ...blockOf(
    4,
    { type: 'tool_use', id: 'toolu_01A', name: 'look', input: {}, caller: { type: 'direct' } },
    { type: 'input_json_delta', partial_json: '' },
    { type: 'input_json_delta', partial_json: '{"at": "\\u00fc' },
    { type: 'input_json_delta', partial_json: '/a.txt"}' },
  ),
  ...blockOf(
    5,
    { type: 'tool_use', id: 'toolu_01B', name: 'look', input: {} },
    { type: 'input_json_delta', partial_json: '' },
  ),
  ...stop('tool_use'),
];

const own = { server: '127.0.0.1' };
const messagesParts: readonly Part[] = [
  {
    kind: 'thought',
    text: 'Zuerst schaue ich.',
    signature: 'EqQBCkgI',
    origin: { ...own, member: 'thinking' },
  },
  { kind: 'thought', text: '', signature: 'EmwKAhgB', origin: { ...own, member: 'redacted_thinking' } },
  { kind: 'text', text: 'Ich schaue 👀.' },
  { kind: 'thought', text: '', signature: 'EqQBleer', origin: { ...own, member: 'thinking' } },
  { kind: 'call', id: 'toolu_01A', name: 'look', args: { at: 'ü/a.txt' } },
  { kind: 'call', id: 'toolu_01B', name: 'look', args: {} },
];

const response = { id: 'resp_01', object: 'response', status: 'in_progress', model: 'gpt-5', output: [] };
const reasoning = { id: 'rs_01', type: 'reasoning' };
const message = { id: 'msg_01', type: 'message', role: 'assistant', phase: 'commentary' };
const call = { id: 'fc_01', type: 'function_call', call_id: 'call_01A', name: 'look' };
const bare = { id: 'fc_02', type: 'function_call', call_id: 'call_01B', name: 'look' };
const content = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const usage = {
  input_tokens: 20_060,
  input_tokens_details: { cached_tokens: 18_000 },
  output_tokens: 90,
  output_tokens_details: { reasoning_tokens: 40 },
  total_tokens: 20_150,
};

const ofThought = { item_id: 'rs_01', output_index: 0, summary_index: 0 };
const ofMessage = { item_id: 'msg_01', output_index: 1, content_index: 0 };
const summary = { type: 'summary_text', text: '**Zuerst** schaue ich.' };

const responsesOfTools: readonly Event[] = [
  { type: 'response.created', response },
  { type: 'response.in_progress', response },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...reasoning, summary: [], encrypted_content: 'gAAAAbegun' },
  },
  { type: 'response.reasoning_summary_part.added', ...ofThought, part: { type: 'summary_text', text: '' } },
  { type: 'response.reasoning_summary_text.delta', ...ofThought, delta: '**Zuerst**', obfuscation: 'x1' },
  { type: 'response.reasoning_summary_text.delta', ...ofThought, delta: ' schaue ich.', obfuscation: 'y' },
  { type: 'response.reasoning_summary_text.done', ...ofThought, text: summary.text },
  { type: 'response.reasoning_summary_part.done', ...ofThought, part: summary },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...reasoning, summary: [summary], encrypted_content: 'gAAAAended' },
  },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...message, status: 'in_progress', content: [] },
  },
  { type: 'response.content_part.added', ...ofMessage, part: content('') },
  { type: 'response.output_text.delta', ...ofMessage, delta: 'Ich schaue', logprobs: [], obfuscation: '' },
  { type: 'response.output_text.delta', ...ofMessage, delta: ' 👀.', logprobs: [], obfuscation: 'ab' },
  { type: 'response.output_text.done', ...ofMessage, text: 'Ich schaue 👀.', logprobs: [] },
  { type: 'response.content_part.done', ...ofMessage, part: content('Ich schaue 👀.') },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { ...message, status: 'completed', content: [content('Ich schaue 👀.')] },
  },
  { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
  // Calls side by side grow in turns.
  { type: 'response.output_item.added', output_index: 3, item: { ...bare, arguments: '' } },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_01', output_index: 2, delta: '{"at":"ü' },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_02', output_index: 3, delta: '{}' },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_01', output_index: 2, delta: '/a.txt"}' },
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_01',
    output_index: 2,
    arguments: '{"at":"ü/a.txt"}',
  },
  {
    type: 'response.output_item.done',
    output_index: 2,
    item: { ...call, status: 'completed', arguments: '{"at":"ü/a.txt"}' },
  },
  {
    type: 'response.output_item.done',
    output_index: 3,
    item: { ...bare, status: 'completed', arguments: '{}' },
  },
  { type: 'response.completed', response: { ...response, status: 'completed', usage } },
].map((event, sequence_number) => ({ ...event, sequence_number }));

const responsesParts: readonly Part[] = [
  {
    kind: 'thought',
    text: '**Zuerst** schaue ich.',
    signature: 'gAAAAended',
    origin: { ...own, member: 'encrypted_content', id: 'rs_01' },
  },
  { kind: 'thought', text: '', origin: { ...own, member: 'phase', sealed: { phase: 'commentary' } } },
  { kind: 'text', text: 'Ich schaue 👀.' },
  { kind: 'call', id: 'call_01A', name: 'look', args: { at: 'ü/a.txt' } },
  { kind: 'call', id: 'call_01B', name: 'look', args: {} },
];

const packets: Readonly<Record<string, (events: readonly string[]) => FaultyAnswer>> = {
  'in one packet': events => streamed(events.join('')),
  'one event a packet': events => streamed(...events),
  'byte by byte': events => byteByByte(...events),
};

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

interface Recorded {
  readonly at: (origin: string) => ModelProvider;
  readonly model: string;
  readonly tools: readonly Event[];
  readonly parts: readonly Part[];
}

const wires: Readonly<Record<string, Recorded>> = {
  "Anthropic's Messages": {
    at: anthropicAt,
    model: 'claude-sonnet-4-6',
    tools: messagesOfTools,
    parts: messagesParts,
  },
  "OpenAI's Responses": {
    at: origin => responsesAt(`${origin}/v1`),
    model: 'gpt-5',
    tools: responsesOfTools,
    parts: responsesParts,
  },
};

async function ask({ at, model }: Recorded, answer: FaultyAnswer): Promise<Reported> {
  const server = new FaultyServer();
  // There is no list of models: the request goes out without what only some models take.
  server.shelved = path => (path.startsWith('/v1/models') ? {} : undefined);
  await server.start();
  server.always = answer;
  const request = requestOf([user('Hi')], { model, tools: [scan] });
  const reported = await notify(at(server.origin).stream(request));
  await server.stop();
  return reported;
}

describe.each(Object.entries(wires))('a whole answer of %s', (name, wire) => {
  test.each(Object.entries(packets))('that comes %s is read', async (_how, send) => {
    const { text, thoughts, end } = await ask(wire, send(wire.tools.map(eventText)));
    expect(text).toBe('Ich schaue 👀.');
    expect(thoughts).toContain('schaue ich.');
    const reported = succeeded(end);
    expect(reported.message).toEqual({ role: 'model', parts: wire.parts } satisfies Message);
    const written = name.startsWith('Anthropic') ? { written: 2048 } : {};
    expect(reported.usage).toEqual({ prompt: 20_060, cached: 18_000, output: 50, thoughts: 40, ...written });
    expect(reported.cut).toBeUndefined();
  });
});
