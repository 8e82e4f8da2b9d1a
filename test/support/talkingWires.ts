/*
 * All wires with strict servers that give the same answers in their own formats, for sessions that switch between
 * providers. A new wire is one more entry of `talkingWires`.
 */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { createLanguageModelProvider } from '../../src/extension/vscode/languageModels/languageModelProvider.ts';
import * as messages from './anthropicAnswers.ts';
import { anthropicAt } from './anthropicClient.ts';
import { startAnthropicServer } from './anthropicServer.ts';
import * as gemini from './geminiAnswers.ts';
import { geminiAt } from './geminiClient.ts';
import { startGeminiServer } from './geminiServer.ts';
import { startGoogleSignIn } from './googleSignIn.ts';
import * as chat from './openaiAnswers.ts';
import { openAiAt } from './openaiClient.ts';
import { startOpenAiServer } from './openaiServer.ts';
import * as responses from './responsesAnswers.ts';
import { responsesAt } from './responsesClient.ts';
import { responsesRefusal, startResponsesServer } from './responsesServer.ts';
import { place, useCredentials, vertexAt } from './vertexClient.ts';
import { wireLanguageModels } from './wireLanguageModels.ts';

/** A wire-independent answer. Its thoughts and seals name their wire, so that others can recognise them. */
export type Saying =
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'answer';
      readonly thought: string;
      readonly text: string;
      readonly calls: readonly { readonly name: string; readonly args: object }[];
      /** Must be returned to its wire only. */
      readonly seal: string;
    };

export interface TalkingWire {
  readonly name: string;
  /** Wires that may exchange seals. A service that cannot open them reports that, and gets none afterwards. */
  readonly family: string;
  /** Models of it, each with rules of its own. */
  readonly models: readonly string[];
  readonly provider: ModelProvider;
  /** Bytes of the newest request, and why it was refused. */
  readonly newest: () => { readonly bytes: string; readonly fault: string | undefined };
  readonly dispose: () => Promise<void>;
}

type Say = () => Saying;

/** @param say called once for each accepted request */
export const talkingWires: readonly ((say: Say) => Promise<TalkingWire>)[] = [
  geminiWire,
  vertexWire,
  anthropicWire,
  responsesWire,
  chatWire,
  vscodeWire,
];

async function geminiWire(say: Say): Promise<TalkingWire> {
  const server = await startGeminiServer();
  server.afterScript(() => geminiAnswer(say()));
  return {
    name: 'gemini',
    family: 'gemini',
    models: ['gemini-3-pro-preview', 'gemini-2.5-pro'],
    provider: geminiAt(server.baseUrl),
    newest: () => newestOf(server.requests),
    dispose: () => server.dispose(),
  };
}

async function vertexWire(say: Say): Promise<TalkingWire> {
  const signIn = await startGoogleSignIn('test-key');
  const restore = useCredentials({ GOOGLE_APPLICATION_CREDENTIALS: signIn.file });
  const server = await startGeminiServer({ vertex: { ...place, token: 'test-key' } });
  server.afterScript(() => geminiAnswer(say()));
  return {
    name: 'vertex',
    family: 'gemini',
    models: ['gemini-3-flash-preview', 'gemini-2.5-flash'],
    provider: vertexAt(server.baseUrl),
    newest: () => newestOf(server.requests),
    dispose: async () => {
      restore();
      await Promise.all([server.dispose(), signIn.dispose()]);
    },
  };
}

function geminiAnswer(saying: Saying): gemini.Answer {
  if (saying.kind === 'busy') return gemini.unavailable;
  const { thought, text, calls, seal } = saying;
  const signature = Buffer.from(seal).toString('base64');
  return [
    gemini.thought(thought),
    gemini.text(text, calls.length > 0 ? undefined : signature),
    ...calls.map(({ name, args }, at) =>
      gemini.call(name, { ...args }, at === 0 ? { signature } : { id: `odd id ${at}` }),
    ),
  ];
}

async function anthropicWire(say: Say): Promise<TalkingWire> {
  const server = await startAnthropicServer();
  server.afterScript(() => messagesAnswer(say()));
  return {
    name: 'anthropic',
    family: 'anthropic',
    models: ['claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-always-thinking', 'claude-plain'],
    provider: anthropicAt(server.baseUrl),
    newest: () => newestOf(server.requests),
    dispose: () => server.dispose(),
  };
}

function messagesAnswer(saying: Saying): messages.MessagesAnswer {
  if (saying.kind === 'busy')
    return messages.refusal(529, 'overloaded_error', 'Overloaded', { 'retry-after': '0' });
  const { thought, text, calls, seal } = saying;
  return [
    messages.thought(thought),
    messages.redacted(Buffer.from(seal).toString('base64')),
    messages.text(text),
    ...calls.map(({ name, args }, at) => messages.call(name, args, `toolu_${at}`)),
  ];
}

async function responsesWire(say: Say): Promise<TalkingWire> {
  const server = await startResponsesServer();
  server.afterScript(() => responsesAnswer(say()));
  return {
    name: 'openai-responses',
    family: 'openai-responses',
    models: ['gpt-5.1', 'gpt-4.1', 'gpt-5.4', 'gpt-6.2-sol'],
    provider: responsesAt(server.baseUrl),
    newest: () => newestOf(server.requests),
    dispose: () => server.dispose(),
  };
}

function responsesAnswer(saying: Saying): responses.ResponsesAnswer {
  if (saying.kind === 'busy') return responsesRefusal(503, 'Slow down', null, { 'retry-after': '0' });
  const { thought, text, calls, seal } = saying;
  const id = Buffer.from(seal).toString('base64');
  return [
    { kind: 'item', item: { type: 'reasoning', id, summaries: [thought] } },
    responses.text(text, 'commentary'),
    ...calls.map(({ name, args }, at) => responses.call(name, args, `call_${at}`)),
  ];
}

async function chatWire(say: Say): Promise<TalkingWire> {
  const server = await startOpenAiServer();
  server.afterScript(() => chatAnswer(say()));
  return {
    name: 'openai',
    family: 'openai',
    models: ['qwen3', 'gpt-5'],
    provider: openAiAt(server.baseUrl),
    newest: () => newestOf(server.requests),
    dispose: () => server.dispose(),
  };
}

/** Encodes an answer with sealed thoughts. */
function chatAnswer(saying: Saying): chat.ChatAnswer {
  if (saying.kind === 'busy') return chat.refusal(503, 'Overloaded.', null, { 'retry-after': '0' });
  const { thought, text, calls, seal } = saying;
  const data = Buffer.from(seal).toString('base64');
  return [
    chat.delta({ reasoning: thought, reasoning_details: [{ type: 'reasoning.encrypted', data }] }),
    chat.text(text),
    ...calls.map(({ name, args }, index) => chat.call(name, args, { index, id: `call:${index}/odd id` })),
  ];
}

async function vscodeWire(say: Say): Promise<TalkingWire> {
  const server = await startOpenAiServer();
  server.afterScript(() => plainChatAnswer(say()));
  let ids = 0;
  const models = wireLanguageModels({ baseUrl: server.baseUrl });
  return {
    name: 'vscode',
    family: 'vscode',
    models: ['wire/qwen3'],
    provider: createLanguageModelProvider(models, () => `call-${++ids}`),
    newest: () => newestOf(server.requests),
    dispose: () => server.dispose(),
  };
}

/** Encodes an answer without seals, as VS Code's API passes it. */
function plainChatAnswer(saying: Saying): chat.ChatAnswer {
  const answer = chatAnswer(saying);
  if (saying.kind === 'busy' || !Array.isArray(answer)) return answer;
  return [chat.thought(saying.thought), ...(answer as readonly chat.ChatStep[]).slice(1)];
}

interface KnownRequest {
  readonly body: unknown;
  readonly fault: string | undefined;
}

function newestOf(requests: readonly KnownRequest[]): ReturnType<TalkingWire['newest']> {
  const { body, fault } = requests.at(-1)!;
  return { bytes: JSON.stringify(body), fault };
}
