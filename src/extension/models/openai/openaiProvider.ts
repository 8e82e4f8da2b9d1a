import { t } from '../../../protocol/language.ts';
import {
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  noBuiltInToolsError,
} from '../../core/model.ts';
import { parseErrorBody } from '../wire/errorBody.ts';
import type { ModelService } from '../wire/service.ts';
import { streamServiceAnswer } from '../wire/streamAnswer.ts';
import { type WireConnection, WireExchange } from '../wire/wireExchange.ts';
import { ChatGatherer } from './fromChat.ts';
import { parseModelList } from './models.ts';
import { openOpenAiClient } from './openOpenAiClient.ts';
import { LearnedThoughtReplays } from './returnedThoughts.ts';
import { toChat, toMessages } from './toChat.ts';

/** Self-hosted servers need no key. Addresses include `/v1`. */
interface OpenAiConnection extends WireConnection {
  /** Context size in tokens for models whose server does not report it. */
  readonly contextLimit: () => number;
}

const chatService: ModelService = {
  ownAddress: 'https://api.openai.com/v1',
  setting: 'folio.openai.baseUrl',
  variable: 'OPENAI_BASE_URL',
  nameOf: host => t('The model server {0}', host),
  missingKey: () =>
    t(
      'No OpenAI API key is set. Run "Folio: Set API Key", set OPENAI_API_KEY, or name a server that needs none with the setting folio.openai.baseUrl.',
    ),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: key => ['authorization', `Bearer ${key}`],
  keyVariable: 'OPENAI_API_KEY',
  api: () => 'chat completions',
  ending: '/v1',
  excess: /\/(chat\/completions|completions|models)$/,
  keyForm: 'openai',
  limitSetting: 'folio.openai.contextLimit',
};

/** Provider for any server with the chat-completions protocol, local or in the cloud. */
export function createOpenAiProvider(connection: OpenAiConnection): ModelProvider {
  const taught = new LearnedThoughtReplays();
  return {
    stream: request => stream(connection, request, taught),
    listModels: signal => listModels(connection, signal),
  };
}

function stream(
  connection: OpenAiConnection,
  request: ModelRequest,
  taught: LearnedThoughtReplays,
): AsyncGenerator<ModelEvent> {
  const exchange = new WireExchange(chatService, connection, request.signal, request);
  return streamServiceAnswer(exchange, {
    ask: async () => {
      if (request.builtIn) throw noBuiltInToolsError(request.builtIn);
      const client = await openOpenAiClient(exchange);
      const body = toChat(request, taught.to(exchange.hostName, request.model));
      await client.chat.completions.create(body).asResponse();
      return new ChatGatherer(connection.newId, takenIds(request));
    },
    learn: () => (learnsFrom(exchange, request, taught) ? otherThoughts(exchange.hostName) : undefined),
  });
}

/** Some servers restart their call ids with every answer, and the session identifies calls by id. */
function takenIds({ messages }: ModelRequest): (id: string) => boolean {
  return id => messages.some(({ parts }) => parts.some(part => part.kind === 'call' && part.id === id));
}

/** Returns whether the refusal was about thoughts of earlier answers, so that a retry would send others. */
function learnsFrom(
  { hostName, refusal }: WireExchange,
  { model, messages }: ModelRequest,
  taught: LearnedThoughtReplays,
): boolean {
  if (refusal?.status !== 400 && refusal?.status !== 422) return false;
  const sent = () => JSON.stringify(toMessages(messages, taught.to(hostName, model)));
  const before = sent();
  taught.learn(hostName, model, parseErrorBody(refusal.body).message);
  return sent() !== before;
}

function otherThoughts(server: string): ModelError {
  return new ModelError(
    'invalidStream',
    () =>
      t(
        'The model server {0} rejected the thoughts of earlier answers. Retry: Folio now sends them in another format.',
        server,
      ),
    {
      retryable: true,
    },
  );
}

function listModels(connection: OpenAiConnection, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const exchange = new WireExchange(chatService, connection, signal);
  return exchange.settle(async () => {
    const client = await openOpenAiClient(exchange);
    return parseModelList(await client.get('/models'), connection.contextLimit());
  });
}
