import { abortable } from '../../base/abort.ts';
import {
  type ModelEnd,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from '../../core/model.ts';
import type { AlarmClock } from '../wire/boundedFetch.ts';
import { ChatExchange } from './chatExchange.ts';
import { ChatGatherer, type Gathered, partsOf } from './fromChat.ts';
import { parseModelList } from './models.ts';
import { TaughtReturns } from './returnedThoughts.ts';
import { findStreamTrouble } from './streamCheck.ts';
import { toChat, toMessages } from './toChat.ts';
import type { ChatChunk } from './wire.ts';

export interface OpenAiConnection {
  /** Asked for at each request. Servers of one's own need none. May reject. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Up to and with `/v1`. Empty: the address of OpenAI. */
  readonly baseUrl: () => string;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly contextLimit: () => number;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock;
}

/** Any server that speaks the chat-completions protocol, of one's own or in the cloud. */
export function createOpenAiProvider(connection: OpenAiConnection): ModelProvider {
  const taught = new TaughtReturns();
  return {
    stream: request => stream(connection, request, taught),
    listModels: signal => listModels(connection, signal),
  };
}

async function* stream(
  connection: OpenAiConnection,
  request: ModelRequest,
  taught: TaughtReturns,
): AsyncGenerator<ModelEvent> {
  const exchange = new ChatExchange(request.signal, request);
  let end: ModelEnd;
  try {
    if (request.builtIn) throw nothingBuiltIn(request.builtIn);
    const client = await exchange.open(connection);
    const { signal, hostName } = exchange;
    const answer = new ChatGatherer(connection.newId, takenIds(request));
    const body = toChat(request, taught.to(hostName, request.model));
    const chunks = await abortable(client.chat.completions.create(body, { signal }), signal);
    const iterator: AsyncIterator<ChatChunk | null> = chunks[Symbol.asyncIterator]();
    while (true) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) break;
      yield* answer.take(value, exchange.form);
    }
    yield* answer.end();
    end = toEnd(answer.gathered(exchange.isComplete), hostName);
  } catch (error) {
    const isTaught = !request.signal.aborted && learnsFrom(exchange, request, taught);
    end = { ok: false, error: isTaught ? otherThoughts(exchange.hostName) : exchange.classify(error) };
  } finally {
    // Also runs when the consumer leaves early: the connection must not live on.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** Some servers count calls anew in every answer, and the session tells calls apart by their ids. */
function takenIds({ messages }: ModelRequest): (id: string) => boolean {
  return id => messages.some(({ parts }) => parts.some(part => part.kind === 'call' && part.id === id));
}

/** Whether the refusal was about thoughts of earlier answers, so that the same request would now carry others. */
function learnsFrom(
  exchange: ChatExchange,
  { model, messages }: ModelRequest,
  taught: TaughtReturns,
): boolean {
  const { hostName, refusalWords } = exchange;
  if (refusalWords === '') return false;
  const sent = () => JSON.stringify(toMessages(messages, taught.to(hostName, model)));
  const before = sent();
  taught.learn(hostName, model, refusalWords);
  return sent() !== before;
}

function otherThoughts(server: string): ModelError {
  const what = `The model server ${server} does not take the thoughts of earlier answers as they were sent.`;
  return new ModelError('invalidStream', `${what} Retry: they are sent otherwise from now on.`, {
    retryable: true,
  });
}

function toEnd(gathered: Gathered, server: string): ModelEnd {
  const error = findStreamTrouble(gathered);
  if (error) return { ok: false, error };
  const { usage, finish = '' } = gathered;
  const message = { role: 'model', parts: partsOf(gathered, server) } as const;
  const cut = finish === 'length' || undefined;
  return { ok: true, message, finish, cut, citations: [], usage };
}

async function listModels(connection: OpenAiConnection, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const exchange = new ChatExchange(signal);
  try {
    const client = await exchange.open(connection);
    const list = await abortable(client.get('/models', { signal: exchange.signal }), exchange.signal);
    return parseModelList(list, connection.contextLimit());
  } catch (error) {
    throw exchange.classify(error);
  } finally {
    exchange.close();
  }
}

function nothingBuiltIn(builtIn: NonNullable<ModelRequest['builtIn']>): ModelError {
  const what = builtIn === 'webSearch' ? 'search the web' : 'read web pages';
  return new ModelError(
    'badRequest',
    `The model server does not ${what} by itself. Gemini does: choose it with the setting folio.provider.`,
    { retryable: false },
  );
}
