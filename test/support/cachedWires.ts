/* Each wire with a scripted server, and its requests serialised in the order of the prompt cache. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { anthropicAt } from './anthropicClient.ts';
import { messagesAnswer } from './anthropicContractAnswers.ts';
import { startAnthropicServer } from './anthropicServer.ts';
import { geminiAt } from './geminiClient.ts';
import { geminiAnswer } from './geminiContractAnswers.ts';
import { startGeminiServer } from './geminiServer.ts';
import { openAiAt } from './openaiClient.ts';
import { chatAnswer } from './openaiContractAnswers.ts';
import { startOpenAiServer } from './openaiServer.ts';
import type { ContractAnswer } from './providerContract.ts';
import { responsesAt } from './responsesClient.ts';
import { responsesAnswer } from './responsesContractAnswers.ts';
import { startResponsesServer } from './responsesServer.ts';

export interface CachedWire {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly script: (answers: readonly ContractAnswer[]) => void;
  /** Requests in cache order. */
  readonly read: () => readonly string[];
  readonly dispose: () => Promise<void>;
}

export const cachedWires: Readonly<Record<string, () => Promise<CachedWire>>> = {
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

/** Returns the length of the common prefix of two requests. */
export function sharedLength(before: string, request: string): number {
  let same = 0;
  while (same < before.length && before[same] === request[same]) same++;
  return same;
}
