import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CallDelta } from '../../../src/extension/models/openai/wire.ts';
import type { Message } from '../../../src/protocol/events.ts';
import { eachTest } from '../../support/eachTest.ts';
import { failed, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import { dot as picture } from '../../support/pictures.ts';

const server = eachTest(() => startOpenAiServer());

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

async function ask(messages: readonly Message[], more: Parameters<typeof requestOf>[1] = {}) {
  return notify(openAiAt(server.baseUrl).stream(requestOf(messages, { model: 'qwen3', ...more })));
}

async function callsOf(...deltas: readonly (readonly CallDelta[])[]) {
  server.script([...deltas.map(each => chat.pieces(...each)), chat.finish('tool_calls')]);
  const { end } = await ask([user('Hi')], { tools: [scan] });
  return succeeded(end).message.parts.flatMap(part => (part.kind === 'call' ? [part] : []));
}

test('history, tools and system prompt go out in the form of the protocol', async () => {
  server.script([chat.text('ok')]);
  const history = [
    user('One', { kind: 'blob', blob: picture }),
    model({ kind: 'thought', text: 'Hm' }, 'I look.', {
      kind: 'call',
      id: '1',
      name: 'look',
      args: { at: 'a' },
      signature: 'c2ln',
    }),
    user({ kind: 'result', id: '1', name: 'look', ok: false, text: 'gone', blobs: [picture] }, 'Faster'),
  ];
  const parameters = {
    $schema: 'x',
    type: 'object',
    properties: { format: { type: 'string', pattern: 'a' } },
  };
  await ask(history, { system: 'Be short.', temperature: 0.5, tools: [{ ...scan, parameters }] });
  const url = `data:image/png;base64,${picture.data}`;
  expect(server.requests[0]?.body).toEqual({
    model: 'qwen3',
    temperature: 0.5,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'image_url', image_url: { url } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } }],
      },
      { role: 'tool', tool_call_id: '1', content: 'Error: gone' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Content of the result of look:' },
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'Faster' },
        ],
      },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'look',
          description: 'Looks.',
          parameters: { type: 'object', properties: { format: { type: 'string' } } },
        },
      },
    ],
  });
});

test('a server of Mistral reads an answer between results and what the user says', async () => {
  server.afterScript([chat.text('ok')]);
  const call = model({ kind: 'call', id: '1', name: 'look', args: {} });
  const result = { kind: 'result', id: '1', name: 'look', ok: true, text: 'Sheep.' } as const;
  for (const said of [user(result), user(result, 'Faster')]) {
    const footer = '[Active Topic: Reading]';
    succeeded((await ask([user('One'), call, said], { model: 'mistral-medium', footer })).end);
  }
  expect(server.requests[0]?.body.messages?.at(-1)).toEqual({
    role: 'tool',
    tool_call_id: '1',
    content: 'Sheep.\n\n[Active Topic: Reading]',
  });
  expect(server.requests[1]?.body.messages?.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

test('files that a server can take go as what they are, others are named', async () => {
  server.script([chat.text('ok')]);
  const blobs = ['application/pdf', 'audio/wav', 'video/mp4'].map(mimeType => ({ mimeType, data: 'AAAA' }));
  await ask([user('See', ...blobs.map(blob => ({ kind: 'blob', blob }) as const))]);
  const content = server.requests[0]?.body.messages?.[0]?.content;
  expect((content as { type: string }[]).map(({ type }) => type)).toEqual([
    'text',
    'file',
    'input_audio',
    'text',
  ]);
  expect(JSON.stringify(content)).toContain('video/mp4');
});

test('a model that thinks automatically is not given a temperature', async () => {
  server.afterScript([chat.text('ok')]);
  for (const name of ['gpt-5-mini', 'openai/o3', 'qwen3'])
    await ask([user('Hi')], { model: name, temperature: 0 });
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([undefined, undefined, 0]);
});

describe('calls are put together from pieces', () => {
  const whole = (id: string | undefined, index: number | undefined, at: string): CallDelta => ({
    ...(id === undefined ? {} : { id }),
    ...(index === undefined ? {} : { index }),
    function: { name: 'look', arguments: `{"at":"${at}"}` },
  });

  test('that name their call by index, in any order', async () => {
    const calls = await callsOf(
      [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }],
      [{ index: 0, function: { arguments: '{"at"' } }],
      [{ index: 1, id: 'b', function: { name: 'look', arguments: '{"at":' } }],
      [
        { index: 0, function: { arguments: ':"x"}' } },
        { index: 1, function: { arguments: '"y"}' } },
      ],
    );
    expect(calls.map(({ id, args }) => [id, args.at])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
  });

  test('although all have index 0, or no index', async () => {
    for (const index of [0, undefined]) {
      const calls = await callsOf([whole('a', index, 'x')], [whole('b', index, 'y')]);
      expect(calls.map(({ id, args }) => [id, args.at])).toEqual([
        ['a', 'x'],
        ['b', 'y'],
      ]);
    }
  });

  test('although none has an id', async () => {
    for (const index of [0, undefined]) {
      const calls = await callsOf([whole(undefined, index, 'x')], [whole('', index, 'y')]);
      expect(calls.map(({ args }) => args.at)).toEqual(['x', 'y']);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    }
  });

  test('although id and name come with every piece', async () => {
    const piece = (args: string): CallDelta => ({
      index: 0,
      id: 'a',
      function: { name: 'look', arguments: args },
    });
    const calls = await callsOf([piece('{"at"')], [piece(':"x"')], [piece('}')]);
    expect(calls).toEqual([{ kind: 'call', id: 'a', name: 'look', args: { at: 'x' } }]);
  });

  test('and no arguments are none, an object stands for itself, and twice encoded ones are read', async () => {
    const calls = await callsOf(
      [{ index: 0, id: 'a', function: { name: 'look' } }],
      [{ index: 1, id: 'b', function: { name: 'look', arguments: { at: 'y' } } }],
      [{ index: 2, id: 'c', function: { name: 'look', arguments: JSON.stringify('{"at":"z"}') } }],
      [{ index: 3, id: 'd', function: { name: 'look', arguments: 'null' } }],
    );
    expect(calls.map(({ args }) => args)).toEqual([{}, { at: 'y' }, { at: 'z' }, {}]);
  });

  test('and an id that was there before is replaced', async () => {
    server.script([chat.pieces(whole('call_0', 0, 'x'), whole('call_0', 1, 'y'))]);
    const history = [
      user('Hi'),
      model({ kind: 'call', id: 'call_0', name: 'look', args: {} }),
      user({ kind: 'result', id: 'call_0', name: 'look', ok: true, text: '' }),
    ];
    const { end } = await ask(history, { tools: [scan] });
    const ids = succeeded(end).message.parts.flatMap(part => (part.kind === 'call' ? [part.id] : []));
    expect(new Set(['call_0', ...ids]).size).toBe(3);
  });

  test('and a stream that ends between them is no call without arguments', async () => {
    server.script([
      chat.pieces({ index: 0, id: 'a', function: { name: 'look', arguments: '' } }),
      chat.noFinish,
    ]);
    expect(failed((await ask([user('Hi')], { tools: [scan] })).end).kind).toBe('invalidStream');
  });

  test('and one whose arguments the length limit cut off, or had not let begin, says so', async () => {
    for (const args of ['{"at": "x', '']) {
      server.script([
        chat.call('look', { at: 'x' }, { id: 'a' }),
        chat.pieces({ index: 1, id: 'b', function: { name: 'look', arguments: args } }),
        chat.finish('length'),
      ]);
      const { end } = await ask([user('Hi')], { tools: [scan] });
      const unreadable = expect.stringContaining('length limit');
      expect(end.ok && end.message.parts).toMatchObject([{ args: { at: 'x' } }, { args: {}, unreadable }]);
    }
  });

  test('and arguments that are a list are no arguments, which the call says', async () => {
    server.script([chat.pieces({ index: 0, id: 'a', function: { name: 'look', arguments: '[1]' } })]);
    const { end } = await ask([user('Hi')], { tools: [scan] });
    expect(end.ok && end.message.parts).toMatchObject([
      { kind: 'call', args: {}, unreadable: expect.stringContaining('not a list') },
    ]);
  });
});

describe('thoughts', () => {
  test('come in the field of either name', async () => {
    server.script([chat.delta({ reasoning_content: 'A' }), chat.delta({ reasoning: 'B' }), chat.text('C')]);
    const { thoughts, text } = await ask([user('Hi')]);
    expect([thoughts, text]).toEqual(['AB', 'C']);
  });

  test('that stand in the answer are told apart, however the tags are torn', async () => {
    const said = '\n<think>\nA <b> c</thin</think>\n\nAnswer <think> stays.';
    for (const size of [1, 2, 3, 7, 100]) {
      const steps = said.match(new RegExp(`[^]{1,${size}}`, 'g'))!.map(chat.text);
      server.script(steps);
      const { thoughts, text } = await ask([user('Hi')]);
      expect([thoughts, text.trimStart()]).toEqual(['\nA <b> c</thin', 'Answer <think> stays.']);
    }
  });

  test('are not looked for where an answer begins otherwise', async () => {
    server.script([chat.text('<'), chat.text('thing> it is')], [chat.text('<thi')]);
    expect((await ask([user('Hi')])).text).toBe('<thing> it is');
    expect((await ask([user('Hi')])).text).toBe('<thi');
  });
});

test('usage counts thoughts apart, knows what was cached, and is absent where the server is silent', async () => {
  const usage = {
    prompt_tokens: 90,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 40 },
    completion_tokens_details: { reasoning_tokens: 3 },
  };
  server.script([chat.text('a'), chat.finish('stop', usage)], [chat.text('a'), chat.finish('stop')]);
  expect(succeeded((await ask([user('Hi')])).end).usage).toEqual({
    prompt: 90,
    cached: 40,
    output: 7,
    thoughts: 3,
  });
  expect(succeeded((await ask([user('Hi')])).end).usage).toBeUndefined();
});

test('usage that is no count is none, and no more came from the cache than was sent', async () => {
  const odd = {
    prompt_tokens: 1e300,
    completion_tokens: '12' as unknown as number,
    prompt_tokens_details: { cached_tokens: -5 },
    completion_tokens_details: { reasoning_tokens: '3' as unknown as number },
  };
  const cached = { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 50 };
  server.script([chat.text('a'), chat.finish('stop', odd)], [chat.text('a'), chat.finish('stop', cached)]);
  expect(succeeded((await ask([user('Hi')])).end).usage).toEqual({
    prompt: 0,
    cached: 0,
    output: 0,
    thoughts: 0,
  });
  expect(succeeded((await ask([user('Hi')])).end).usage).toMatchObject({ prompt: 10, cached: 10 });
});

test('usage that comes with every piece counts once', async () => {
  const grows = (tokens: number) =>
    chat.chunk({ choices: [], usage: { prompt_tokens: 10, completion_tokens: tokens } });
  server.script([chat.text('a'), grows(1), chat.text('b'), grows(2), chat.finish('stop')]);
  expect(succeeded((await ask([user('Hi')])).end).usage).toMatchObject({ prompt: 10, output: 2 });
});

test('a server that answers as a whole is as good as one that streams', async () => {
  const called = { id: 'a', function: { name: 'look', arguments: '{"at":"x\\ny"}' } };
  server.script(
    chat.whole(
      { content: 'Two\nlines.', reasoning_content: 'Hm' },
      { prompt_tokens: 5, completion_tokens: 2 },
    ),
    chat.whole({ content: null, tool_calls: [called] }, undefined, 'tool_calls'),
  );
  const said = await ask([user('Hi')]);
  expect([said.text, said.thoughts, succeeded(said.end).usage?.prompt]).toEqual(['Two\nlines.', 'Hm', 5]);
  const { end } = await ask([user('Hi')], { tools: [scan] });
  expect(succeeded(end).message.parts).toEqual([
    { kind: 'call', id: 'a', name: 'look', args: { at: 'x\ny' } },
  ]);
});

test('comments, CRLF, two events in a packet, an odd field and a missing [DONE] are no problem', async () => {
  const event = (content: string, finish: string | null = null) =>
    `data:${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\r\n\r\n`;
  const packets = [
    `: keep-alive\r\n\r\nid: 1\r\n${event('A')}${event('B')}: more\r\n\r\n`,
    `event: message\r\nretry: 5\r\n${event('C')}`,
    `${event('', 'stop')}`,
  ];
  server.script([...packets.map(chat.bytes), chat.noFinish]);
  const { text, end } = await ask([user('Hi')]);
  expect([text, succeeded(end).finish]).toEqual(['ABC', 'stop']);
});

test('what a provider cannot do automatically is said without a request', async () => {
  for (const builtIn of ['webSearch', 'urlContext'] as const) {
    const error = failed((await ask([user('Hi')], { builtIn })).end);
    expect(error).toMatchObject({ kind: 'badRequest', retryable: false });
    expect(error.message).toContain('folio.provider');
  }
  expect(server.requests).toEqual([]);
});

describe('of this machine and its environment', () => {
  const variables = {
    OPENAI_ORG_ID: 'org-leak',
    OPENAI_PROJECT_ID: 'project-leak',
    OPENAI_ADMIN_KEY: 'admin-leak',
    OPENAI_CUSTOM_HEADERS: 'x-leak: header-leak',
    OPENAI_API_KEY: 'key-leak',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/leak',
  };

  beforeEach(() => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  });
  afterEach(() => void vi.unstubAllEnvs());

  test('a server learns nothing but the key that is meant for it', async () => {
    server.afterScript([chat.text('ok')]);
    await ask([user('Hi')]);
    await notify(openAiAt(server.baseUrl, '').stream(requestOf([user('Hi')])));
    await openAiAt(server.baseUrl, '').listModels(new AbortController().signal);
    const [keyed, keyless] = server.requests.map(({ headers }) => headers);
    expect(keyed?.authorization).toBe('Bearer test-key');
    expect(keyless).not.toHaveProperty('authorization');
    const all = JSON.stringify([...server.requests.map(({ headers }) => headers), ...server.lists]);
    expect(all).not.toMatch(/leak|stainless|linux/i);
    expect(server.lists).toHaveLength(1);
  });
});

test('models come with what fits, by whatever name the server has for it', async () => {
  const other = await startOpenAiServer({
    models: {
      data: [
        { id: 'vllm', max_model_len: 40_960 },
        {
          id: 'router',
          name: 'Router: Model',
          context_length: 200_000,
          top_provider: { context_length: 100_000 },
        },
        { id: 'llama', meta: { n_ctx_train: 131_072, n_ctx: 8192 } },
        { id: 'gpt-4o-mini' },
        { id: 'silent' },
        { id: 'text-embedding-3-small' },
        { id: '' },
        null,
      ],
    },
  });
  const models = await openAiAt(other.baseUrl).listModels(new AbortController().signal);
  expect(models).toEqual([
    { id: 'vllm', label: 'vllm', contextLimit: 40_960 },
    { id: 'router', label: 'Router: Model', contextLimit: 200_000 },
    { id: 'llama', label: 'llama', contextLimit: 8192 },
    { id: 'gpt-4o-mini', label: 'gpt-4o-mini', contextLimit: 128_000 },
    { id: 'silent', label: 'silent', contextLimit: 32_768 },
  ]);
  await other.dispose();
});
