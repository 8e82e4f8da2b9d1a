/* Answers that are right, in forms that single services give them: each in one packet, and with every byte in its own. */

import { describe, expect, test } from 'vitest';
import type { ChatChunk, ChatDelta, ChatUsage } from '../../../src/extension/models/openai/wire.ts';
import { failed, notify, requestOf, succeeded, user } from '../../support/geminiClient.ts';
import * as chat from '../../support/openaiAnswers.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';

const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };

async function ask(answer: chat.ChatAnswer) {
  const server = await startOpenAiServer();
  try {
    server.script(answer);
    return await notify(openAiAt(server.baseUrl).stream(requestOf([user('Hi')], { tools: [scan] })));
  } finally {
    await server.dispose();
  }
}

function event(chunk: ChatChunk): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...chunk })}\n\n`;
}

function said(...deltas: readonly ChatDelta[]): string {
  return deltas.map(delta => event({ choices: [{ delta }] })).join('');
}

/** The bytes in one packet, and then torn everywhere. */
function bothWays(stream: string): readonly chat.ChatAnswer[] {
  return [[chat.bytes(stream), chat.noFinish], chat.tornStream(stream)];
}

describe('a server that gives no reason for the end', () => {
  const done = 'data: [DONE]\n\n';
  const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"at":"x"}' } }] };

  test.each([done, 'data:[DONE]\n\n', 'data: [DONE]', 'data: [DONE]\r\n\r\n'])(
    'has answered once it has sent %j',
    async mark => {
      for (const answer of bothWays(
        `${said({ content: 'Grü' }, { content: 'ße.' }, { content: '' })}${mark}`,
      )) {
        const { text, end } = await ask(answer);
        expect([text, succeeded(end).finish]).toEqual(['Grüße.', '']);
      }
      for (const answer of bothWays(`${said(call)}${mark}`)) {
        expect(succeeded((await ask(answer)).end).message.parts).toMatchObject([
          { id: 'a', args: { at: 'x' } },
        ]);
      }
    },
  );

  test('has not answered without that mark, whatever it was saying', async () => {
    const streams = [
      said({ content: 'So' }, call),
      said({ content: 'data: [DONE]' }),
      `${said({ content: 'So' })}: [DONE]\n\n`,
    ];
    for (const stream of streams) {
      for (const answer of bothWays(stream))
        expect(failed((await ask(answer)).end).kind).toBe('invalidStream');
    }
  });

  test('has answered when its answer came as a whole', async () => {
    const function_ = { name: 'look', arguments: '{"at":"x"}' };
    const first = await ask(chat.whole({ content: 'Sunny.', refusal: '' }, undefined, ''));
    expect([first.text, first.end.ok]).toEqual(['Sunny.', true]);
    const second = await ask(
      chat.whole({ content: '', tool_calls: [{ id: 'a', function: function_ }] }, undefined, ''),
    );
    expect(succeeded(second.end).message.parts).toMatchObject([{ kind: 'call', id: 'a', args: { at: 'x' } }]);
  });
});

describe('a message and a delta side by side', () => {
  test('are the answer and nothing, where the answer came as a whole', async () => {
    const choice = {
      delta: { role: 'assistant', content: '' },
      message: { content: 'The whole.' },
      finish_reason: 'stop',
    };
    const { text } = await ask(chat.json(200, { object: 'chat.completion', choices: [choice] }));
    expect(text).toBe('The whole.');
  });

  test('are a piece and all that was said so far, in a stream', async () => {
    const chunks = [
      ['One', 'One'],
      [' two', 'One two'],
    ].map(([piece, all]) => event({ choices: [{ delta: { content: piece }, message: { content: all } }] }));
    const stop = event({ choices: [{ delta: {}, message: { content: 'One two' }, finish_reason: 'stop' }] });
    for (const answer of bothWays([...chunks, stop].join('')))
      expect((await ask(answer)).text).toBe('One two');
  });
});

describe('thoughts among the pieces of the content', () => {
  const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

  test('are thoughts, however the stream is torn', async () => {
    const stream = said(
      { content: [thinking('Zwölf mal')] },
      { content: [thinking(' zwölf.')] },
      { content: [{ type: 'text', text: '144' }] },
      { content: '.' },
    );
    for (const answer of bothWays(`${stream}data: [DONE]\n\n`)) {
      const { thoughts, text } = await ask(answer);
      expect([thoughts, text]).toEqual(['Zwölf mal zwölf.', '144.']);
    }
  });

  test('are thoughts in a whole answer, too, and what is no piece is passed over', async () => {
    const content = [
      thinking('Hm.'),
      null,
      7,
      { type: 'text', text: 'Yes' },
      { text: '.' },
      { type: 'reference' },
    ];
    const { thoughts, text } = await ask(chat.whole({ content }));
    expect([thoughts, text]).toEqual(['Hm.', 'Yes.']);
  });
});

describe('thoughts are counted once', () => {
  const usage = (written: number, thought: number, total?: number): ChatUsage => ({
    prompt_tokens: 100,
    completion_tokens: written,
    total_tokens: total ?? null,
    completion_tokens_details: { reasoning_tokens: thought },
  });

  test.each([
    ['among what was written', usage(40, 30, 140), { output: 10, thoughts: 30 }],
    ['beside what was written', usage(40, 30, 170), { output: 40, thoughts: 30 }],
    ['beside a word or two', usage(1, 290, 391), { output: 1, thoughts: 290 }],
    [
      'beside, as more were thought than written, without a total',
      usage(1, 290),
      { output: 1, thoughts: 290 },
    ],
    ['among, as without a total most servers do', usage(40, 30), { output: 10, thoughts: 30 }],
    ['among, where they are all of it', usage(30, 30, 130), { output: 0, thoughts: 30 }],
  ])('%s', async (_how, given, counted) => {
    const { end } = await ask([chat.text('a'), chat.finish('stop', given)]);
    expect(succeeded(end).usage).toEqual({ prompt: 100, cached: 0, ...counted });
  });
});
