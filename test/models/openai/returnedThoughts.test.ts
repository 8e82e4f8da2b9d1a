/* Thoughts that a chat server wants back: to whom they go, in which form, and what a refusal teaches. */

import { describe, expect, test } from 'vitest';
import type { ModelProvider } from '../../../src/extension/core/model.ts';
import type { ChatDelta } from '../../../src/extension/models/openai/wire.ts';
import type { Message } from '../../../src/protocol/events.ts';
import { failed, model, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import type { ChatMessage, ChatRequestBody } from '../../support/openaiRequestRules.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/openaiServer.ts';

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const lookCall = { index: 0, id: 'call_7', function: { name: 'look', arguments: '{"at":"x"}' } };

async function withServer<T>(
  refuses: ((body: ChatRequestBody) => string | undefined) | undefined,
  act: (server: OpenAiServer, provider: ModelProvider) => Promise<T>,
): Promise<T> {
  const server = await startOpenAiServer(refuses ? { refuses } : {});
  try {
    return await act(server, openAiAt(server.baseUrl));
  } finally {
    await server.dispose();
  }
}

function ask(provider: ModelProvider, history: readonly Message[]) {
  return notify(provider.stream(requestOf(history, { model: 'deep', tools: [scan] })));
}

/** The history once the calls of its newest message are answered. */
function answered(history: readonly Message[]): readonly Message[] {
  const results = history
    .at(-1)!
    .parts.flatMap(part =>
      part.kind === 'call'
        ? [{ kind: 'result', id: part.id, name: part.name, ok: true, text: 'y' } as const]
        : [],
    );
  return [...history, user(...results)];
}

function assistantOf(server: OpenAiServer): ChatMessage | undefined {
  return server.requests.at(-1)?.body.messages?.findLast(({ role }) => role === 'assistant');
}

function streamOf(deltas: readonly ChatDelta[]): string {
  const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
  const chunks = deltas.map(delta => event({ choices: [{ delta, finish_reason: null }] }));
  return `${chunks.join('')}${event({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] })}data: [DONE]\n\n`;
}

/** What the server gets back of an answer, and the history that it stood in. */
async function returned(answer: chat.ChatAnswer) {
  return withServer(undefined, async (server, provider) => {
    server.script(answer, [chat.text('Done.')]);
    const first = succeeded((await ask(provider, [user('Hi')])).end).message;
    const history = answered([user('Hi'), first]);
    succeeded((await ask(provider, history)).end);
    return { message: assistantOf(server), history };
  });
}

const sealed = {
  type: 'reasoning.encrypted',
  data: 'c2VhbGVk+/=',
  format: 'maker-v1',
  id: 'call_7',
  index: 1,
};

describe('thoughts go back to the server that gave them, in the member in which it gave them', () => {
  const forms: readonly (readonly [string, readonly ChatDelta[], Partial<ChatMessage>])[] = [
    [
      'reasoning_content',
      [
        { reasoning_content: 'Grü' },
        { reasoning_content: 'beln.' },
        { content: 'I look.' },
        { tool_calls: [lookCall] },
      ],
      { reasoning_content: 'Grübeln.', content: 'I look.' },
    ],
    ['reasoning', [{ reasoning: 'Hm.' }, { tool_calls: [lookCall] }], { reasoning: 'Hm.', content: null }],
    [
      'reasoning_content, empty, with a call',
      [{ content: null, reasoning_content: '' }, { tool_calls: [lookCall] }],
      { reasoning_content: '' },
    ],
    [
      'reasoning_details, put together, with their seals and without the same in words',
      [
        {
          reasoning: 'Let',
          reasoning_details: [{ type: 'reasoning.text', text: 'Let', index: 0, format: 'f' }],
        },
        {
          reasoning: ' me',
          reasoning_details: [{ type: 'reasoning.text', text: ' me', index: 0, format: 'f' }],
        },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'sig', index: 0, format: 'f' }] },
        { tool_calls: [lookCall], reasoning_details: [sealed] },
      ],
      {
        reasoning_details: [
          { type: 'reasoning.text', text: 'Let me', index: 0, format: 'f', signature: 'sig' },
          sealed,
        ],
      },
    ],
    [
      'reasoning_details of several thoughts, each separately and in order',
      [
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'A', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'B', index: 0 }, null, 'no detail'] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: '1', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: '2', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'C', index: 2 }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'D', index: 3 }] },
        { tool_calls: [lookCall] },
      ],
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'AB', index: 0 },
          { type: 'reasoning.encrypted', data: '1', index: 0 },
          { type: 'reasoning.encrypted', data: '2', index: 0 },
          { type: 'reasoning.text', text: 'C', index: 2 },
          { type: 'reasoning.text', text: 'D', index: 3 },
        ],
      },
    ],
    [
      'pieces of the content',
      [
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'm.' }] }] },
        { content: [{ type: 'text', text: 'I look.' }] },
        { tool_calls: [lookCall] },
      ],
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hmm.' }], closed: true },
          { type: 'text', text: 'I look.' },
        ],
      },
    ],
  ];

  test.each(forms)('%s', async (_form, deltas, expected) => {
    const stream = streamOf(deltas);
    for (const answer of [[chat.bytes(stream), chat.noFinish], chat.tornStream(stream)]) {
      const { message } = await returned(answer);
      expect(message).toMatchObject(expected);
      const members = Object.keys(message ?? {}).filter(name => name.startsWith('reasoning'));
      expect(members).toEqual(Object.keys(expected).filter(name => name.startsWith('reasoning')));
    }
  });

  test('and so does what is sealed into a call', async () => {
    const extra = { google: { thought_signature: 'c2ln+/=' } };
    const { message } = await returned([chat.pieces({ ...lookCall, extra_content: extra })]);
    expect(message?.tool_calls).toEqual([
      { id: 'call_7', type: 'function', function: lookCall.function, extra_content: extra },
    ]);
  });

  test('also from an answer that came as a whole, and from one without calls', async () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }];
    const whole = chat.whole(
      { content: '', reasoning_details: details, tool_calls: [lookCall] },
      undefined,
      'tool_calls',
    );
    expect((await returned(whole)).message?.reasoning_details).toEqual(details);
    await withServer(undefined, async (server, provider) => {
      server.script([chat.thought('Hm.'), chat.text('Yes.')], [chat.text('Done.')]);
      const { message } = succeeded((await ask(provider, [user('Hi')])).end);
      await ask(provider, [user('Hi'), message, user('And?')]);
      expect(assistantOf(server)).toEqual({ role: 'assistant', reasoning_content: 'Hm.', content: 'Yes.' });
    });
  });

  test('but not where they stood in the text, or were nothing, or beside nothing else', async () => {
    const inline = await returned([chat.text('<think>Hm.</think>I look.'), chat.pieces(lookCall)]);
    expect(Object.keys(inline.message ?? {})).toEqual(['role', 'content', 'tool_calls']);
    await withServer(undefined, async (server, provider) => {
      server.script([chat.delta({ reasoning_content: '' }), chat.text('Yes.')], [chat.text('Done.')]);
      const { message } = succeeded((await ask(provider, [user('Hi')])).end);
      expect(message.parts).toEqual([{ kind: 'text', text: 'Yes.' }]);
      const origin = { server: '127.0.0.1', member: 'reasoning_content' };
      const alone = model({ kind: 'thought', text: 'Hm.', origin });
      succeeded((await ask(provider, [user('Hi'), alone, user('And?')])).end);
      expect(assistantOf(server)).toBeUndefined();
    });
  });

  test('to no other server, which also learns nothing of a call that was sealed', async () => {
    const extra = { google: { thought_signature: 'c2ln' } };
    const { history } = await returned([
      chat.delta({ reasoning: 'Hm.', reasoning_details: [sealed] }),
      chat.pieces({ ...lookCall, extra_content: extra }),
    ]);
    await withServer(undefined, async server => {
      server.script([chat.text('Done.')]);
      // The same server by another name.
      succeeded((await ask(openAiAt(server.baseUrl.replace('127.0.0.1', 'localhost')), history)).end);
      expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/reasoning|Hm\.|c2V|c2l|127\.0\.0\.1/);
    });
  });

  test('with the id that their call has here, where that was replaced', async () => {
    const { history } = await returned([
      chat.delta({ reasoning_details: [sealed, { type: 'reasoning.encrypted', data: 'x', id: 'other' }] }),
      chat.pieces(lookCall),
    ]);
    const renamed = history.map(message => ({
      ...message,
      parts: message.parts.map(part => ('id' in part ? { ...part, id: 'mine' } : part)),
    }));
    await withServer(undefined, async (server, provider) => {
      server.script([chat.text('Done.')]);
      succeeded((await ask(provider, renamed)).end);
      expect(assistantOf(server)?.reasoning_details?.map(({ id }) => id)).toEqual(['mine', 'other']);
    });
  });
});

test('an origin that is none, as a damaged journal may have it, is passed over', async () => {
  const server = '127.0.0.1';
  const origins = [
    null,
    7,
    {},
    { server },
    { server, sealed: 'x', member: 7 },
    { server, sealed: { reasoning_details: [7] } },
  ];
  await withServer(undefined, async (recorded, provider) => {
    recorded.script([chat.text('Done.')]);
    const damaged = origins.flatMap((origin, at) => [
      { kind: 'thought', text: 'Hm.', origin },
      { kind: 'call', id: `c${at}`, name: 'look', args: {}, origin },
    ]);
    // What a journal holds is not looked into this far when it is read.
    const history = answered([user('Hi'), { role: 'model', parts: damaged as unknown as Message['parts'] }]);
    succeeded((await ask(provider, history)).end);
    expect(Object.keys(assistantOf(recorded) ?? {})).toEqual(['role', 'content', 'tool_calls']);
  });
});

describe('a refusal teaches', () => {
  const call = (origin?: object) => model({ kind: 'call', id: 'call_7', name: 'look', args: {}, ...origin });
  const thought = {
    kind: 'thought',
    text: 'Hm.',
    origin: { server: '127.0.0.1', member: 'reasoning_content' },
  } as const;
  const assistants = ({ messages = [] }: ChatRequestBody) =>
    messages.filter(({ role }) => role === 'assistant');

  test('that each call wants a thought, if only an empty one', async () => {
    const lacks = (body: ChatRequestBody) => {
      const at = assistants(body).findIndex(
        message => message.tool_calls && message.reasoning_content === undefined,
      );
      return at < 0
        ? undefined
        : `Missing \`reasoning_content\` field in the assistant message at message index ${at}.`;
    };
    await withServer(lacks, async (server, provider) => {
      server.afterScript([chat.text('Done.')]);
      const history = answered([user('Hi'), model({ kind: 'text', text: 'Yes.' }), user('Look'), call()]);
      const error = failed((await ask(provider, history)).end);
      expect(error).toMatchObject({ kind: 'invalidStream', retryable: true });
      expect(error.message).toContain('thoughts of earlier answers');
      expect((await ask(provider, history)).text).toBe('Done.');
      expect(assistants(server.requests.at(-1)!.body).map(each => each.reasoning_content)).toEqual([
        undefined,
        '',
      ]);
    });
  });

  test('that thoughts are not wanted back', async () => {
    const refuses = (body: ChatRequestBody) =>
      assistants(body).some(({ reasoning_content: text }) => text !== undefined)
        ? "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported"
        : undefined;
    await withServer(refuses, async (server, provider) => {
      server.afterScript([chat.text('Done.')]);
      const history = answered([user('Hi'), model(thought, ...call().parts)]);
      expect(failed((await ask(provider, history)).end)).toMatchObject({
        kind: 'invalidStream',
        retryable: true,
      });
      expect((await ask(provider, history)).text).toBe('Done.');
      expect(Object.keys(assistantOf(server) ?? {})).toEqual(['role', 'content', 'tool_calls']);
    });
  });

  test('nothing where the next request would be the same', async () => {
    const refuses = () =>
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 9';
    await withServer(refuses, async (_server, provider) => {
      for (const history of [[user('Hi')], answered([user('Hi'), model(thought, ...call().parts)])]) {
        const error = failed((await ask(provider, history)).end);
        expect(error).toMatchObject({ kind: 'badRequest', retryable: false });
        expect(error.message).toContain('reasoning_content is missing');
      }
    });
  });
});
