/* How hard a model shall think goes out in each provider's own words, and only where the model has them. */

import { expect, onTestFinished, test } from 'vitest';
import { type Effort, effortNames, effortOf } from '../../src/extension/platform/settings.ts';
import { notify, requestOf, succeeded, user } from '../support/geminiClient.ts';
import { text } from '../support/openaiAnswers.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import { plainProvider } from '../support/plainProvider.ts';
import { type Saying, type TalkingWire, talkingWires } from '../support/talkingWires.ts';

const words = /"(?:thinkingLevel|thinkingBudget|effort|budget_tokens|reasoning_effort)":"?(\w+)/g;

async function wordsOf(wire: TalkingWire, model: string, effort: Effort | undefined): Promise<string> {
  const { end } = await notify(wire.provider.stream(requestOf([user('Hi')], { model, effort })));
  succeeded(end);
  const { bytes, fault } = wire.newest();
  expect(fault).toBeUndefined();
  return [...bytes.matchAll(words)].map(([, word]) => word).join(' ');
}

test('each wire says low, medium, high and max as its models take them', async () => {
  const answer: Saying = { kind: 'answer', thought: 'Hm.', text: 'Hello.', calls: [], seal: 'seal' };
  const reported: Record<string, readonly string[]> = {};
  for (const open of talkingWires) {
    const wire = await open(() => answer);
    onTestFinished(() => wire.dispose());
    for (const model of wire.models) {
      const said: string[] = [];
      for (const effort of effortNames) said.push(await wordsOf(wire, model, effort));
      reported[model] = said;
    }
  }
  expect(reported).toEqual({
    'gemini-3-pro-preview': ['LOW', 'LOW', 'HIGH', 'HIGH'],
    'gemini-2.5-pro': ['1024', '8192', '24576', '32768'],
    'gemini-3-flash-preview': ['LOW', 'MEDIUM', 'HIGH', 'HIGH'],
    'gemini-2.5-flash': ['1024', '8192', '24576', '24576'],
    'claude-sonnet-4-6': ['low', 'medium', 'high', 'max'],
    'claude-haiku-4-5': ['2048', '8000', '16000', '16000'],
    'claude-always-thinking': ['', '', '', ''],
    'claude-plain': ['', '', '', ''],
    qwen3: ['', '', '', ''],
    'gpt-5.1': ['low', 'medium', 'high', 'high'],
    'gpt-4.1': ['', '', '', ''],
    'gpt-5.4': ['low', 'medium', 'high', 'xhigh'],
    'gpt-6.2-sol': ['low', 'medium', 'high', 'max'],
    'gpt-5': ['low', 'medium', 'high', 'high'],
    'wire/qwen3': ['', '', '', ''],
  });
});

test('a model without a request decides itself', async () => {
  const answer: Saying = { kind: 'answer', thought: 'Hm.', text: 'Hello.', calls: [], seal: 'seal' };
  for (const open of talkingWires) {
    const wire = await open(() => answer);
    onTestFinished(() => wire.dispose());
    for (const model of wire.models)
      expect(await wordsOf(wire, model, undefined)).toBe(model === 'claude-haiku-4-5' ? '16000' : '');
  }
});

test('the setting names models, and a star all others; a change counts with the next request', async () => {
  const server = await startOpenAiServer();
  onTestFinished(() => server.dispose());
  server.afterScript([text('Hello.')]);
  let effort: Readonly<Record<string, Effort>> = { 'gpt-5': 'high', '*': 'low' };
  const provider = plainProvider({
    provider: () => 'openai',
    baseUrl: () => server.baseUrl,
    effort: model => effortOf(model, { get: () => effort as never }),
  });
  const ask = async (model: string) => {
    succeeded((await notify(provider.stream(requestOf([user('Hi')], { model })))).end);
    return server.requests.at(-1)?.body.reasoning_effort;
  };
  expect([await ask('gpt-5'), await ask('o3'), await ask('qwen3')]).toEqual(['high', 'low', undefined]);
  effort = {};
  expect(await ask('gpt-5')).toBeUndefined();
});
