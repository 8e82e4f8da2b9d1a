/* What a good answer, and an answer that says what is wrong, look like on each wire. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import { createGeminiProvider } from '../../src/extension/models/gemini/geminiProvider.ts';
import { createOpenAiProvider } from '../../src/extension/models/openai/openaiProvider.ts';
import type { AlarmClock } from '../../src/extension/models/wire/boundedFetch.ts';
import { type FaultyAnswer, type FaultyRequest, respond } from './faultyServer.ts';
import { findRequestFault } from './geminiRequestRules.ts';
import { findChatFault } from './openaiRequestRules.ts';

export interface Wire {
  readonly name: 'gemini' | 'openai';
  readonly setting: string;
  readonly provider: (origin: string, clock: AlarmClock) => ModelProvider;
  /** Why the service would have refused the request. */
  readonly findFault: (request: FaultyRequest) => string | undefined;
  /** Events of a stream, with what ends them. */
  readonly text: (text: string) => string;
  readonly call: (name: string, args: unknown) => string;
  readonly finish: string;
  readonly refusals: Readonly<Record<RefusalName, FaultyAnswer>>;
}

type RefusalName = 'tooMany' | 'tooManyForAWhile' | 'dayQuota' | 'wrongKey';

/** It must be in no sentence and no journal. */
export const apiKey = 'sk-key-of-these-tests-4711';

let ids = 0;
const newId = () => `call-${++ids}`;

const gemini: Wire = {
  name: 'gemini',
  setting: 'folio.baseUrl',
  provider: (origin, clock) =>
    createGeminiProvider({ apiKey: async () => apiKey, baseUrl: () => origin, newId, clock }),
  findFault: ({ path, headers, body }) =>
    findRequestFault({
      method: 'streamGenerateContent',
      model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
      headers,
      body: JSON.parse(body),
      bytes: body.length,
      signal: new AbortController().signal,
    }),
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
      contextLimit: () => 32_768,
      clock,
    }),
  findFault: ({ body }) => findChatFault(JSON.parse(body)),
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

export const wires: readonly Wire[] = [gemini, openai];

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
