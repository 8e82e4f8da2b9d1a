import { t } from '../../../protocol/language.ts';
import {
  ModelError,
  type ModelEvent,
  type ModelInfo,
  type ModelProvider,
  type ModelRequest,
  noBuiltInError,
} from '../../core/model.ts';
import type { Verbosity } from '../../platform/settings.ts';
import { openClient } from '../openai/openClient.ts';
import { parseErrorBody } from '../wire/errorBody.ts';
import { Exchange, type WireConnection } from '../wire/exchange.ts';
import type { Service } from '../wire/service.ts';
import { streamAnswer } from '../wire/streamAnswer.ts';
import { ResponsesGatherer } from './fromResponses.ts';
import { parseResponsesModels } from './models.ts';
import { toResponses } from './toResponses.ts';

/** Addresses go up to and with `/v1`. */
interface ResponsesConnection extends WireConnection {
  /** Tokens that fit into a request of a model whose limit nobody knows. */
  readonly contextLimit: () => number;
  /** How much the user wants a model to write, where it can be told. */
  readonly verbosity: () => Verbosity | undefined;
}

/** Codes of errors that come in the place of an answer. */
const errorStatus: ReadonlyMap<string, number> = new Map([
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['invalid_prompt', 400],
  ['context_length_exceeded', 400],
]);

const responses: Service = {
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

/** OpenAI's Responses, of the service itself or of a server that speaks them. */
export class ResponsesProvider implements ModelProvider {
  private readonly connection: ResponsesConnection;
  /** Addresses whose account may not read summaries of what a model thinks, as only a refusal tells. */
  private readonly withoutSummaries = new Set<string>();

  constructor(connection: ResponsesConnection) {
    this.connection = connection;
  }

  stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { connection } = this;
    const exchange = new Exchange(responses, connection, request.signal, request);
    return streamAnswer(exchange, {
      ask: async () => {
        if (request.builtIn === 'urlContext') throw noBuiltInError(request.builtIn);
        const client = await openClient(exchange);
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
    const exchange = new Exchange(responses, connection, signal);
    return exchange.settle(async () => {
      const client = await openClient(exchange);
      return parseResponsesModels(await client.get('/models'), connection.contextLimit());
    });
  }

  /** Says whether the same request would now be another. Accounts of people that OpenAI has not verified get no summaries. */
  private learnsFrom({ refusal, hostName }: Exchange): boolean {
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
