/* Where each wire sends the text that ends a request and is not kept. */

import { describe, expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../src/protocol/events.ts';
import * as claude from '../support/anthropicAnswers.ts';
import { anthropicAt } from '../support/anthropicClient.ts';
import { startAnthropicServer } from '../support/anthropicServer.ts';
import { cachedWires } from '../support/cachedWires.ts';
import { model, notify, requestOf, succeeded, user } from '../support/geminiClient.ts';

const footer = '[Active Topic: Reading]';
const answer = { kind: 'says', steps: [{ kind: 'text', text: 'Done.' }] } as const;
const scan = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const prompt = user('Continue.');
const call = model({ kind: 'call', id: '1', name: 'look', args: {} });
const result = user({ kind: 'result', id: '1', name: 'look', ok: true, text: 'Sheep.' });

describe.each(Object.entries(cachedWires))('the footer over %s', (_name, start) => {
  test('stands at the end, and in none of the messages of the next request', async () => {
    const wire = await start();
    onTestFinished(() => wire.dispose());
    wire.script([answer, answer, answer]);
    const ask = async (messages: Parameters<typeof requestOf>[0]) => {
      const request = requestOf(messages, { model: wire.model, tools: [scan], footer });
      succeeded((await notify(wire.provider.stream(request))).end);
      return wire.read().at(-1)!;
    };
    const requests = [
      await ask([prompt]),
      await ask([prompt, call, result]),
      await ask([prompt, call, result, model('Done.'), user('Thanks.')]),
    ];
    for (const request of requests) {
      expect(request.split(footer)).toHaveLength(2);
      expect(request.slice(request.indexOf(footer) + footer.length)).toMatch(/^["\]}]*$/);
    }
  });
});

test.each([
  // A text of the user after a result would have such a model drop its thoughts of the turn.
  { name: 'claude-haiku-4-5', isInResult: true },
  { name: 'claude-sonnet-4-6', isInResult: false },
])('$name reads the footer behind what is cached', async ({ name, isInResult }) => {
  const server = await startAnthropicServer();
  try {
    server.script([claude.thought('Hm.'), claude.call('look', {}, '1')], [claude.text('Done.')]);
    const ask = async (messages: readonly Message[]) => {
      const request = requestOf(messages, { model: name, tools: [scan], footer });
      return succeeded((await notify(anthropicAt(server.baseUrl).stream(request))).end);
    };
    const { message } = await ask([prompt]);
    await ask([prompt, message, result]);
    const { messages: sent = [] } = server.requests[1]!.body;
    const text = { type: 'text', text: footer };
    const cached = { cache_control: { type: 'ephemeral' } };
    const words = { type: 'text', text: 'Sheep.' };
    expect(sent.at(-1)?.content).toEqual(
      isInResult
        ? [{ type: 'tool_result', tool_use_id: '1', content: [words, text] }]
        : [{ type: 'tool_result', tool_use_id: '1', content: [words], ...cached }, text],
    );
    expect(sent[0]?.content).toMatchObject([cached]);
  } finally {
    await server.dispose();
  }
});
