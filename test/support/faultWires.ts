/* Good answers and errors in the format of each wire. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { createAnthropicProvider } from '../../src/extension/models/anthropic/anthropicProvider.ts';
import { createGeminiProvider } from '../../src/extension/models/gemini/geminiProvider.ts';
import { createOpenAiProvider } from '../../src/extension/models/openai/openaiProvider.ts';
import { ResponsesProvider } from '../../src/extension/models/responses/responsesProvider.ts';
import type { AlarmClock } from '../../src/extension/models/wire/boundedSend.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { HttpTransport } from '../../src/extension/platform/http/httpTransport.ts';
import { FetchTransport } from '../../src/extension/vscode/ports/fetchTransport.ts';
import { type Block, blockEvents, eventText } from './anthropicAnswers.ts';
import { findMessagesFault } from './anthropicRequestRules.ts';
import { answerAboutModels, anthropicModels } from './anthropicServer.ts';
import { type FaultyAnswer, type FaultyRequest, respond } from './faultyServer.ts';
import { findRequestFault } from './geminiRequestRules.ts';
import { findChatFault } from './openaiRequestRules.ts';
import { type Item, itemEvents } from './responsesAnswers.ts';
import { findResponsesFault } from './responsesRequestRules.ts';
import { finishText } from './responsesServer.ts';

export interface Wire {
  readonly name: 'gemini' | 'openai' | 'openai-responses' | 'anthropic';
  readonly setting: string;
  readonly provider: (origin: string, clock: AlarmClock) => ModelProvider;
  /** Returns why the service would refuse the request. */
  readonly findFault: (request: FaultyRequest) => string | undefined;
  /** Returns a complete stream of events. */
  readonly text: (text: string) => string;
  readonly call: (name: string, args: unknown) => string;
  readonly finish: string;
  /** Returns an event with this data, for the middle of an answer. */
  readonly event: (data: string) => string;
  /** An error event in place of the rest. */
  readonly breakdown: string;
  /** Answers requests about models. */
  readonly shelved?: (path: string) => unknown;
  readonly refusals: Readonly<Record<RefusalName, FaultyAnswer>>;
}

type RefusalName = 'tooMany' | 'tooManyForAWhile' | 'dayQuota' | 'wrongKey';

/** A key that must not occur in any message or journal. */
export const apiKey = 'sk-key-of-these-tests-4711';

let ids = 0;
/** Blocks of one answer have indices of their own. */
let blocks = 0;
const newId = () => `call-${++ids}`;
const transport = new NodeTransport();

const gemini: Wire = {
  name: 'gemini',
  setting: 'folio.baseUrl',
  provider: (origin, clock) => geminiOver(transport, origin, clock),
  findFault: ({ path, headers, body }) =>
    findRequestFault({
      method: 'streamGenerateContent',
      model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
      headers,
      body: JSON.parse(body),
      bytes: body.length,
      signal: new AbortController().signal,
    }),
  event: dataOnly,
  breakdown: dataOnly('{"error":{"code":503,"message":"Overloaded.","status":"UNAVAILABLE"}}'),
  text: text => geminiEvent({ parts: [{ text }], role: 'model' }),
  call: (name, args) => geminiEvent({ parts: [{ functionCall: { name, args } }], role: 'model' }),
  finish: geminiEvent({ parts: [{ text: '' }], role: 'model' }, 'STOP'),
  refusals: {
    tooMany: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', [
      quota('GenerateRequestsPerMinutePerProjectPerModel'),
    ]),
    tooManyForAWhile: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', [
      quota('GenerateRequestsPerMinutePerProjectPerModel'),
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '40s' },
    ]),
    dayQuota: googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your quota.', [
      quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    ]),
    wrongKey: googleError(400, 'INVALID_ARGUMENT', `API key not valid: ${apiKey}.`, [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
    ]),
  },
};

const openai: Wire = {
  name: 'openai',
  setting: 'folio.openai.baseUrl',
  provider: (origin, clock) =>
    createOpenAiProvider({
      apiKey: async () => apiKey,
      baseUrl: () => `${origin}/v1`,
      newId,
      transport,
      contextLimit: () => 32_768,
      clock,
    }),
  findFault: ({ body }) => findChatFault(JSON.parse(body)),
  event: dataOnly,
  breakdown: dataOnly('{"error":{"code":503,"message":"Overloaded."}}'),
  text: content => chatEvent({ content }),
  call: (name, args) =>
    chatEvent({
      tool_calls: [
        {
          index: 0,
          id: newId(),
          type: 'function',
          function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
        },
      ],
    }),
  finish: `${chatEvent({}, 'stop')}data: [DONE]\n\n`,
  refusals: {
    tooMany: chatError(429, 'Rate limit reached.', 'rate_limit_exceeded'),
    tooManyForAWhile: chatError(429, 'Rate limit reached.', 'rate_limit_exceeded', { 'retry-after': '40' }),
    dayQuota: chatError(429, 'Limit of 50 requests per day reached.', 'rate_limit_exceeded'),
    wrongKey: chatError(401, `Incorrect API key provided: ${apiKey}.`, 'invalid_api_key'),
  },
};

const model = 'gemini-2.5-pro';
const anthropicRules = { [model]: anthropicModels['claude-sonnet-4-6']! };

const anthropic: Wire = {
  name: 'anthropic',
  setting: 'folio.anthropic.baseUrl',
  provider: (origin, clock) =>
    createAnthropicProvider({
      apiKey: async () => apiKey,
      baseUrl: () => origin,
      newId,
      transport,
      clock,
      cacheLifetime: () => '5m',
    }),
  findFault: ({ headers, body }) => findMessagesFault(JSON.parse(body), headers, anthropicRules),
  shelved: path => answerAboutModels(`GET ${path}`, anthropicRules),
  event: data => `event: content_block_delta\n${dataOnly(data)}`,
  breakdown: eventText({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  text: text => anthropicBlock({ type: 'text', text }),
  call: (name, args) => {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    return anthropicBlock({ type: 'tool_use', id: newId(), name, json });
  },
  finish:
    eventText({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }) +
    eventText({ type: 'message_stop' }),
  refusals: {
    tooMany: anthropicError(429, 'rate_limit_error', 'Too many requests.', { 'retry-after': '0' }),
    tooManyForAWhile: anthropicError(429, 'rate_limit_error', 'Too many requests.', { 'retry-after': '40' }),
    dayQuota: anthropicError(429, 'rate_limit_error', 'You have reached your spend limit.'),
    wrongKey: anthropicError(401, 'authentication_error', `invalid x-api-key: ${apiKey}`),
  },
};

/** Responses, with the errors of chat completions. */
const responses: Wire = {
  name: 'openai-responses',
  setting: 'folio.openaiResponses.baseUrl',
  provider: (origin, clock) =>
    new ResponsesProvider({
      apiKey: async () => apiKey,
      baseUrl: () => `${origin}/v1`,
      newId,
      transport,
      contextLimit: () => 32_768,
      verbosity: () => undefined,
      clock,
    }),
  findFault: ({ body }) => findResponsesFault(JSON.parse(body), () => false),
  event: dataOnly,
  breakdown: eventText({ type: 'error', code: 'server_error', message: 'Overloaded.' }),
  text: text => responsesItem({ type: 'message', text }),
  call: (name, args) => {
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    return responsesItem({ type: 'function_call', id: newId(), name, json });
  },
  finish: finishText({}),
  refusals: openai.refusals,
};

export const wires: readonly Wire[] = [gemini, openai, responses, anthropic];

/** Gemini with the transport of a window. */
export const geminiInWindow: Wire = {
  ...gemini,
  provider: (origin, clock) => geminiOver(new FetchTransport(), origin, clock),
};

function geminiOver(way: HttpTransport, origin: string, clock: AlarmClock): ModelProvider {
  const connection = { apiKey: async () => apiKey, baseUrl: () => origin, newId, transport: way, clock };
  return createGeminiProvider(connection);
}

function dataOnly(data: string): string {
  return `data: ${data}\n\n`;
}

function responsesItem(item: Item): string {
  blocks += 1;
  return itemEvents(item, blocks);
}

function anthropicBlock(block: Block): string {
  blocks += 1;
  return blockEvents(block, blocks);
}

function anthropicError(
  status: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FaultyAnswer {
  const body = JSON.stringify({ type: 'error', error: { type, message } });
  return respond(status, { 'content-type': 'application/json', ...headers }, body);
}

function geminiEvent(content: object, finishReason?: string): string {
  const candidate = { content, index: 0, ...(finishReason && { finishReason }) };
  return `data: ${JSON.stringify({ candidates: [candidate] })}\r\n\r\n`;
}

function googleError(
  status: number,
  code: string,
  message: string,
  details: readonly object[],
): FaultyAnswer {
  const error = { code: status, message, status: code, details };
  return respond(status, { 'content-type': 'application/json' }, JSON.stringify({ error }));
}

function quota(quotaId: string): object {
  return { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] };
}

function chatEvent(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

function chatError(
  status: number,
  message: string,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): FaultyAnswer {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } });
  return respond(status, { 'content-type': 'application/json', ...headers }, body);
}
