/*
 * What a service can serve from its cache: the bytes at the beginning of a request, in the order in which the service
 * reads them, that are those of the request before. Measured at the wire, with the real system prompt.
 */

import { describe, expect, test } from 'vitest';
import type { ModelProvider } from '../../../src/extension/core/model.ts';
import type { PromptReader } from '../../../src/extension/core/prompt/promptReader.ts';
import { systemPrompt } from '../../../src/extension/core/prompt/systemPrompt.ts';
import { anthropicAt } from '../../support/anthropicClient.ts';
import { messagesAnswer } from '../../support/anthropicContractAnswers.ts';
import { startAnthropicServer } from '../../support/anthropicServer.ts';
import { makeWorld, type World } from '../../support/conversation.ts';
import { geminiAt } from '../../support/geminiClient.ts';
import { geminiAnswer } from '../../support/geminiContractAnswers.ts';
import { startGeminiServer } from '../../support/geminiServer.ts';
import { openAiAt } from '../../support/openaiClient.ts';
import { chatAnswer } from '../../support/openaiContractAnswers.ts';
import { startOpenAiServer } from '../../support/openaiServer.ts';
import type { ContractAnswer, ContractStep } from '../../support/providerContract.ts';
import { responsesAt } from '../../support/responsesClient.ts';
import { responsesAnswer } from '../../support/responsesContractAnswers.ts';
import { startResponsesServer } from '../../support/responsesServer.ts';
import { panelFacts } from '../prompt/facts.ts';

interface Wire {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly script: (answers: readonly ContractAnswer[]) => void;
  /** Each request as the service reads it. */
  readonly read: () => readonly string[];
  readonly dispose: () => Promise<void>;
}

const wires: Readonly<Record<string, () => Promise<Wire>>> = {
  'Anthropic Messages': async () => {
    const server = await startAnthropicServer();
    const unmarked = (body: unknown) =>
      JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
    return {
      provider: anthropicAt(server.baseUrl),
      model: 'claude-sonnet-4-6',
      script: answers => server.script(...answers.map(messagesAnswer)),
      read: () =>
        server.requests.map(({ body: { tools, system, messages } }) => unmarked([tools, system, messages])),
      dispose: () => server.dispose(),
    };
  },
  'OpenAI Responses': async () => {
    const server = await startResponsesServer();
    return {
      provider: responsesAt(server.baseUrl),
      model: 'gpt-5',
      script: answers => server.script(...answers.map(responsesAnswer)),
      read: () =>
        server.requests.map(({ body: { tools, instructions, input } }) =>
          JSON.stringify([tools, instructions, input]),
        ),
      dispose: () => server.dispose(),
    };
  },
  'chat completions': async () => {
    const server = await startOpenAiServer();
    return {
      provider: openAiAt(server.baseUrl),
      model: 'gpt-4.1',
      script: answers => server.script(...answers.map(chatAnswer)),
      read: () => server.requests.map(({ body: { tools, messages } }) => JSON.stringify([tools, messages])),
      dispose: () => server.dispose(),
    };
  },
  Gemini: async () => {
    const server = await startGeminiServer();
    return {
      provider: geminiAt(server.baseUrl),
      model: 'gemini-2.5-pro',
      script: answers => server.script(...answers.map(geminiAnswer)),
      read: () =>
        server.requests.map(({ body: { systemInstruction, tools, contents } }) =>
          JSON.stringify([systemInstruction, tools, contents]),
        ),
      dispose: () => server.dispose(),
    };
  },
};

const readPrompt: PromptReader['read'] = async () => facts =>
  systemPrompt({ ...panelFacts, mode: facts.mode, model: facts.model, tools: facts.toolNames });

function says(...steps: readonly ContractStep[]): ContractAnswer {
  return { kind: 'says', steps };
}

const done = says({ kind: 'text', text: 'Done.' });
const read: ContractStep = { kind: 'call', name: 'read_file', args: { file_path: 'a' } };

function opens(title: string): ContractAnswer {
  return says({ kind: 'call', name: 'create_new_topic', args: { title } }, read);
}

async function work({ session }: World, wire: Wire): Promise<void> {
  wire.script([opens('Reading'), says(read), opens('Fixing'), says(read), done]);
  await session.send('Fix it.');
  session.setMode('autoEdit');
  wire.script([says(read), opens('Checking'), done]);
  await session.send('Check it.');
  session.renameChapter(session.state.chapters.at(-1)!.id, 'Looking again');
  session.setMode('default');
  wire.script([says(read), done]);
  await session.send('Once more.');
}

/** Of each request from the second on, how much of the one before is its beginning. */
function keptShares(requests: readonly string[]): readonly number[] {
  return requests.slice(1).map((request, at) => {
    const before = requests[at]!;
    let same = 0;
    while (same < before.length && before[same] === request[same]) same++;
    return same / before.length;
  });
}

describe.each(Object.entries(wires))('requests over %s', (_name, start) => {
  test('begin as the one before did, over new chapters, other titles and other modes', async () => {
    const wire = await start();
    try {
      const { provider, model } = wire;
      const world = makeWorld({ answers: [], files: { a: 'alpha' }, provider, model, readPrompt });
      await work(world, wire);
      const shares = keptShares(wire.read());
      expect(shares).toHaveLength(9);
      expect(Math.min(...shares)).toBeGreaterThan(0.95);
      expect(wire.read().at(-1)).toContain('[Active Topic: Looking again]');
    } finally {
      await wire.dispose();
    }
  });
});
