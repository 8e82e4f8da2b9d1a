import { expect, test } from 'vitest';
import { createGeminiProvider } from '../../../src/extension/models/gemini/geminiProvider.ts';
import { eachTest } from '../../support/eachTest.ts';
import { call, chunk, finish, part, refusal, text, thought, torn } from '../../support/geminiAnswers.ts';
import { failed, geminiAt, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { startGeminiServer } from '../../support/geminiServer.ts';
import { dot as picture } from '../../support/pictures.ts';

const server = eachTest(() =>
  startGeminiServer({
    models: ['gemini-2.5-pro', 'gemini-embedding-001', 'gemini-2.5-flash-image'],
  }),
);

const scan = {
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
};

test('text and thoughts arrive as they come and are merged in the answer', async () => {
  server.script([thought('**Think**'), thought(' hard'), text('Hel'), text('lo.')]);
  const {
    events,
    thoughts,
    text: reported,
    end,
  } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
  expect([thoughts, reported]).toEqual(['**Think** hard', 'Hello.']);
  expect(events.length).toBeGreaterThan(2);
  expect(succeeded(end).message.parts).toEqual([
    { kind: 'thought', text: '**Think** hard' },
    { kind: 'text', text: 'Hello.' },
  ]);
});

test('text that arrives together is told together, and kinds stay apart', async () => {
  const parts = [{ text: 'So', thought: true }, { text: 'Hel' }, { text: 'lo' }, { text: '.' }];
  const chunks = parts.map(part => ({ candidates: [{ content: { parts: [part] } }] }));
  const packet = chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const provider = createGeminiProvider({
    apiKey: async () => 'test-key',
    baseUrl: () => '',
    newId: () => 'id',
    transport: { send: async () => ({ status: 200, headers: {}, body: packets(packet) }) },
  });
  expect((await notify(provider.stream(requestOf([user('Hi')])))).events.slice(0, -1)).toEqual([
    { type: 'thought', text: 'So' },
    { type: 'text', text: 'Hello.' },
  ]);
});

async function* packets(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

test('characters that are torn between packets arrive whole', async () => {
  server.script([torn('Grüße 👋 日本'), text('.')]);
  const { text: reported } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
  expect(reported).toBe('Grüße 👋 日本.');
});

test('usage and the finish reason are those of the last chunk that has them', async () => {
  const usage = {
    promptTokenCount: 90,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 3,
  };
  server.script([
    chunk({ usageMetadata: { promptTokenCount: 90 } }),
    text('Cut'),
    finish('MAX_TOKENS', usage),
  ]);
  const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
  expect(succeeded(end)).toMatchObject({
    finish: 'MAX_TOKENS',
    usage: { prompt: 90, cached: 40, output: 7, thoughts: 3 },
  });
});

test('calls without an id get one, calls with an id keep it', async () => {
  server.script([call('look', { at: 'a' }), call('look', { at: 'b' }, { id: 'given' })]);
  const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')], { tools: [scan] })));
  expect(succeeded(end).message.parts).toEqual([
    { kind: 'call', id: 'call-1', name: 'look', args: { at: 'a' } },
    { kind: 'call', id: 'given', name: 'look', args: { at: 'b' } },
  ]);
});

test('an answer with a call is good even without a finish reason', async () => {
  server.script([call('look'), { kind: 'stop' }]);
  const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')], { tools: [scan] })));
  expect(succeeded(end).finish).toBe('FINISH_REASON_UNSPECIFIED');
});

test('signatures go back in the parts that they came in', async () => {
  server.script(
    [
      thought('Hm'),
      text('Let me '),
      text('see', 'c2lnLXQ='),
      call('look', {}, { signature: 'c2lnLWM=' }),
      call('look'),
    ],
    [text('Seen.'), text('', 'ZW1wdHk=')],
    [text('Bye.')],
  );
  const provider = geminiAt(server.baseUrl);
  const asked = { tools: [scan], model: 'gemini-3-pro-preview' };
  const first = succeeded((await notify(provider.stream(requestOf([user('Hi')], asked)))).end).message;
  const results = user(
    { kind: 'result', id: 'call-1', name: 'look', ok: true, text: 'a' },
    { kind: 'result', id: 'call-2', name: 'look', ok: false, text: 'b' },
  );
  const history = [user('Hi'), first, results];
  const second = succeeded((await notify(provider.stream(requestOf(history, asked)))).end).message;
  expect(server.requests[1]?.body.contents?.slice(1)).toEqual([
    {
      role: 'model',
      parts: [
        { text: 'Let me ' },
        { text: 'see', thoughtSignature: 'c2lnLXQ=' },
        { functionCall: { id: 'call-1', name: 'look', args: {} }, thoughtSignature: 'c2lnLWM=' },
        { functionCall: { id: 'call-2', name: 'look', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call-1', name: 'look', response: { output: 'a' } } },
        { functionResponse: { id: 'call-2', name: 'look', response: { error: 'b' } } },
      ],
    },
  ]);
  succeeded((await notify(provider.stream(requestOf([...history, second, user('Bye')], asked)))).end);
  expect(server.requests[2]?.body.contents?.[3]).toEqual({
    role: 'model',
    parts: [{ text: 'Seen.' }, { text: '', thoughtSignature: 'ZW1wdHk=' }],
  });
});

test('calls of the active loop that have no signature are marked for generation 3 and left alone before it', async () => {
  const done = { kind: 'result', id: '1', name: 'look', ok: true, text: 'x' } as const;
  const asked = { kind: 'call', id: '1', name: 'look', args: {} } as const;
  const history = [
    user('One'),
    model(asked),
    user(done),
    model('Done.'),
    user('Two'),
    model(asked),
    user(done),
  ];
  const provider = geminiAt(server.baseUrl);
  for (const name of ['gemini-3-flash-preview', 'gemini-2.5-pro']) {
    server.script([text('ok')]);
    succeeded((await notify(provider.stream(requestOf(history, { model: name, tools: [scan] })))).end);
  }
  const signatures = server.requests.map(({ body }) =>
    (body.contents ?? []).flatMap(({ parts = [] }) =>
      parts.filter(p => p.functionCall).map(p => p.thoughtSignature),
    ),
  );
  expect(signatures).toEqual([
    [undefined, 'skip_thought_signature_validator'],
    [undefined, undefined],
  ]);
});

test('signatures that the service cannot open, as those of another place, stay out of the next attempt', async () => {
  const history = [
    user('One'),
    model({ kind: 'thought', text: 'Hm', signature: 'b25l' }, 'I look.', {
      kind: 'call',
      id: '1',
      name: 'look',
      args: {},
      signature: 'dHdv',
    }),
    user({ kind: 'result', id: '1', name: 'look', ok: true, text: 'x' }),
  ];
  const provider = geminiAt(server.baseUrl);
  const request = () => requestOf(history, { model: 'gemini-3-pro-preview', tools: [scan] });
  const corrupted = refusal(400, 'INVALID_ARGUMENT', 'Corrupted thought signature.');
  server.script(corrupted, [text('ok')], corrupted);
  const first = failed((await notify(provider.stream(request()))).end);
  expect(first).toMatchObject({ kind: 'invalidStream', retryable: true });
  expect(first.message).toContain('Retry: Folio no longer sends them.');
  expect((await notify(provider.stream(request()))).text).toBe('ok');
  const sent = server.requests.map(({ body }) => JSON.stringify(body.contents));
  expect(sent[0]).toContain('dHdv');
  expect(sent[1]).not.toMatch(/dHdv|b25l/);
  expect(sent[1]).toContain('skip_thought_signature_validator');
  // There is nothing more to leave out: another attempt would end the same way.
  const last = failed((await notify(provider.stream(request()))).end);
  expect(last).toMatchObject({ kind: 'badRequest', retryable: false });
});

test('binary content of a result goes into it for generation 3 and beside it before', async () => {
  const history = [
    user('See', { kind: 'blob', blob: picture }),
    model({ kind: 'call', id: '1', name: 'look', args: {}, signature: 'cw==' }),
    user({ kind: 'result', id: '1', name: 'look', ok: true, text: 'a picture', blobs: [picture] }),
  ];
  const provider = geminiAt(server.baseUrl);
  for (const name of ['gemini-3-pro-preview', 'gemini-2.5-flash']) {
    server.script([text('ok')]);
    succeeded((await notify(provider.stream(requestOf(history, { model: name, tools: [scan] })))).end);
  }
  expect(server.requests[0]?.body.contents?.[0]?.parts).toEqual([{ text: 'See' }, { inlineData: picture }]);
  const response = { id: '1', name: 'look', response: { output: 'a picture' } };
  expect(server.requests.map(({ body }) => body.contents?.[2]?.parts)).toEqual([
    [{ functionResponse: { ...response, parts: [{ inlineData: picture }] } }],
    [{ functionResponse: response }, { inlineData: picture }],
  ]);
});

test('a picture in the answer becomes a part of it', async () => {
  server.script([part({ inlineData: picture })]);
  const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Draw')])));
  expect(succeeded(end).message.parts).toEqual([{ kind: 'blob', blob: picture }]);
});

test('thoughts without a signature are not sent back, and a message of nothing else is left out', async () => {
  server.script([text('ok')]);
  const history = [user('One'), model({ kind: 'thought', text: 'Hm' }), user('Two')];
  succeeded((await notify(geminiAt(server.baseUrl).stream(requestOf(history)))).end);
  expect(server.requests[0]?.body.contents).toEqual([
    { role: 'user', parts: [{ text: 'One' }, { text: 'Two' }] },
  ]);
});

test('system prompt, tools, temperature and the request for thoughts are in the request', async () => {
  server.script([text('ok')]);
  const asked = { system: 'Be short.', tools: [scan], temperature: 0.5 };
  succeeded((await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')], asked)))).end);
  const { body, headers, method, model: name } = server.requests[0]!;
  expect([method, name, headers['x-goog-api-key']]).toEqual([
    'streamGenerateContent',
    'gemini-2.5-pro',
    'test-key',
  ]);
  expect(body).toMatchObject({
    systemInstruction: { parts: [{ text: 'Be short.' }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'look', description: 'Looks.', parametersJsonSchema: scan.parameters },
        ],
      },
    ],
    generationConfig: { temperature: 0.5, thinkingConfig: { includeThoughts: true } },
  });
});

test('a model that does not think is not asked for thoughts', async () => {
  server.script([text('ok')]);
  succeeded(
    (await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')], { model: 'gemma-4-31b-it' })))).end,
  );
  expect(server.requests[0]?.body.generationConfig?.thinkingConfig).toBeUndefined();
});

test('searching and reading of the web are tools of the service, and their sources are citations', async () => {
  const groundingChunks = [
    { web: { uri: 'https://a.example', title: 'A' } },
    { web: { uri: 'https://b.example' } },
  ];
  const read = { urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' };
  const urlMetadata = [
    { retrievedUrl: 'https://c.example', ...read },
    { retrievedUrl: 'https://a.example', ...read },
    { retrievedUrl: 'https://gone.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
  ];
  server.script(
    [text('Found'), chunk({ candidates: [{ groundingMetadata: { groundingChunks } }] })],
    [text('Read'), chunk({ candidates: [{ urlContextMetadata: { urlMetadata } }] })],
    [
      text('Said'),
      chunk({ candidates: [{ citationMetadata: { citationSources: [{ uri: 'https://d.example' }] } }] }),
    ],
  );
  const provider = geminiAt(server.baseUrl);
  const search = await notify(
    provider.stream(requestOf([user('?')], { builtIn: 'webSearch', tools: [scan] })),
  );
  const fetched = await notify(provider.stream(requestOf([user('?')], { builtIn: 'urlContext' })));
  const quoted = await notify(provider.stream(requestOf([user('?')])));
  expect(server.requests.map(({ body }) => body.tools)).toEqual([
    [{ googleSearch: {} }],
    [{ urlContext: {} }],
    undefined,
  ]);
  expect(succeeded(search.end).citations).toEqual([
    { uri: 'https://a.example', title: 'A' },
    { uri: 'https://b.example' },
  ]);
  expect(succeeded(fetched.end).citations).toEqual([
    { uri: 'https://c.example' },
    { uri: 'https://a.example' },
  ]);
  expect(succeeded(quoted.end).citations).toEqual([{ uri: 'https://d.example' }]);
});

test('the model list has the models that can work as an agent, with their limits', async () => {
  const models = await geminiAt(server.baseUrl).listModels(new AbortController().signal);
  const efforts = ['low', 'medium', 'high', 'max'];
  expect(models).toEqual([
    { id: 'gemini-2.5-pro', label: 'gemini-2.5-pro', contextLimit: 1_000_000, efforts },
  ]);
});

test('listing models with a wrong key rejects with what to do', async () => {
  const strict = await startGeminiServer({ apiKey: 'right' });
  const listing = geminiAt(strict.baseUrl, 'wrong').listModels(new AbortController().signal);
  await expect(listing).rejects.toMatchObject({
    kind: 'auth',
    retryable: false,
    message: expect.stringContaining('Set API Key'),
  });
  await strict.dispose();
});

test('without a key nothing is sent', async () => {
  for (const key of ['', '  ']) {
    const { end } = await notify(geminiAt(server.baseUrl, key).stream(requestOf([user('Hi')])));
    expect(failed(end)).toMatchObject({ kind: 'auth', retryable: false });
    expect(failed(end).message).toContain('"Folio: Set API Key"');
  }
  expect(server.requests).toEqual([]);
});

test('300 requests with one signal leave no listener on it', async () => {
  server.afterScript([text('ok')]);
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(stop.signal, args);
  };
  const provider = geminiAt(server.baseUrl);
  for (let i = 0; i < 300; i++)
    await notify(provider.stream(requestOf([user('Hi')], { signal: stop.signal })));
  expect(listeners).toBe(0);
});
