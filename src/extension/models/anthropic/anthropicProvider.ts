import type { Anthropic } from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { t } from '../../../protocol/language.ts';
import { abortable, eachUntilAborted } from '../../base/abort.ts';
import {
  type ModelEnd,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  nothingBuiltIn,
} from '../../core/model.ts';
import type { CacheLifetime } from '../../platform/settings.ts';
import { findAnswerFailure } from '../wire/answerCheck.ts';
import { Exchange, type WireConnection } from '../wire/exchange.ts';
import type { Service } from '../wire/service.ts';
import { withoutWholeError } from '../wire/wholeError.ts';
import { AnthropicGatherer } from './fromAnthropic.ts';
import { type ModelAbilities, parseAbilities, parseModels, plainAbilities } from './modelList.ts';
import { toAnthropic } from './toAnthropic.ts';

/** The address may end in `/v1` or not. */
export interface AnthropicConnection extends WireConnection {
  /** Names calls that came without an id. */
  readonly newId: () => string;
  readonly cacheLifetime: () => CacheLifetime;
}

/** The way to Claude's models: at Anthropic, or in a cloud of others. */
interface ClaudeDoor {
  readonly service: Service;
  readonly connection: AnthropicConnection;
  /** Makes of a request for an answer what goes out, and where. */
  readonly send: (body: MessageCreateParamsStreaming) => { readonly path: string; readonly body: object };
  /** Known without a question; absent: the service tells. */
  readonly abilities?: (model: string) => ModelAbilities;
  /** Makes of an answer what the library can read. */
  readonly frame?: (response: Response) => Promise<Response>;
  /** The server refused the key or token. */
  readonly refused?: () => void;
}

/** Anthropic's Messages, of the service itself or of a gateway that speaks them. */
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

export const messagesService: Service = {
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
  // A limit of requests says when to come back, a limit of spending does not. Within a stream neither has headers, and a
  // spent account does not get that far.
  isSpent: (status, { message }, wait, isInStream) =>
    (status === 429 && wait === undefined && !isInStream) ||
    (status === 400 && /credit balance|spend limit/i.test(message)),
};

async function* stream(
  { service, connection, send, frame, abilities: byName, refused }: ClaudeDoor,
  request: ModelRequest,
  abilities: Map<string, ModelAbilities>,
): AsyncGenerator<ModelEvent> {
  const exchange = new Exchange(service, request.signal);
  let end: ModelEnd;
  try {
    if (request.builtIn === 'urlContext') throw nothingBuiltIn(request.builtIn);
    const client = await open(exchange, connection, frame);
    const able =
      byName?.(request.model) ?? (await abilitiesOf(request, connection, exchange.signal, abilities));
    const { path, body } = send(toAnthropic(request, exchange.hostName, able, connection.cacheLifetime()));
    const { signal } = exchange;
    const answer = new AnthropicGatherer(connection.newId);
    const events = await abortable(
      client.post<AsyncIterable<unknown>>(path, { body, stream: true, signal }),
      signal,
    );
    for await (const event of eachUntilAborted(events, signal)) yield* answer.take(event);
    end = toEnd(answer, exchange.hostName);
  } catch (error) {
    if (/^40[13]$/.test(String(exchange.refusal?.status))) refused?.();
    end = { ok: false, error: exchange.classify(error, request) };
  } finally {
    // Also runs when the consumer leaves early: the connection must not live on.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** The library is loaded with the first request. */
async function open(
  exchange: Exchange,
  connection: AnthropicConnection,
  frame = withoutWholeError,
): Promise<Anthropic> {
  const address = await exchange.open(connection);
  const { Anthropic } = await import('@anthropic-ai/sdk');
  return new Anthropic({
    // The library wants one; the exchange sends the right one, in a header of its own.
    apiKey: exchange.key ?? 'none',
    baseURL: address.replace(/\/v1$/, ''),
    webhookKey: null,
    // The core decides about another attempt, and `sendBounded` says when a silent server counts as gone.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch: (url, init) => exchange.fetch(url, init, frame),
  });
}

/** Known from the list of models, or asked for before the first request of a model. */
async function abilitiesOf(
  request: ModelRequest,
  connection: AnthropicConnection,
  signal: AbortSignal,
  known: Map<string, ModelAbilities>,
): Promise<ModelAbilities> {
  const key = keyOf(connection, request.model);
  const found = known.get(key);
  if (found) return found;
  const exchange = new Exchange(messagesService, signal);
  try {
    const client = await open(exchange, connection);
    const path = `/v1/models/${encodeURIComponent(request.model)}`;
    const entry: unknown = await abortable(client.get(path, { signal: exchange.signal }), exchange.signal);
    const abilities = parseAbilities(entry);
    known.set(key, abilities);
    return abilities;
  } catch (error) {
    // Some gateways have no list of models; whether there is the model tells the request itself.
    if (/^(404|405|501)$/.test(String(exchange.refusal?.status))) return plainAbilities;
    throw exchange.classify(error, request);
  } finally {
    exchange.close();
  }
}

function keyOf({ baseUrl }: AnthropicConnection, model: string): string {
  return `${baseUrl()} ${model}`;
}

function toEnd(answer: AnthropicGatherer, server: string): ModelEnd {
  const error = findAnswerFailure(answer.classified());
  if (error) return { ok: false, error };
  const { usage, finish } = answer;
  const message = { role: 'model', parts: answer.parts(server) } as const;
  return {
    ok: true,
    message,
    finish,
    cut: answer.isCut || undefined,
    paused: answer.isPaused || undefined,
    citations: answer.citations,
    usage,
  };
}

function listModels(
  connection: AnthropicConnection,
  signal: AbortSignal,
  abilities: Map<string, ModelAbilities>,
): Promise<readonly ModelInfo[]> {
  const exchange = new Exchange(messagesService, signal);
  return exchange.settle(async () => {
    const client = await open(exchange, connection);
    const list = await abortable(
      client.get<{ readonly data?: readonly { readonly id?: unknown }[] }>('/v1/models', {
        query: { limit: 1000 },
        signal: exchange.signal,
      }),
      exchange.signal,
    );
    for (const entry of list?.data ?? [])
      abilities.set(keyOf(connection, String(entry?.id)), parseAbilities(entry));
    return parseModels(list);
  });
}
