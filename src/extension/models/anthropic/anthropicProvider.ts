import type { Anthropic } from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { t } from '../../../protocol/language.ts';
import {
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  noBuiltInToolsError,
} from '../../core/model.ts';
import type { TransportAnswer } from '../../platform/http/httpTransport.ts';
import type { CacheLifetime } from '../../platform/settings.ts';
import type { ModelService } from '../wire/service.ts';
import { streamServiceAnswer } from '../wire/streamAnswer.ts';
import { type WireConnection, WireExchange } from '../wire/wireExchange.ts';
import { AnthropicGatherer } from './fromAnthropic.ts';
import { type ModelAbilities, parseAbilities, parseModels, plainAbilities } from './modelList.ts';
import { toAnthropic } from './toAnthropic.ts';

/** The address may end in `/v1`. */
export interface AnthropicConnection extends WireConnection {
  readonly cacheLifetime: () => CacheLifetime;
}

/** How to reach Claude's models, at Anthropic or in another cloud. */
interface ClaudeDoor {
  readonly service: ModelService;
  readonly connection: AnthropicConnection;
  /** Returns path and body of the request for an answer. */
  readonly send: (body: MessageCreateParamsStreaming) => { readonly path: string; readonly body: object };
  /** Looks abilities up without a request. If omitted, the service is asked. */
  readonly abilities?: (model: string) => ModelAbilities;
  /** Reads the events of an answer. If omitted, they are server-sent events. */
  readonly read?: (answer: TransportAnswer, signal: AbortSignal) => AsyncIterable<readonly unknown[]>;
}

/** Provider for Anthropic's Messages API, at Anthropic or at a compatible gateway. */
export function createAnthropicProvider(connection: AnthropicConnection): ModelProvider {
  return createMessagesProvider({
    service: messagesService,
    connection,
    send: body => ({ path: '/v1/messages', body }),
  });
}

export function createMessagesProvider(door: ClaudeDoor): ModelProvider {
  const abilities = new Map<string, ModelAbilities>();
  return {
    stream: request => stream(door, request, abilities),
    listModels: signal => listModels(door.connection, signal, abilities),
  };
}

const errorStatus: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['overloaded_error', 529],
]);

export const messagesService: ModelService = {
  ownAddress: 'https://api.anthropic.com',
  setting: 'folio.anthropic.baseUrl',
  variable: 'ANTHROPIC_BASE_URL',
  nameOf: host =>
    host === '' || host === 'api.anthropic.com' ? 'Anthropic' : t('The model server {0}', host),
  missingKey: () => t('No Anthropic API key is set. Run "Folio: Set API Key", or set ANTHROPIC_API_KEY.'),
  keptHeaders: ['accept', 'content-type', 'anthropic-version'],
  keyHeader: key => ['x-api-key', key],
  keyVariable: 'ANTHROPIC_API_KEY',
  api: () => t('Messages of Anthropic'),
  ending: '',
  excess: /\/v1\/(messages|models)$/,
  keyForm: 'anthropic',
  statusOf: ({ code }) => errorStatus.get(code),
  // A rate limit says when to retry, a spending limit does not. Errors inside a stream carry no headers, and a spent
  // account never gets that far.
  isSpent: (status, { message }, wait, isInStream) =>
    (status === 429 && wait === undefined && !isInStream) ||
    (status === 400 && /credit balance|spend limit/i.test(message)),
};

function stream(
  { service, connection, send, read, abilities: byName }: ClaudeDoor,
  request: ModelRequest,
  abilities: Map<string, ModelAbilities>,
): AsyncGenerator<ModelEvent> {
  const exchange = new WireExchange(service, connection, request.signal, request);
  return streamServiceAnswer(exchange, {
    read,
    ask: async () => {
      if (request.builtIn === 'urlContext') throw noBuiltInToolsError(request.builtIn);
      const client = await openClient(exchange);
      const able =
        byName?.(request.model) ?? (await abilitiesOf(request, connection, exchange.signal, abilities));
      const { path, body } = send(toAnthropic(request, exchange.hostName, able, connection.cacheLifetime()));
      await client.post(path, { body, stream: true }).asResponse();
      return new AnthropicGatherer(connection.newId);
    },
  });
}

/** Loads the client library on the first call. */
async function openClient(exchange: WireExchange): Promise<Anthropic> {
  const address = await exchange.open();
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    // The library requires a key. The exchange sends the real one in a header of its own.
    apiKey: exchange.key ?? 'none',
    baseURL: address.replace(/\/v1$/, ''),
    webhookKey: null,
    // The core decides about retries, and `sendWithLimits` detects a silent server.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch: exchange.fetch,
  });
}

/** Comes from the list of models, or is requested before the model's first request. */
async function abilitiesOf(
  request: ModelRequest,
  connection: AnthropicConnection,
  signal: AbortSignal,
  known: Map<string, ModelAbilities>,
): Promise<ModelAbilities> {
  const key = keyOf(connection, request.model);
  const found = known.get(key);
  if (found) return found;
  const exchange = new WireExchange(messagesService, connection, signal, request);
  try {
    const entry: unknown = await exchange.settle(async () => {
      const client = await openClient(exchange);
      return client.get(`/v1/models/${encodeURIComponent(request.model)}`);
    });
    const abilities = parseAbilities(entry);
    known.set(key, abilities);
    return abilities;
  } catch (error) {
    // Some gateways have no list of models. The request itself then shows whether the model exists.
    if (/^(404|405|501)$/.test(String(exchange.refusal?.status))) return plainAbilities;
    throw error;
  }
}

function keyOf({ baseUrl }: AnthropicConnection, model: string): string {
  return `${baseUrl()} ${model}`;
}

function listModels(
  connection: AnthropicConnection,
  signal: AbortSignal,
  abilities: Map<string, ModelAbilities>,
): Promise<readonly ModelInfo[]> {
  const exchange = new WireExchange(messagesService, connection, signal);
  return exchange.settle(async () => {
    const client = await openClient(exchange);
    const list = await client.get<{ readonly data?: readonly { readonly id?: unknown }[] }>('/v1/models', {
      query: { limit: 1000 },
    });
    for (const entry of list?.data ?? [])
      abilities.set(keyOf(connection, String(entry?.id)), parseAbilities(entry));
    return parseModels(list);
  });
}
