import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message, Part } from '../../../src/protocol/events.ts';
import { failed, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { dot } from '../../support/pictures.ts';
import * as gpt from '../../support/responsesAnswers.ts';
import { responsesAt } from '../../support/responsesClient.ts';
import {
  type ResponsesServer,
  responsesRefusal,
  startResponsesServer,
} from '../../support/responsesServer.ts';

let server: ResponsesServer;

beforeEach(async () => {
  server = await startResponsesServer();
});

afterEach(async () => {
  await server.dispose();
});

const scan = {
  name: 'look',
  description: 'Looks.',
  parameters: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
};

async function ask(messages: readonly Message[], more: Parameters<typeof requestOf>[1] = {}) {
  const request = requestOf(messages, { model: 'gpt-5', tools: [scan], ...more });
  return notify(responsesAt(server.baseUrl).stream(request));
}

function resultsOf(answer: Message): Message {
  const calls = answer.parts.filter(part => part.kind === 'call');
  return user(
    ...calls.map(({ id, name }) => ({ kind: 'result', id, name, ok: true, text: 'seen' }) as const),
  );
}

const newest = () => server.requests.at(-1)!.body;

describe('what goes back', () => {
  test('is each thought as it was at its end, sealed, right before what came of it', async () => {
    server.script(
      [
        gpt.thought('**Looking**', 'First here.\n\nThen there.'),
        gpt.text('I look.', 'commentary'),
        gpt.thought(),
        gpt.call('look', { at: 'a' }, 'call_1'),
        gpt.call('look', {}, 'call_2'),
      ],
      [gpt.text('Done.', 'final_answer')],
      [gpt.text('Again.')],
    );
    const first = await ask([user('Hi')]);
    expect(first.thoughts).toBe('**Looking**\n\nFirst here.\n\nThen there.');
    const { message } = succeeded(first.end);
    const history = [user('Hi'), message, resultsOf(message)];
    const { message: last } = succeeded((await ask(history)).end);
    succeeded((await ask([...history, last, user('Once more')])).end);
    const [one, , other] = newest().input!.slice(1);
    expect(newest().input!.slice(1)).toEqual([
      {
        type: 'reasoning',
        id: one!.id,
        summary: [
          { type: 'summary_text', text: '**Looking**' },
          { type: 'summary_text', text: 'First here.\n\nThen there.' },
        ],
        encrypted_content: gpt.sealOf(one!.id!),
      },
      { role: 'assistant', content: 'I look.', phase: 'commentary' },
      { type: 'reasoning', id: other!.id, summary: [], encrypted_content: gpt.sealOf(other!.id!) },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":"a"}' },
      { type: 'function_call', call_id: 'call_2', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
      { type: 'function_call_output', call_id: 'call_2', output: 'seen' },
      { role: 'assistant', content: 'Done.', phase: 'final_answer' },
      { role: 'user', content: [{ type: 'input_text', text: 'Once more' }] },
    ]);
  });

  test('leaves out what another server has sealed, and thoughts that nothing came of', async () => {
    const sealed = (host: string): Part => ({
      kind: 'thought',
      text: 'Hm',
      signature: gpt.sealOf('rs_9'),
      origin: { server: host, member: 'encrypted_content', id: 'rs_9' },
    });
    server.script([gpt.text('Done.')]);
    const theirs = { kind: 'thought', text: 'Hm', signature: 'c2ln' } as const;
    const answer = model(theirs, sealed('api.example'), 'Yes.', sealed('127.0.0.1'));
    succeeded((await ask([user('Hi'), answer, user('So?')])).end);
    expect(newest().input).toHaveLength(3);
    expect(newest().input?.[1]).toEqual({ role: 'assistant', content: 'Yes.' });
  });

  test('is a result with its picture, and a call of another service by a shorter id', async () => {
    const id = `call_${'x'.repeat(200)}`;
    server.script([gpt.text('Done.')]);
    const history = [
      user('See'),
      model({ kind: 'call', id, name: 'look', args: {} }),
      user({ kind: 'result', id, name: 'look', ok: false, text: 'It is dark.', blobs: [dot] }, 'Continue'),
    ];
    succeeded((await ask(history)).end);
    const [, call, result, words] = newest().input!;
    expect(call!.call_id).toHaveLength(64);
    expect(result).toEqual({
      type: 'function_call_output',
      call_id: call!.call_id,
      output: [
        { type: 'input_text', text: 'Error: It is dark.' },
        { type: 'input_image', image_url: `data:image/png;base64,${dot.data}`, detail: 'auto' },
      ],
    });
    expect(words).toEqual({ role: 'user', content: [{ type: 'input_text', text: 'Continue' }] });
  });
});

describe('a request', () => {
  test('has the parameters that its model takes, and one key for the cache over a conversation', async () => {
    server.script([gpt.text('1')], [gpt.text('2')], [gpt.text('3')]);
    await ask([user('Hi')], { system: 'Be short.', temperature: 0.2 });
    const { prompt_cache_key: key, tools, ...thinking } = newest();
    expect(thinking).toEqual({
      model: 'gpt-5',
      instructions: 'Be short.',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
      stream: true,
    });
    expect(tools).toEqual([
      {
        type: 'function',
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ]);
    await ask([user('Hi'), model('1'), user('More')], { model: 'gpt-4.1', temperature: 0.2 });
    expect(newest()).toMatchObject({ temperature: 0.2, prompt_cache_key: key });
    expect(newest().include).toBeUndefined();
    await ask([user('Something else')]);
    expect(newest().prompt_cache_key).not.toBe(key);
  });

  test('says how much the model shall write, where the model takes the word', async () => {
    const models = ['gpt-5', 'gpt-5-mini', 'gpt-5.1-codex-max', 'gpt-4.1', 'o4-mini'];
    const reported: unknown[] = [];
    for (const model of models) {
      server.script([gpt.text('Done.')]);
      const provider = responsesAt(server.baseUrl, undefined, 'low');
      succeeded((await notify(provider.stream(requestOf([user('Hi')], { model })))).end);
      reported.push(newest().text?.verbosity);
    }
    expect(reported).toEqual(['low', 'low', undefined, undefined, undefined]);
    server.script([gpt.text('Done.')]);
    succeeded((await ask([user('Hi')])).end);
    expect(newest().text).toBeUndefined();
  });

  test('asks for no summaries once an account was refused them', async () => {
    await server.dispose();
    server = await startResponsesServer({
      refuses: ({ reasoning }) =>
        reasoning &&
        'Your organization must be verified to generate reasoning summaries. Please go to the settings.',
    });
    server.script([gpt.text('Done.')]);
    const provider = responsesAt(server.baseUrl);
    const request = requestOf([user('Hi')], { model: 'gpt-5' });
    expect(failed((await notify(provider.stream(request))).end)).toMatchObject({ retryable: true });
    expect((await notify(provider.stream(request))).text).toBe('Done.');
  });
});

describe('an answer', () => {
  test('that came only in whole items is told, and its tokens are counted apart', async () => {
    const item = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Whole.' }],
    };
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 80 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 20 },
    };
    server.script([
      gpt.event({ type: 'response.output_item.done', output_index: 0, item }),
      gpt.finish(undefined, usage),
    ]);
    const { text, end } = await ask([user('Hi')]);
    expect(text).toBe('Whole.');
    expect(succeeded(end)).toMatchObject({
      finish: 'completed',
      message: { parts: [{ kind: 'text', text: 'Whole.' }] },
      usage: { prompt: 100, cached: 80, output: 10, thoughts: 20 },
    });
  });

  test('that the model refuses is told in its words', async () => {
    server.script([{ kind: 'item', item: { type: 'refusal', refusal: 'I cannot help with that.' } }]);
    const error = failed((await ask([user('Hi')])).end);
    expect(error).toMatchObject({ kind: 'blocked', retryable: false });
    expect(error.message).toContain('I cannot help with that');
  });

  test.each([
    [gpt.failure('rate_limit_exceeded', 'Rate limit reached. Try again in 3s.'), 'rateLimited', true, 3000],
    [gpt.failure('insufficient_quota', 'You exceeded your current quota.'), 'quota', false, undefined],
    [gpt.failure('server_error', 'Something went wrong.'), 'overloaded', true, undefined],
    [gpt.failure('invalid_prompt', 'The prompt was flagged.'), 'badRequest', false, undefined],
    [
      gpt.event({ type: 'error', code: 'server_error', message: 'Something went wrong.', param: null }),
      'overloaded',
      true,
      undefined,
    ],
  ])('that fails in its middle by %j is told as %s', async (step, kind, retryable, retryAfterMs) => {
    server.script([gpt.thought('Hm'), gpt.text('So far'), step]);
    const { text, end } = await ask([user('Hi')]);
    expect(text).toBe('So far');
    expect(failed(end)).toMatchObject({ kind, retryable, retryAfterMs });
  });
});

test('the list has large models that think first, newest first, and none for other things', async () => {
  const listed = await responsesAt(server.baseUrl).listModels(new AbortController().signal);
  expect(listed.map(({ id }) => id)).toEqual(['gpt-5.1', 'gpt-5', 'gpt-5-mini', 'o4-mini', 'gpt-4.1']);
  expect(listed[0]).toMatchObject({ contextLimit: 272_000 });
});

test('a key that is missing is told with the way to set one', async () => {
  const { end } = await notify(responsesAt('', '').stream(requestOf([user('Hi')])));
  expect(failed(end)).toMatchObject({
    kind: 'auth',
    message: 'No OpenAI API key is set. Run "Folio: Set API Key", or set OPENAI_API_KEY.',
  });
});

test('a server without Responses is told with the setting that names it', async () => {
  server.script(responsesRefusal(404, 'Not Found'));
  const error = failed((await ask([user('Hi')])).end);
  expect(error.message).toContain('has no Responses of OpenAI at this address');
  expect(error.message).toContain('folio.openaiResponses.baseUrl');
});

test('a search of the web is done by the service, and the pages that the answer names are its sources', async () => {
  const item = {
    type: 'message',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Node 24.',
        annotations: [
          { type: 'url_citation', url: 'https://n.example/', title: 'Node', start_index: 0, end_index: 8 },
          { type: 'file_citation', file_id: 'file_1' },
        ],
      },
    ],
  };
  server.script([
    gpt.event({
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    }),
    gpt.event({ type: 'response.output_item.done', output_index: 1, item }),
  ]);
  const { end } = await ask([user('newest node?')], { builtIn: 'webSearch', tools: [] });
  const { message, citations } = succeeded(end);
  expect(newest().tools).toEqual([{ type: 'web_search' }]);
  expect(message.parts).toEqual([{ kind: 'text', text: 'Node 24.' }]);
  expect(citations).toEqual([{ uri: 'https://n.example/', title: 'Node' }]);
});
