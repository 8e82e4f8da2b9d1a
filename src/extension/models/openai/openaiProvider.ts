import { abortable } from '../../base/abort.ts';
import {
  type ModelEnd,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
} from '../../core/model.ts';
import { ChatExchange } from './chatExchange.ts';
import { ChatGatherer, type Gathered, partsOf } from './fromChat.ts';
import { parseModelList } from './models.ts';
import { findStreamTrouble } from './streamCheck.ts';
import { toChat } from './toChat.ts';
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
  /** How long the server may say nothing; generous unless it is given. */
  readonly silenceMs?: number;
}

/** Any server that speaks the chat-completions protocol, of one's own or in the cloud. */
export function createOpenAiProvider(connection: OpenAiConnection): ModelProvider {
  return {
    stream: request => stream(connection, request),
    listModels: signal => listModels(connection, signal),
  };
}

async function* stream(connection: OpenAiConnection, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const exchange = new ChatExchange(request.signal, request);
  let end: ModelEnd;
  try {
    if (request.builtIn) throw nothingBuiltIn(request.builtIn);
    const client = await exchange.open(connection);
    const { signal } = exchange;
    const answer = new ChatGatherer(connection.newId, takenIds(request));
    const chunks = await abortable(client.chat.completions.create(toChat(request), { signal }), signal);
    const iterator: AsyncIterator<ChatChunk | null> = chunks[Symbol.asyncIterator]();
    while (true) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) break;
      yield* answer.take(value, exchange.form);
    }
    yield* answer.end();
    end = toEnd(answer.gathered(exchange.isComplete));
  } catch (error) {
    end = { ok: false, error: exchange.classify(error) };
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

function toEnd(gathered: Gathered): ModelEnd {
  const error = findStreamTrouble(gathered);
  if (error) return { ok: false, error };
  const { usage, finish = '' } = gathered;
  const message = { role: 'model', parts: partsOf(gathered) } as const;
  const cut = finish === 'length' || undefined;
  return { ok: true, message, finish, cut, citations: [], ...(usage ? { usage } : {}) };
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
