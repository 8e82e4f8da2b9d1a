/*
 * A chat-completions server that says what a test wants (scriptedServer.ts), and refuses what one server or another
 * would refuse (openaiRequestRules.ts). Its steps are in openaiAnswers.ts. Point the code under test at `baseUrl`.
 */

import type { ChatChunk } from '../../src/extension/models/openai/wire.ts';
import { type ChatStep, finish, refusal } from './openaiAnswers.ts';
import { type ChatRequestBody, findChatFault } from './openaiRequestRules.ts';
import {
  isEnded,
  type RawStep,
  type Recorded,
  type Scripted,
  type ScriptedServer,
  startScriptedServer,
} from './scriptedServer.ts';

export type OpenAiServer = ScriptedServer<ChatStep, ChatRequestBody>;

export type ScriptedChat = Scripted<ChatStep, ChatRequestBody>;

export type RecordedChat = Recorded<ChatRequestBody>;

export interface OpenAiServerOptions {
  /** The body of the list of models. */
  readonly models?: unknown;
  /** The only key that is let in; by default none is needed. */
  readonly apiKey?: string;
  /** Why this server alone refuses a request with status 400; `undefined`: it does not. */
  readonly refuses?: (body: ChatRequestBody) => string | undefined;
  /** Any free one unless it is named; rejects when it is taken. */
  readonly port?: number;
}

export function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const { apiKey, models = defaultModels, refuses, port } = options;
  return startScriptedServer(
    {
      route: 'POST /v1/chat/completions',
      isLetIn: ({ authorization }) => apiKey === undefined || authorization === `Bearer ${apiKey}`,
      wrongKey: ({ authorization = 'none' }) =>
        refusal(401, `Incorrect API key provided: ${authorization}.`, 'invalid_api_key'),
      models: route => (route === 'GET /v1/models' ? models : undefined),
      findFault: body => findChatFault(body) ?? refuses?.(body),
      refusal: (status, message) => refusal(status, message),
      play: (steps, body) => complete(steps).map(step => toRaw(step, body)),
    },
    port,
  );
}

/** What tools answered last, oldest first. */
export function lastToolTexts({ body: { messages = [] } }: RecordedChat): readonly string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}

const defaultModels = { object: 'list', data: [{ id: 'qwen3', object: 'model', owned_by: 'me' }] };

function complete(steps: readonly ChatStep[]): readonly ChatStep[] {
  if (isEnded(steps)) return steps;
  const called = steps.some(step => step.kind === 'chunk' && step.chunk.choices?.[0]?.delta?.tool_calls);
  return [...steps, finish(called ? 'tool_calls' : 'stop', { prompt_tokens: 10, completion_tokens: 5 })];
}

function toRaw(step: ChatStep, body: ChatRequestBody): RawStep {
  switch (step.kind) {
    case 'chunk':
      return { kind: 'events', text: eventOf(step.chunk) };
    case 'finish': {
      const last = eventOf({ choices: [{ delta: {}, finish_reason: step.reason }] });
      // As the service does it: in a chunk of its own, and only for those who asked.
      const usage = step.usage && body.stream_options ? eventOf({ choices: [], usage: step.usage }) : '';
      return { kind: 'events', text: `${last}${usage}data: [DONE]\n\n` };
    }
    case 'bytes':
    case 'torn':
    case 'hang':
    case 'reset':
    case 'stop':
      return step;
  }
}

function eventOf(chunk: ChatChunk): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...chunk })}\n\n`;
}
