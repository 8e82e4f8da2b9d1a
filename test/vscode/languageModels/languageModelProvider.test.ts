import { expect, test } from 'vitest';
import type { ModelProvider } from '../../../src/extension/core/model.ts';
import { createLanguageModelProvider } from '../../../src/extension/vscode/languageModels/languageModelProvider.ts';
import type {
  AnswerPart,
  LanguageModel,
  LanguageModelRequest,
} from '../../../src/extension/vscode/languageModels/languageModels.ts';
import { failed, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const picture = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };

/** A model that says the same each time and keeps what it was asked; its measure is one token a character. */
function offering(says: readonly AnswerPart[], more: Partial<LanguageModel> = {}) {
  const asked: LanguageModelRequest[] = [];
  const counted: string[] = [];
  const offered: LanguageModel = {
    vendor: 'acme',
    id: 'fast/1',
    name: 'Fast',
    maxInputTokens: 8000,
    callsTools: true,
    seesPictures: true,
    async *send(request) {
      asked.push(request);
      yield* says;
    },
    countTokens: async text => {
      counted.push(text);
      return text.length;
    },
    ...more,
  };
  let ids = 0;
  const provider = createLanguageModelProvider({ list: async () => [offered] }, () => `own-${++ids}`);
  return { provider, asked, counted };
}

function ask(provider: ModelProvider, ...[messages, more]: Parameters<typeof requestOf>) {
  return notify(provider.stream(requestOf(messages, { model: 'acme/fast/1', ...more })));
}

const ok: readonly AnswerPart[] = [{ kind: 'text', text: 'ok' }];

test('models are named by vendor and id, with what fits into a request and without a price', async () => {
  const { provider } = offering(ok);
  expect(await provider.listModels(new AbortController().signal)).toEqual([
    { id: 'acme/fast/1', label: 'Fast (acme)', contextLimit: 8000 },
  ]);
});

test('the system comes first, calls and results keep their ids, and words follow the results', async () => {
  const { provider, asked } = offering(ok);
  const call = { kind: 'call', id: 'c1', name: 'look', args: { at: 'a' } } as const;
  const result = { kind: 'result', id: 'c1', name: 'look', ok: false, text: 'nothing' } as const;
  const history = [
    user('Hi'),
    model({ kind: 'thought', text: 'Hm' }, 'I look.', call),
    user(result, 'Faster'),
  ];
  await ask(provider, history, { system: 'Be short.', tools: [scan], temperature: 0 });
  expect(asked[0]).toEqual({
    messages: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'Be short.\n\n' },
          { kind: 'text', text: 'Hi' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: 'I look.' },
          { kind: 'call', id: 'c1', name: 'look', input: { at: 'a' } },
        ],
      },
      {
        role: 'user',
        parts: [{ kind: 'result', id: 'c1', content: [{ kind: 'text', text: 'Error: nothing' }] }],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'Faster' }] },
    ],
    tools: [scan],
    mustCall: false,
    temperature: 0,
  });
});

test('pictures go along as data, unless it is known that the model does not see', async () => {
  const result = { kind: 'result', id: '1', name: 'look', ok: true, text: 'see', blobs: [picture] } as const;
  const history = [
    user('See', { kind: 'blob', blob: picture }),
    model({ kind: 'call', id: '1', name: 'look', args: {} }),
    user(result),
  ];
  const data = { kind: 'data', mimeType: 'image/png', data: Buffer.from(picture.data, 'base64') };
  for (const [seesPictures, expected] of [
    [true, data],
    [undefined, data],
    [false, { kind: 'text', text: expect.stringContaining('image/png') }],
  ] as const) {
    const { provider, asked } = offering(ok, { seesPictures });
    await ask(provider, history, { tools: [scan] });
    const [first, , last] = asked[0]!.messages;
    expect(first?.parts[1]).toEqual(expected);
    expect(last?.parts[0]).toMatchObject({ content: [{ kind: 'text', text: 'see' }, expected] });
  }
});

test('a call keeps its id unless the history has it already, and says of others why they are none', async () => {
  const says: readonly AnswerPart[] = [
    { kind: 'call', id: 'c1', name: 'look', input: { at: 1 } },
    { kind: 'call', id: 'c2', name: 'look', input: undefined },
    { kind: 'call', id: 'c2', name: 'look', input: {} },
  ];
  const history = [
    user('Hi'),
    model({ kind: 'call', id: 'c1', name: 'look', args: {} }),
    user({ kind: 'result', id: 'c1', name: 'look', ok: true, text: '' }),
  ];
  const { end } = await ask(offering(says).provider, history, { tools: [scan] });
  expect(succeeded(end).message.parts).toEqual([
    { kind: 'call', id: 'own-1', name: 'look', args: { at: 1 } },
    { kind: 'call', id: 'c2', name: 'look', args: {} },
    { kind: 'call', id: 'own-2', name: 'look', args: {} },
  ]);
  const broken = offering([{ kind: 'call', id: 'c', name: 'look', input: '{"at":' }]);
  const second = succeeded((await ask(broken.provider, [user('Hi')], { tools: [scan] })).end);
  const unreadable = expect.stringContaining('at');
  expect(second.message.parts).toMatchObject([{ kind: 'call', args: {}, unreadable }]);
});

test('what a request takes is measured by the model, each message once', async () => {
  const { provider, counted } = offering([
    { kind: 'thought', text: 'Hm' },
    { kind: 'text', text: 'Yes.' },
  ]);
  const first = [user('Hello')];
  const asked = { system: 'Be short.' };
  const { end } = await ask(provider, first, asked);
  const head = 'Be short.\n[]'.length;
  expect(succeeded(end).usage).toEqual({ prompt: head + 5, cached: 0, output: 4, thoughts: 2 });
  counted.length = 0;
  const second = await ask(provider, [...first, model('Yes.'), user('And?')], asked);
  expect(succeeded(second.end).usage?.prompt).toBe(head + 5 + 'Yes.\nAnd?'.length);
  expect(counted.join()).not.toContain('Hello');
});

test.each([
  ['fails', async () => Promise.reject(new Error('no'))],
  ['says nothing', async () => 0],
  ['says what is no number', async () => Number.NaN],
])('where the measure %s an estimate takes its place', async (_how, countTokens) => {
  const { provider } = offering(ok, { countTokens });
  const { end } = await ask(provider, [user('x'.repeat(400))]);
  expect(succeeded(end).usage?.prompt).toBeGreaterThanOrEqual(100);
});

test('a model that does not call tools is told by name before anything is sent, and serves without tools', async () => {
  const { provider, asked } = offering(ok, { callsTools: false });
  const error = failed((await ask(provider, [user('Hi')], { tools: [scan] })).end);
  expect(error).toMatchObject({ kind: 'noTools', retryable: false });
  expect(error.message).toMatch(/^The model "Fast" cannot call tools/);
  expect(asked).toEqual([]);
  expect((await ask(provider, [user('Hi')])).text).toBe('ok');
});

test('a model that is not there is told with what to do, and so is a window without any', async () => {
  const { provider } = offering(ok);
  const other = failed((await ask(provider, [user('Hi')], { model: 'gemini-2.5-pro' })).end);
  expect(other).toMatchObject({
    kind: 'notFound',
    message: expect.stringContaining('"Folio: Select Model"'),
  });
  const none = createLanguageModelProvider({ list: async () => [] }, () => 'id');
  const error = failed((await ask(none, [user('Hi')])).end);
  expect(error).toMatchObject({ kind: 'notFound', message: expect.stringContaining('folio.provider') });
});

test('searching the web is refused in a sentence', async () => {
  const { provider, asked } = offering(ok);
  const error = failed((await ask(provider, [user('Hi')], { builtIn: 'webSearch' })).end);
  expect([error.kind, asked]).toEqual(['badRequest', []]);
});
