import { t } from '../../../protocol/language.ts';
import { isRecord } from '../../base/record.ts';
import {
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  noBuiltInToolsError,
} from '../../core/model.ts';
import type { Verbosity } from '../../platform/settings.ts';
import { parseModelList, thinksByDefault } from '../openai/models.ts';
import { openOpenAiClient } from '../openai/openOpenAiClient.ts';
import { parseErrorBody } from '../wire/errorBody.ts';
import type { ModelService } from '../wire/service.ts';
import { streamServiceAnswer } from '../wire/streamAnswer.ts';
import { type WireConnection, WireExchange } from '../wire/wireExchange.ts';
import { ResponsesGatherer } from './fromResponses.ts';
import { toResponses } from './toResponses.ts';

/** Addresses include `/v1`. */
interface ResponsesConnection extends WireConnection {
  /** Context size in tokens for models with an unknown limit. */
  readonly contextLimit: () => number;
  /** How much the user wants a model to write, for models that support it. */
  readonly verbosity: () => Verbosity | undefined;
}

/** HTTP status by the code of an error that replaces an answer. */
const errorStatus: ReadonlyMap<string, number> = new Map([
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
]);

const responses: ModelService = {
  ownAddress: 'https://api.openai.com/v1',
  setting: 'folio.openaiResponses.baseUrl',
  variable: 'OPENAI_BASE_URL',
  nameOf: host => (host === '' || host === 'api.openai.com' ? 'OpenAI' : t('The model server {0}', host)),
  missingKey: () => t('No OpenAI API key is set. Run "Folio: Set API Key", or set OPENAI_API_KEY.'),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: key => ['authorization', `Bearer ${key}`],
  keyVariable: 'OPENAI_API_KEY',
  api: () => t('Responses of OpenAI'),
  ending: '/v1',
  excess: /\/(responses|chat\/completions|models)$/,
  keyForm: 'openai',
  statusOf: ({ code }) => code.split(' ').flatMap(word => errorStatus.get(word) ?? [])[0],
};

/** Provider for OpenAI's Responses API, at OpenAI or at a compatible server. */
export class ResponsesProvider implements ModelProvider {
  private readonly connection: ResponsesConnection;
  /** Hosts whose account may not read thought summaries. Only a refusal shows this. */
  private readonly withoutSummaries = new Set<string>();

  constructor(connection: ResponsesConnection) {
    this.connection = connection;
  }

  stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { connection } = this;
    const exchange = new WireExchange(responses, connection, request.signal, request);
    return streamServiceAnswer(exchange, {
      ask: async () => {
        if (request.builtIn === 'urlContext') throw noBuiltInToolsError(request.builtIn);
        const client = await openOpenAiClient(exchange);
        const { hostName: server } = exchange;
        const summaries = !this.withoutSummaries.has(server);
        const body = toResponses(request, { server, summaries, verbosity: connection.verbosity() });
        await client.responses.create(body).asResponse();
        return new ResponsesGatherer(connection.newId);
      },
      learn: () => (this.learnsFrom(exchange) ? noSummaries() : undefined),
    });
  }

  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const { connection } = this;
    const exchange = new WireExchange(responses, connection, signal);
    return exchange.settle(async () => {
      const client = await openOpenAiClient(exchange);
      return parseResponsesModels(await client.get('/models'), connection.contextLimit());
    });
  }

  /** Returns whether a retry would send a different request. Accounts that OpenAI has not verified get no summaries. */
  private learnsFrom({ refusal, hostName }: WireExchange): boolean {
    if (refusal?.status !== 400 || this.withoutSummaries.has(hostName)) return false;
    const isAboutSummaries = /reasoning.summar/i.test(parseErrorBody(refusal.body).message);
    if (isAboutSummaries) this.withoutSummaries.add(hostName);
    return isAboutSummaries;
  }
}

function noSummaries(): ModelError {
  return new ModelError(
    'invalidStream',
    () =>
      t("This account cannot read summaries of the model's thoughts. Retry: Folio no longer requests them."),
    {
      retryable: true,
    },
  );
}

/**
 * Sorts OpenAI's models best first, since its list has no order.
 * @param otherwise context size in tokens for models with an unknown limit
 */
function parseResponsesModels(list: unknown, otherwise: number): readonly ModelInfo[] {
  const data = isRecord(list) && Array.isArray(list.data) ? list.data.filter(isRecord) : [];
  const fit = data.filter(({ id }) => !isForOtherThings(String(id)));
  const sorted = fit.toSorted(
    (one, other) => rankOf(one.id) - rankOf(other.id) || madeAt(other) - madeAt(one),
  );
  return parseModelList({ data: sorted }, otherwise);
}

/** Completion, audio, image and search-only models. */
function isForOtherThings(id: string): boolean {
  return /^(davinci|babbage)|turbo-instruct|audio|image|search|deep-research|computer-use/i.test(id);
}

/** Large thinking models first, then their small or very expensive variants, then the rest. */
function rankOf(id: unknown): number {
  if (typeof id !== 'string' || !thinksByDefault(id)) return 2;
  return /-(pro|mini|nano)(-|$)|codex/.test(id) ? 1 : 0;
}

function madeAt({ created }: Readonly<Record<string, unknown>>): number {
  return typeof created === 'number' ? created : 0;
}
