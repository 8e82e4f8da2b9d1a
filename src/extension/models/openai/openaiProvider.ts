import { t } from '../../../protocol/language.ts';
import { abortable, eachUntilAborted } from '../../base/abort.ts';
import {
  type ModelEnd,
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  nothingBuiltIn,
} from '../../core/model.ts';
import { type CheckedAnswer, findAnswerFailure } from '../wire/answerCheck.ts';
import type { WireConnection } from '../wire/exchange.ts';
import { ChatExchange } from './chatExchange.ts';
import { ChatGatherer, type Gathered, partsOf } from './fromChat.ts';
import { parseModelList } from './models.ts';
import { TaughtReturns } from './returnedThoughts.ts';
import { toChat, toMessages } from './toChat.ts';
import type { ChatChunk } from './wire.ts';

/** Servers of one's own need no key. Addresses go up to and with `/v1`. */
interface OpenAiConnection extends WireConnection {
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly contextLimit: () => number;
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
    // The library promises more of a chunk than servers keep.
    const read: AsyncIterable<ChatChunk | null> = chunks;
    for await (const chunk of eachUntilAborted(read, signal)) yield* answer.addChunk(chunk, exchange.form);
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

/** Some servers count calls again in every answer, and the session tells calls apart by their ids. */
function takenIds({ messages }: ModelRequest): (id: string) => boolean {
  return id => messages.some(({ parts }) => parts.some(part => part.kind === 'call' && part.id === id));
}

/** Says whether the refusal was about thoughts of earlier answers, so that the same request would now carry others. */
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
  return new ModelError(
    'invalidStream',
    () =>
      t(
        'The model server {0} does not take the thoughts of earlier answers as they were sent. Retry: they are sent otherwise from now on.',
        server,
      ),
    {
      retryable: true,
    },
  );
}

function toEnd(gathered: Gathered, server: string): ModelEnd {
  const error = findAnswerFailure(classifiedOf(gathered));
  if (error) return { ok: false, error };
  const { usage, finish = '' } = gathered;
  const message = { role: 'model', parts: partsOf(gathered, server) } as const;
  const cut = finish === 'length' || undefined;
  return { ok: true, message, finish, cut, citations: [], usage };
}

function classifiedOf({ isOver, finish, calls, said, refusal }: Gathered): CheckedAnswer {
  return {
    isOver,
    ended: endings.get(finish) ?? 'normally',
    hasCalls: calls.length > 0,
    text: said.map(({ kind, text }) => (kind === 'text' ? text : '')).join(''),
    hasThought: said.some(({ kind }) => kind === 'thought'),
    refusal,
  };
}

const endings: ReadonlyMap<string | undefined, CheckedAnswer['ended']> = new Map([
  ['length', 'cut'],
  ['error', 'failed'],
  ['content_filter', 'filtered'],
  ['tool_calls', 'calls'],
]);

function listModels(connection: OpenAiConnection, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const exchange = new ChatExchange(signal);
  return exchange.settle(async () => {
    const client = await exchange.open(connection);
    const list = await abortable(client.get('/models', { signal: exchange.signal }), exchange.signal);
    return parseModelList(list, connection.contextLimit());
  });
}
