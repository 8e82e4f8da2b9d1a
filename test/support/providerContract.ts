import { describe, expect, test } from 'vitest';
import { ModelError, type ModelErrorKind, type ModelProvider } from '../../src/extension/core/model.ts';
import type { Message } from '../../src/protocol/events.ts';
import { failed, model, notify, requestOf, succeeded, user } from './geminiClient.ts';
import { dot as picture } from './pictures.ts';

/** A provider with the server that it talks to, over a real socket. */
export interface ProviderUnderTest {
  readonly provider: ModelProvider;
  /** Adds to what the server answers. */
  readonly script: (...answers: readonly ContractAnswer[]) => void;
  /** Requests for an answer that reached the server. */
  readonly requests: () => number;
  /** The newest request says that a tool must be called. */
  readonly demandsCall: () => boolean;
  /** Resolves when the client has left the newest request. */
  readonly gone: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

export interface ContractOptions {
  /** What the provider sends; the server lets in `test-key` only. */
  readonly key?: string;
  /** Nothing listens at the provider's address. */
  readonly dead?: true;
}

/** What a server says, in words that each wire has its own form for. */
export type ContractAnswer =
  | { readonly kind: 'says'; readonly steps: readonly ContractStep[]; readonly cut?: true }
  | { readonly kind: 'fault'; readonly fault: ContractFault };

export type ContractStep =
  | { readonly kind: 'text' | 'thought' | 'torn'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'hang' };

/** How each kind of problem must be told; `retryable` is what lets the core try again. */
const faults = {
  'a limit of requests': ['rateLimited', true],
  'a used up quota': ['quota', false],
  'status 500': ['overloaded', true],
  'status 503': ['overloaded', true],
  'a page of a proxy with status 502': ['overloaded', true],
  'an error within the stream': ['overloaded', true],
  'a forbidden request': ['forbidden', false],
  'an unknown model': ['notFound', false],
  'a conversation that is too long': ['tooLarge', false],
  'a request that it cannot work with': ['badRequest', false],
  'a connection that breaks before the answer': ['network', true],
  'a connection that breaks within the answer': ['network', true],
  'a page instead of a stream': ['invalidStream', false],
  'a stream that ends within a chunk': ['invalidStream', true],
  'a stream that ends within a character': ['invalidStream', true],
  'a chunk that is not JSON': ['invalidStream', true],
  'no finish reason': ['invalidStream', true],
  'an empty stream': ['invalidStream', true],
  'an empty answer': ['invalidStream', true],
  'only thoughts': ['invalidStream', true],
  'no text before the length limit': ['invalidStream', true],
  'a filter that stops the answer': ['blocked', false],
} as const satisfies Record<string, readonly [ModelErrorKind, boolean]>;

const wrongCalls = ['a call without a name', 'a call that cannot be read'] as const;

export type ContractFault = keyof typeof faults | (typeof wrongCalls)[number] | 'silence';

/** Where a way to models cannot do what the others do. What is left out is as everywhere. */
export interface ContractDifferences {
  /** What a user does whose key is refused. */
  readonly remedy?: string;
  /** How a refused key is told. */
  readonly refusal?: ModelErrorKind;
  /** Faults that it cannot tell from others, and how they are told instead. */
  readonly notifies?: Partial<Record<ContractFault, readonly [ModelErrorKind, boolean]>>;
  /** It hears nothing of how long the server wants to be left alone. */
  readonly knowsNoIntent?: true;
  /** It does not hear why an answer ended. */
  readonly knowsNoLimit?: true;
  /** The list of models comes from this machine: there is nothing to refuse it. */
  readonly listsLocally?: true;
}

type Start = (options?: ContractOptions) => Promise<ProviderUnderTest>;
type Check = (behaviour: string, body: (subject: ProviderUnderTest) => Promise<void>) => void;

/** What every `ModelProvider` promises; call it with a maker for each. */
export function providerContract(name: string, start: Start, differences: ContractDifferences = {}): void {
  const checkWith =
    (options: ContractOptions): Check =>
    (behaviour, body) =>
      test(behaviour, async () => {
        const subject = await start(options);
        try {
          await body(subject);
        } finally {
          await subject.dispose();
        }
      });

  describe(`${name} keeps the contract of providers`, () => {
    const check = checkWith({});
    contractOfAnswers(check, differences);
    contractOfHistories(check);
    contractOfFaults(check, differences);
    contractOfRefusals(check, checkWith, differences);
    contractOfStopping(check);
    contractOfModels(check);
    if (!differences.listsLocally) contractOfRemoteLists(checkWith, differences);
  });
}

const scan = {
  name: 'look',
  description: 'Looks.',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { at: { type: 'string', description: 'Where' }, pattern: { type: 'string' } },
    required: ['at'],
  },
};

function contractOfAnswers(check: Check, { knowsNoLimit }: ContractDifferences): void {
  check(
    'text and thoughts arrive as they come and are merged in the answer',
    async ({ provider, script }) => {
      script(says(['thought', '**Think**'], ['thought', ' hard'], ['text', 'Hel'], ['text', 'lo.']));
      const { text, thoughts, events, end } = await notify(provider.stream(requestOf([user('Hi')])));
      expect([thoughts, text]).toEqual(['**Think** hard', 'Hello.']);
      // What arrives together may be told together.
      expect(events.length).toBeGreaterThan(2);
      expect(succeeded(end).message).toMatchObject({
        role: 'model',
        parts: [
          { kind: 'thought', text: '**Think** hard' },
          { kind: 'text', text: 'Hello.' },
        ],
      });
      expect(succeeded(end).usage?.prompt).toBeGreaterThan(0);
    },
  );

  check('characters that are torn between packets arrive whole', async ({ provider, script }) => {
    script(says(['torn', 'Grüße 👋 日本'], ['text', '.']));
    expect((await notify(provider.stream(requestOf([user('Hi')])))).text).toBe('Grüße 👋 日本.');
  });

  check(
    'a call is demanded where the request does, and nowhere else',
    async ({ provider, script, demandsCall }) => {
      script({ kind: 'says', steps: [call('look', {})] }, says(['text', 'Done.']));
      await notify(provider.stream(requestOf([user('Hi')], { tools: [scan], mustCall: true })));
      expect(demandsCall()).toBe(true);
      await notify(provider.stream(requestOf([user('Hi')], { tools: [scan] })));
      expect(demandsCall()).toBe(false);
    },
  );

  check(
    'calls of one answer have arguments of their own and ids that differ',
    async ({ provider, script }) => {
      const args = { at: 'a "quoted" \\ path/ü', deep: { list: [1, null, true] } };
      script({
        kind: 'says',
        steps: [...says(['text', 'I look.']).steps, call('look', args), call('look', {})],
      });
      const { end } = await notify(provider.stream(requestOf([user('Hi')], { tools: [scan] })));
      const calls = succeeded(end).message.parts.filter(part => part.kind === 'call');
      expect(calls.map(({ name, args }) => ({ name, args }))).toEqual([
        { name: 'look', args },
        { name: 'look', args: {} },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(calls.every(({ id }) => id !== '')).toBe(true);
    },
  );

  check('an answer that was cut at its length is told with its text', async ({ provider, script }) => {
    script({ ...says(['text', 'So far']), cut: true });
    const { end } = await notify(provider.stream(requestOf([user('Hi')])));
    expect(succeeded(end).message.parts).toEqual([{ kind: 'text', text: 'So far' }]);
    expect(succeeded(end).finish).not.toBe('');
    if (!knowsNoLimit) expect(succeeded(end).cut).toBe(true);
    script(says(['text', 'All of it']));
    expect(succeeded((await notify(provider.stream(requestOf([user('Hi')])))).end).cut).toBeUndefined();
  });

  if (!knowsNoLimit)
    check('calls that came whole before the length limit can run', async ({ provider, script }) => {
      script({ kind: 'says', steps: [call('look', { at: 'a' })], cut: true });
      const { end } = await notify(provider.stream(requestOf([user('Hi')], { tools: [scan] })));
      expect(succeeded(end).message.parts).toMatchObject([{ kind: 'call', name: 'look', args: { at: 'a' } }]);
    });
}

function contractOfHistories(check: Check): void {
  check('what it answered goes back together with the results', async subject => {
    const { provider, script, requests } = subject;
    const asked = { system: 'Be short.', tools: [scan], temperature: 0 };
    let history: readonly Message[] = [user('Hi')];
    for (let round = 0; round < 3; round++) {
      script({
        kind: 'says',
        steps: [
          ...says(['thought', 'Hm'], ['text', 'So.']).steps,
          call('look', { at: 'a' }),
          call('look', {}),
        ],
      });
      const { message } = succeeded((await notify(provider.stream(requestOf(history, asked)))).end);
      const results = message.parts.flatMap((part, at) =>
        part.kind === 'call'
          ? [{ kind: 'result', id: part.id, name: part.name, ok: at % 2 === 0, text: `r${at}` } as const]
          : [],
      );
      history = [...history, message, user(...results)];
    }
    const ids = history.flatMap(({ parts }) =>
      parts.flatMap(part => (part.kind === 'call' ? [part.id] : [])),
    );
    expect(new Set(ids).size).toBe(6);
    script(says(['text', 'Done.']));
    expect((await notify(provider.stream(requestOf(history, asked)))).text).toBe('Done.');
    expect(requests()).toBe(4);
  });

  check(
    'pictures, empty parts, thoughts and words in between are no problem',
    async ({ provider, script }) => {
      const result = { kind: 'result', id: '1', name: 'look', ok: true, text: '', blobs: [picture] } as const;
      const histories: readonly (readonly Message[])[] = [
        [user('See', { kind: 'blob', blob: picture })],
        [user('One'), model({ kind: 'thought', text: 'Hm' }), user('Two')],
        [user('One'), model({ kind: 'text', text: '' }, 'Yes.'), user('Two')],
        [user('One'), model({ kind: 'call', id: '1', name: 'look', args: {} }), user(result)],
        [user('One'), model({ kind: 'call', id: '1', name: 'look', args: {} }), user(result, 'Faster')],
        // As another provider may have left it.
        [user('One'), model({ kind: 'text', text: 'Yes.', signature: 'c2ln' }), user('Two')],
      ];
      for (const history of histories) {
        script(says(['text', 'ok']));
        expect((await notify(provider.stream(requestOf(history, { tools: [scan] })))).text).toBe('ok');
      }
    },
  );
}

function contractOfFaults(check: Check, { notifies }: ContractDifferences): void {
  for (const [fault, [kind, retryable]] of Object.entries({ ...faults, ...notifies }) as [
    ContractFault,
    [ModelErrorKind, boolean],
  ][]) {
    check(`${fault} is told as ${kind}, after one request`, async ({ provider, script, requests }) => {
      script({ kind: 'fault', fault });
      const error = failed((await notify(provider.stream(requestOf([user('Hi')], { tools: [scan] })))).end);
      expect({ kind: error.kind, retryable: error.retryable }).toEqual({ kind, retryable });
      expectSentence(error);
      expect(requests()).toBe(1);
    });
  }

  for (const fault of wrongCalls)
    check(`${fault} ends no request: the model hears of it`, async ({ provider, script, requests }) => {
      script({ kind: 'fault', fault });
      const { end } = await notify(provider.stream(requestOf([user('Hi')], { tools: [scan] })));
      if (end.ok) expect(end.message.parts).toMatchObject([{ kind: 'call', args: {} }]);
      else expect(end.error).toMatchObject({ retryable: true, forModel: expect.any(String) });
      expect(requests()).toBe(1);
    });

  check('what was said before a break has been told', async ({ provider, script }) => {
    script({ kind: 'fault', fault: 'a connection that breaks within the answer' });
    const { text, end } = await notify(provider.stream(requestOf([user('Hi')])));
    expect([text, end.ok]).toEqual(['So far', false]);
  });
}

type CheckWith = (options: ContractOptions) => Check;

function contractOfRefusals(
  check: Check,
  checkWith: CheckWith,
  { remedy = '"Folio: Set API Key"', refusal = 'auth', knowsNoIntent }: ContractDifferences,
): void {
  if (!knowsNoIntent)
    check("the server's request to wait is kept", async ({ provider, script }) => {
      script({ kind: 'fault', fault: 'a limit of requests' });
      const error = failed((await notify(provider.stream(requestOf([user('Hi')])))).end);
      expect(error.retryAfterMs).toBe(7000);
    });

  checkWith({ key: 'wrong-key-of-mine' })('a wrong key is told without quoting it', async ({ provider }) => {
    const error = failed((await notify(provider.stream(requestOf([user('Hi')])))).end);
    expect(error).toMatchObject({ kind: refusal, retryable: false });
    expect(error.message).toContain(remedy);
    expect(`${error.message} ${error.cause}`).not.toContain('wrong-key-of-mine');
  });

  checkWith({ dead: true })(
    'an address where nothing listens is a problem of the network',
    async ({ provider }) => {
      const error = failed((await notify(provider.stream(requestOf([user('Hi')])))).end);
      expect(error.kind).toBe('network');
      expect(error.message).toContain('ECONNREFUSED');
    },
  );
}

function contractOfStopping(check: Check): void {
  for (const [when, answer] of [
    ['before the headers', { kind: 'fault', fault: 'silence' }],
    ['after the headers', { kind: 'says', steps: [{ kind: 'hang' }] }],
    ['within the answer', { kind: 'says', steps: [{ kind: 'text', text: 'So' }, { kind: 'hang' }] }],
  ] as const) {
    check(`a stop ends a request that hangs ${when}, and its connection`, async subject => {
      subject.script(answer);
      const stop = new AbortController();
      const reported = notify(subject.provider.stream(requestOf([user('Hi')], { signal: stop.signal })));
      while (subject.requests() === 0) await new Promise(resolve => setTimeout(resolve, 5));
      const gone = subject.gone();
      stop.abort();
      expect(failed((await reported).end)).toMatchObject({ kind: 'aborted', retryable: false });
      await gone;
    });
  }

  check('who leaves early takes the connection along', async ({ provider, script, gone }) => {
    script({ kind: 'says', steps: [{ kind: 'text', text: 'So' }, { kind: 'hang' }] });
    for await (const event of provider.stream(requestOf([user('Hi')]))) {
      expect(event).toEqual({ type: 'text', text: 'So' });
      break;
    }
    await gone();
  });

  check('after a stop nothing is sent', async ({ provider, requests }) => {
    const { end } = await notify(provider.stream(requestOf([user('Hi')], { signal: AbortSignal.abort() })));
    expect(failed(end).kind).toBe('aborted');
    expect(requests()).toBe(0);
  });

  check('requests leave no listener on the signal', async ({ provider, script }) => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    for (let i = 0; i < 20; i++) {
      script(says(['text', 'ok']));
      succeeded((await notify(provider.stream(requestOf([user('Hi')], { signal })))).end);
    }
    expect(listeners).toBe(0);
  });
}

function contractOfModels(check: Check): void {
  check('models are listed with what fits into a request', async ({ provider }) => {
    const models = await provider.listModels(new AbortController().signal);
    expect(models.length).toBeGreaterThan(0);
    for (const { id, label, contextLimit } of models) {
      expect([id, label]).not.toContain('');
      expect(contextLimit).toBeGreaterThan(0);
    }
  });
}

function contractOfRemoteLists(
  checkWith: CheckWith,
  { remedy = '"Folio: Set API Key"' }: ContractDifferences,
): void {
  checkWith({ key: 'wrong' })(
    'listing models with a wrong key rejects with what to do',
    async ({ provider }) => {
      const error = await provider
        .listModels(new AbortController().signal)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ kind: 'auth', message: expect.stringContaining(remedy) });
    },
  );

  checkWith({ dead: true })('listing models where nothing listens rejects', async ({ provider }) => {
    const listing = provider.listModels(new AbortController().signal);
    await expect(listing).rejects.toMatchObject({ name: 'ModelError', kind: 'network' });
  });
}

function says(
  ...steps: readonly (readonly ['text' | 'thought' | 'torn', string])[]
): Extract<ContractAnswer, { kind: 'says' }> {
  return { kind: 'says', steps: steps.map(([kind, text]) => ({ kind, text })) };
}

function call(name: string, args: Readonly<Record<string, unknown>>): ContractStep {
  return { kind: 'call', name, args };
}

/** What happened, then what to do; without shouting. */
function expectSentence({ message }: ModelError): void {
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message).not.toMatch(/please|!|undefined|\[object/i);
}
