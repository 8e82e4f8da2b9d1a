/* What a server may do wrong, seen through the real client. */

import { describe, expect, test } from 'vitest';
import type { ModelErrorKind } from '../../../src/extension/core/model.ts';
import { NodeTransport } from '../../../src/extension/node/http/nodeTransport.ts';
import type { WirePart } from '../../../src/extension/rehearsal/wire.ts';
import { eachTest } from '../../support/eachTest.ts';
import { FaultyServer, streamed } from '../../support/faultyServer.ts';
import * as gemini from '../../support/geminiAnswers.ts';
import { failed, geminiAt, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import { type ScriptedAnswer, startGeminiServer } from '../../support/geminiServer.ts';

const server = eachTest(() => startGeminiServer());

interface Case {
  readonly what: string;
  readonly answer: ScriptedAnswer;
  readonly kind: ModelErrorKind;
  readonly retryable: boolean;
  readonly says?: string;
}

const again = true;
const never = false;

const cases: readonly Case[] = [
  { what: 'too many requests', answer: gemini.rateLimited(), kind: 'rateLimited', retryable: again },
  {
    what: 'a used up daily quota',
    answer: gemini.dailyQuota(),
    kind: 'quota',
    retryable: never,
    says: 'Select Model',
  },
  { what: 'status 500', answer: gemini.internalError, kind: 'overloaded', retryable: again },
  { what: 'status 503', answer: gemini.unavailable, kind: 'overloaded', retryable: again },
  { what: 'a wrong key', answer: gemini.invalidKey(), kind: 'auth', retryable: never, says: 'Set API Key' },
  { what: 'status 401', answer: gemini.unauthenticated, kind: 'auth', retryable: never, says: 'Set API Key' },
  { what: 'status 403', answer: gemini.permissionDenied, kind: 'forbidden', retryable: never },
  {
    what: 'status 404',
    answer: gemini.modelNotFound,
    kind: 'notFound',
    retryable: never,
    says: 'gemini-2.5-pro',
  },
  {
    what: 'a page of a proxy',
    answer: gemini.page(502, '<h1>Bad gateway</h1>'),
    kind: 'overloaded',
    retryable: again,
  },
  {
    what: 'an error body that is not JSON',
    answer: gemini.page(503, 'oops', 'application/json'),
    kind: 'overloaded',
    retryable: again,
  },
  {
    what: 'a page instead of a stream',
    answer: gemini.page(200, '<h1>Log in</h1>'),
    kind: 'invalidStream',
    retryable: false,
  },
  {
    what: 'an error within the stream',
    answer: [gemini.text('So'), gemini.errorChunk(503, 'UNAVAILABLE', 'Overloaded.'), gemini.noFinish],
    kind: 'overloaded',
    retryable: again,
  },
  {
    what: 'a connection that breaks before the answer',
    answer: gemini.hangUp,
    kind: 'network',
    retryable: again,
  },
  {
    what: 'a connection that breaks within the answer',
    answer: [gemini.text('So'), gemini.reset],
    kind: 'network',
    retryable: again,
  },
  {
    what: 'a stream that ends within a chunk',
    answer: gemini.cutInChunk,
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'a stream that ends within a character',
    answer: gemini.cutInCharacter,
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'a chunk that is not JSON',
    answer: [gemini.text('So'), gemini.malformedChunk],
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'no finish reason',
    answer: [gemini.text('So'), gemini.noFinish],
    kind: 'invalidStream',
    retryable: again,
    says: 'ended early',
  },
  { what: 'an empty stream', answer: gemini.emptyStream, kind: 'invalidStream', retryable: again },
  {
    what: 'an empty answer',
    answer: [gemini.finish()],
    kind: 'invalidStream',
    retryable: again,
    says: 'empty answer',
  },
  {
    what: 'an answer that nobody can see',
    answer: [gemini.text('\u200b<!-- nothing -->\n')],
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'only thoughts',
    answer: [gemini.thought('Hm')],
    kind: 'invalidStream',
    retryable: again,
    says: 'thought',
  },
  {
    what: 'a malformed call',
    answer: gemini.malformedCall,
    kind: 'invalidStream',
    retryable: again,
    says: '(MALFORMED_FUNCTION_CALL: Malformed function call: print(read_file().',
  },
  {
    what: 'a call without its signature',
    answer: [gemini.finish('MISSING_THOUGHT_SIGNATURE')],
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'no text before the length limit',
    answer: [gemini.finish('MAX_TOKENS')],
    kind: 'invalidStream',
    retryable: again,
  },
  {
    what: 'the safety filter',
    answer: [gemini.text('So'), gemini.finish('SAFETY')],
    kind: 'blocked',
    retryable: never,
  },
  { what: 'recitation', answer: [gemini.finish('RECITATION')], kind: 'blocked', retryable: never },
  {
    what: 'a refused prompt',
    answer: [gemini.chunk({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }), gemini.noFinish],
    kind: 'blocked',
    retryable: never,
    says: 'refused the prompt (PROHIBITED_CONTENT).',
  },
  {
    what: 'a prompt refused in words',
    answer: [
      gemini.chunk({
        promptFeedback: {
          blockReason: 'MODEL_ARMOR',
          blockReasonMessage: 'A filter of injections found it.',
        },
      }),
      gemini.noFinish,
    ],
    kind: 'blocked',
    retryable: never,
    says: 'refused the prompt (MODEL_ARMOR: A filter of injections found it).',
  },
  {
    what: 'an answer that Model Armor held back',
    answer: [gemini.text('So'), gemini.finish('MODEL_ARMOR', undefined, 'The answer met the hate filter.')],
    kind: 'blocked',
    retryable: never,
    says: 'against its rules (MODEL_ARMOR: The answer met the hate filter).',
  },
  {
    what: 'another reason, named in words',
    answer: [gemini.finish('OTHER', undefined, 'The region\nis not served.')],
    kind: 'blocked',
    retryable: never,
    says: 'Gemini stopped (OTHER: The region is not served).',
  },
  {
    what: 'another reason that is not named',
    answer: [gemini.finish('OTHER')],
    kind: 'blocked',
    retryable: never,
    says: 'of an unknown reason (OTHER).',
  },
];

describe('the end of a request tells', () => {
  for (const { what, answer, kind, retryable, says } of cases) {
    test(`${what} as ${kind}, ${retryable ? 'to be tried again' : 'not to be tried again'}`, async () => {
      server.script(answer);
      const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
      const error = failed(end);
      expect({ kind: error.kind, retryable: error.retryable }).toEqual({ kind, retryable });
      expect(error.message).toContain(says ?? '.');
      expect(server.requests).toHaveLength(1);
    });
  }
});

test('an error in plain JSON counts within an answer, not behind one that is finished', async () => {
  const faulty = new FaultyServer();
  await faulty.start();
  const event = (candidate: object) => `data: ${JSON.stringify({ candidates: [candidate] })}\n\n`;
  const content = { parts: [{ text: 'All of it.' }], role: 'model' };
  const cancelled = `${JSON.stringify({ error: { code: 499, message: 'Cancelled.' } }, undefined, 2)}\n\n`;
  faulty.script.push(
    streamed(event({ content, finishReason: 'STOP' }), cancelled),
    streamed(event({ content }), cancelled),
  );
  const ask = async () => (await notify(geminiAt(faulty.origin).stream(requestOf([user('Hi')])))).end;
  expect(succeeded(await ask()).message.parts).toEqual([{ kind: 'text', text: 'All of it.' }]);
  expect(failed(await ask())).toMatchObject({ kind: 'network', retryable: true });
  await faulty.stop();
});

test('what was said before a break has been told', async () => {
  server.script([gemini.text('So far'), gemini.reset]);
  const { text, end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
  expect([text, end.ok]).toEqual(['So far', false]);
});

test("the server's request to wait is kept, from its details or from the header", async () => {
  const provider = geminiAt(server.baseUrl);
  server.script(
    gemini.rateLimited(34.5),
    gemini.refusal(503, 'UNAVAILABLE', 'Later.', [], { 'retry-after': '7' }),
    gemini.refusal(429, 'RESOURCE_EXHAUSTED', 'Please retry in 1.5s.'),
  );
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < 3; i++)
    waits.push(failed((await notify(provider.stream(requestOf([user('Hi')])))).end).retryAfterMs);
  expect(waits).toEqual([34_500, 7000, 1500]);
});

test('an address that is none tells which setting to correct', async () => {
  const { end } = await notify(geminiAt('not an address').stream(requestOf([user('Hi')])));
  expect(failed(end)).toMatchObject({ kind: 'badRequest', retryable: false });
  expect(failed(end).message).toContain('folio.baseUrl');
});

test('a key of impossible characters is told without quoting it', async () => {
  const { end } = await notify(geminiAt(server.baseUrl, 'schlüssel-ключ').stream(requestOf([user('Hi')])));
  expect(failed(end)).toMatchObject({ kind: 'auth', retryable: false });
  expect(failed(end).message).not.toContain('ключ');
});

test('a history that the service refuses ends with its reason', async () => {
  const { end } = await notify(
    geminiAt(server.baseUrl).stream(
      requestOf([user({ kind: 'result', id: '1', name: 'x', ok: true, text: '' })]),
    ),
  );
  expect(failed(end)).toMatchObject({ kind: 'badRequest', retryable: false, status: 400 });
  expect(failed(end).message).toContain('function call turn');
});

const hangs: readonly { readonly when: string; readonly answer: ScriptedAnswer }[] = [
  { when: 'before the headers', answer: gemini.silence },
  { when: 'after the headers', answer: [gemini.hang] },
  { when: 'within the answer', answer: [gemini.text('So'), gemini.hang] },
];

describe('a stop ends the request and its connection although the server hangs', () => {
  for (const { when, answer } of hangs) {
    test(when, async () => {
      const stop = new AbortController();
      const gone = latch();
      server.script(async request => {
        request.signal.addEventListener('abort', () => gone.resolve());
        setTimeout(() => stop.abort(), 50);
        return typeof answer === 'function' ? answer(request) : answer;
      });
      const { end } = await notify(
        geminiAt(server.baseUrl).stream(requestOf([user('Hi')], { signal: stop.signal })),
      );
      expect(failed(end)).toMatchObject({ kind: 'aborted', retryable: false });
      await gone.promise;
    });
  }

  test('before anything was sent', async () => {
    const { end } = await notify(
      geminiAt(server.baseUrl).stream(requestOf([user('Hi')], { signal: AbortSignal.abort() })),
    );
    expect(failed(end).kind).toBe('aborted');
    expect(server.requests).toEqual([]);
  });

  test('while the key is being asked for', async () => {
    const stop = new AbortController();
    const { createGeminiProvider } = await import('../../../src/extension/models/gemini/geminiProvider.ts');
    const provider = createGeminiProvider({
      apiKey: () => {
        setTimeout(() => stop.abort(), 10);
        return new Promise(() => {
          // The user never answers.
        });
      },
      baseUrl: () => server.baseUrl,
      newId: () => 'x',
      transport: new NodeTransport(),
    });
    const { end } = await notify(provider.stream(requestOf([user('Hi')], { signal: stop.signal })));
    expect(failed(end).kind).toBe('aborted');
  });
});

test('who leaves the stream early leaves no connection behind', async () => {
  const gone = latch();
  server.script(request => {
    request.signal.addEventListener('abort', () => gone.resolve());
    return [gemini.text('So'), gemini.hang];
  });
  for await (const event of geminiAt(server.baseUrl).stream(requestOf([user('Hi')]))) {
    expect(event).toEqual({ type: 'text', text: 'So' });
    break;
  }
  await gone.promise;
});

test('slow chunks arrive one by one', async () => {
  const release = latch();
  server.script([gemini.text('one'), gemini.waitFor(release.promise), gemini.pause(20), gemini.text('two')]);
  const said: string[] = [];
  for await (const event of geminiAt(server.baseUrl).stream(requestOf([user('Hi')]))) {
    if (event.type === 'text') said.push(event.text);
    else if (event.type === 'end') succeeded(event.end);
    // Would wait for ever if the first chunk only came with the second.
    release.resolve();
  }
  expect(said).toEqual(['one', 'two']);
});

describe('parts that are not what was promised', () => {
  const odd = (functionCall: unknown) => gemini.part({ functionCall } as WirePart);

  test.each([null, 'words', ['list']])('arguments %j count as none', async args => {
    server.script([odd({ name: 'read_file', args })]);
    const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
    expect(succeeded(end).message.parts).toEqual([
      { kind: 'call', id: 'call-1', name: 'read_file', args: {} },
    ]);
  });

  test('an id that is no text is replaced, a name that is none is left to the session', async () => {
    server.script([odd({ name: 'read_file', id: 7, args: {} })], [odd({ name: 7, args: {} })]);
    const provider = geminiAt(server.baseUrl);
    const { end } = await notify(provider.stream(requestOf([user('Hi')])));
    expect(succeeded(end).message.parts).toMatchObject([{ id: 'call-1' }]);
    const second = await notify(provider.stream(requestOf([user('Hi')])));
    expect(succeeded(second.end).message.parts).toMatchObject([{ kind: 'call', name: '' }]);
  });

  test('holes and texts that are no text are passed over', async () => {
    server.script([
      gemini.part(null as unknown as WirePart, { text: 5 } as unknown as WirePart),
      gemini.text('ok'),
    ]);
    const { text } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
    expect(text).toBe('ok');
  });

  test('counts that are none make neither sums nor prices wrong', async () => {
    const usage = { promptTokenCount: -90, candidatesTokenCount: 1e300, totalTokenCount: 7 };
    server.script([gemini.text('ok'), gemini.finish('STOP', usage)]);
    const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
    expect(succeeded(end).usage).toEqual({ prompt: 0, cached: 0, output: 0, thoughts: 0 });
  });

  test('a finish reason that nobody knows ends the answer well, whatever its name', async () => {
    server.script([gemini.text('ok'), gemini.finish('constructor')]);
    const { end } = await notify(geminiAt(server.baseUrl).stream(requestOf([user('Hi')])));
    expect(succeeded(end).finish).toBe('constructor');
  });
});

describe('the key', () => {
  test('is kept out of what the service says, whatever it looks like', async () => {
    server.script(gemini.refusal(403, 'PERMISSION_DENIED', 'Requests of key odd-key-1 are blocked.'));
    const { end } = await notify(geminiAt(server.baseUrl, 'odd-key-1').stream(requestOf([user('Hi')])));
    expect(failed(end).message).toContain('Requests of key [key] are blocked');
  });

  test('that cannot be sent is not quoted', async () => {
    const { end } = await notify(geminiAt(server.baseUrl, 'odd\nkey').stream(requestOf([user('Hi')])));
    expect(failed(end)).toMatchObject({ kind: 'auth', retryable: false });
    expect(failed(end).message).not.toContain('odd');
    expect(server.requests).toHaveLength(0);
  });
});

/** A promise that the test settles. */
function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
