/*
 * The common part of all services that offer Gemini's models: one request and its answer. The services differ in
 * their address and in their credentials.
 */

import { abortable } from '../../base/abort.ts';
import type { ModelEnd, ModelError, ModelEvent, ModelRequest } from '../../core/model.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../../platform/transport.ts';
import { addressAdvice } from '../wire/addressAdvice.ts';
import { type AlarmClock, boundedAnswer, isSuccess } from '../wire/boundedFetch.ts';
import { fetchTransport } from '../wire/fetchTransport.ts';
import { RefusedAnswer, readAnswerChunks, readText } from './answerChunks.ts';
import { AnswerGatherer, type Gathered } from './fromGemini.ts';
import { classifyFailure, refusesSignatures, withoutSignatures } from './geminiErrors.ts';
import { type HistoryJson, withHistory } from './historyJson.ts';
import type { ServiceWords } from './serviceWords.ts';
import { findStreamTrouble } from './streamCheck.ts';
import { toGemini } from './toGemini.ts';

export interface GeminiService {
  readonly words: ServiceWords;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock | undefined;
  /** Carries the requests; over `fetch` unless it is given. */
  readonly transport?: Transport | undefined;
  /** Where the service has models, for example `models`. */
  readonly shelf: string;
  /** Asked for at each request. Rejects with a `ModelError` where nothing lets in. */
  readonly enter: (signal: AbortSignal) => Promise<Entry>;
}

/** Address and credentials of a request. */
export interface Entry {
  /** With all that comes before the shelf of models. */
  readonly url: string;
  /** As it was set; empty: the service's own. */
  readonly address: string;
  /** These let the request in. */
  readonly headers: Readonly<Record<string, string>>;
  /** Kept out of what the service says. */
  readonly secret: string;
  /** Called when the service refused it. */
  readonly refused?: () => void;
}

export async function* streamGemini(
  service: GeminiService,
  history: HistoryJson,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const { messages, model } = request;
  const exchange = new GeminiExchange(service, request.signal);
  let end: ModelEnd;
  try {
    const body = () => withHistory(toGemini(request), history.encode(messages, model));
    const path = `${resourceOf(model, service)}:streamGenerateContent?alt=sse`;
    const gatherer = new AnswerGatherer(service.newId);
    for await (const chunk of readAnswerChunks(await exchange.ask(path, body)))
      yield* gatherer.addChunk(chunk);
    exchange.isOver = true;
    end = toEnd(gatherer.gathered());
  } catch (error) {
    const isRefused = refusesSignatures(error) && history.leaveOutSignatures(messages);
    end = {
      ok: false,
      error: isRefused ? withoutSignatures(service.words) : exchange.classify(error, model),
    };
  } finally {
    // Also runs when the consumer leaves early: the connection must not live on.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** A model in a list of the service; all of it may be absent. */
export interface ListedModel {
  readonly name?: string;
  readonly displayName?: string;
  readonly inputTokenLimit?: number;
  /** What can be done with it. */
  readonly supportedGenerationMethods?: readonly string[];
}

interface ModelPage {
  readonly models?: readonly ListedModel[];
  /** The other service's word. */
  readonly publisherModels?: readonly ListedModel[];
  readonly nextPageToken?: string;
}

/** All pages of the list. Rejects with a `ModelError`. */
export async function listGemini(
  service: GeminiService,
  pageSize: number,
  signal: AbortSignal,
): Promise<readonly ListedModel[]> {
  const all: ListedModel[] = [];
  let token: string | undefined = '';
  while (token !== undefined) {
    const query: string = token && `&pageToken=${encodeURIComponent(token)}`;
    const page: ModelPage = await readPage(service, `${service.shelf}?pageSize=${pageSize}${query}`, signal);
    all.push(...(page.models ?? page.publisherModels ?? []));
    token = page.nextPageToken || undefined;
  }
  return all;
}

async function readPage(service: GeminiService, path: string, signal: AbortSignal): Promise<ModelPage> {
  const exchange = new GeminiExchange(service, signal);
  try {
    const page = JSON.parse(await readText(await exchange.ask(path)));
    exchange.isOver = true;
    return page;
  } catch (error) {
    throw exchange.classify(error);
  } finally {
    exchange.close();
  }
}

/** A person may name another shelf than the usual one. */
function resourceOf(model: string, { shelf }: GeminiService): string {
  return model.includes('/') ? model : `${shelf}/${model}`;
}

function toEnd(gathered: Gathered): ModelEnd {
  const error = findStreamTrouble(gathered);
  if (error) return { ok: false, error };
  const { message, usage, citations, finish = 'FINISH_REASON_UNSPECIFIED' } = gathered;
  const cut = finish === 'MAX_TOKENS' || undefined;
  return { ok: true, message, finish, cut, citations, usage };
}

type Body = TransportRequest['body'];

/** One request and its answer: owns the connection. */
class GeminiExchange {
  private readonly service: GeminiService;
  private readonly callerSignal: AbortSignal;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  /** The answer was read to its end, so that there is nothing to break off. */
  isOver = false;
  private entry: Entry | undefined;

  constructor(service: GeminiService, callerSignal: AbortSignal) {
    this.service = service;
    this.callerSignal = callerSignal;
    // A signal of its own, since it breaks the connection off, too, when an answer is left early.
    if (callerSignal.aborted) this.forward();
    else callerSignal.addEventListener('abort', this.forward, { once: true });
  }

  /**
   * Gives the body of an answer that is a success.
   * @param body made once the request is let in; a request without one asks for something that is there
   */
  async ask(path: string, body: () => Body = () => []): Promise<AsyncIterable<Uint8Array>> {
    const { signal } = this.own;
    signal.throwIfAborted();
    this.entry = await abortable(this.service.enter(signal), signal);
    const answer = await this.send(`${this.entry.url}/${path}`, this.entry, body());
    const text = answer.body ?? noBody();
    if (!isSuccess(answer)) throw await readRefusal(answer, text);
    return text;
  }

  private send(url: string, { address, headers }: Entry, body: Body): Promise<TransportAnswer> {
    const { signal } = this.own;
    const { words, clock, transport = fetchTransport } = this.service;
    const { name: server, setting } = words;
    const advice = address === '' ? undefined : addressAdvice(words, address);
    const request = {
      url,
      method: body.length > 0 ? 'POST' : 'GET',
      headers: { 'user-agent': 'Folio', 'content-type': 'application/json', ...headers },
      body,
    } as const;
    return boundedAnswer(signal => transport.send({ ...request, signal }), url, {
      server,
      setting,
      advice,
      signal,
      clock,
    });
  }

  classify(error: unknown, model?: string): ModelError {
    const { aborted } = this.callerSignal;
    const { secret, address = '', refused } = this.entry ?? {};
    const context = { service: this.service.words, address, aborted, model, secret };
    const failure = classifyFailure(error, context);
    if (failure.kind === 'auth') refused?.();
    return failure;
  }

  close(): void {
    this.callerSignal.removeEventListener('abort', this.forward);
    if (!this.isOver) this.own.abort();
  }
}

async function readRefusal(answer: TransportAnswer, body: AsyncIterable<Uint8Array>): Promise<RefusedAnswer> {
  // The status says enough when its explanation breaks off.
  const text = await readText(body).catch(() => '');
  return new RefusedAnswer(answer.status, text, answer.header('retry-after'));
}

async function* noBody(): AsyncGenerator<Uint8Array> {}
