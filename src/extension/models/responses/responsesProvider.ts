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
import type { Verbosity } from '../../platform/settings.ts';
import { openClient } from '../openai/openClient.ts';
import { findAnswerFailure } from '../wire/answerCheck.ts';
import { parseErrorBody } from '../wire/errorBody.ts';
import { Exchange, type WireConnection } from '../wire/exchange.ts';
import type { Service } from '../wire/service.ts';
import { withoutWholeError } from '../wire/wholeError.ts';
import { ResponsesGatherer } from './fromResponses.ts';
import { parseResponsesModels } from './models.ts';
import { toResponses } from './toResponses.ts';

/** Addresses go up to and with `/v1`. */
interface ResponsesConnection extends WireConnection {
  /** Names calls that came without an id. */
  readonly newId: () => string;
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

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const exchange = new Exchange(responses, request.signal);
    let end: ModelEnd;
    try {
      if (request.builtIn === 'urlContext') throw nothingBuiltIn(request.builtIn);
      const client = await openClient(exchange, this.connection, withoutWholeError);
      const { signal, hostName } = exchange;
      const summaries = !this.withoutSummaries.has(hostName);
      const body = toResponses(request, {
        server: hostName,
        summaries,
        verbosity: this.connection.verbosity(),
      });
      const answer = new ResponsesGatherer(this.connection.newId);
      const events = await abortable(client.responses.create(body, { signal }), signal);
      for await (const event of eachUntilAborted<unknown>(events, signal)) yield* answer.take(event);
      end = toEnd(answer, hostName);
    } catch (error) {
      end = {
        ok: false,
        error: this.learnsFrom(exchange) ? noSummaries() : exchange.classify(error, request),
      };
    } finally {
      // Also runs when the consumer leaves early: the connection must not live on.
      exchange.close();
    }
    yield { type: 'end', end };
  }

  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const exchange = new Exchange(responses, signal);
    return exchange.settle(async () => {
      const client = await openClient(exchange, this.connection);
      const list = await abortable(client.get('/models', { signal: exchange.signal }), exchange.signal);
      return parseResponsesModels(list, this.connection.contextLimit());
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
      t(
        'This account may not read summaries of what the model thinks. Retry: none are asked for from now on.',
      ),
    {
      retryable: true,
    },
  );
}

function toEnd(answer: ResponsesGatherer, server: string): ModelEnd {
  const error = findAnswerFailure(answer.classified());
  if (error) return { ok: false, error };
  const { usage, finish } = answer;
  const message = { role: 'model', parts: answer.parts(server) } as const;
  return { ok: true, message, finish, cut: answer.isCut || undefined, citations: answer.citations, usage };
}
