/*
 * The common part of all services that offer Gemini's models: one request and its answer. The services differ in
 * their address and in their credentials.
 */

import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai/web';
import { abortable } from '../../base/abort.ts';
import { once } from '../../base/once.ts';
import { withFooter } from '../../core/history/footer.ts';
import type { ModelEnd, ModelError, ModelEvent, ModelRequest } from '../../core/model.ts';
import type { HttpTransport } from '../../platform/http/httpTransport.ts';
import { addressAdvice, originOf } from '../wire/addressAdvice.ts';
import { type AlarmClock, isOk, sendBounded, toResponse } from '../wire/boundedSend.ts';
import { readAnswerChunks } from './answerChunks.ts';
import { AnswerGatherer, type Gathered } from './fromGemini.ts';
import { classifyFailure, refusesSignatures, withoutSignatures } from './geminiErrors.ts';
import type { HistoryJson } from './historyJson.ts';
import type { ServiceWords } from './serviceWords.ts';
import { findStreamFailure } from './streamCheck.ts';
import { toGemini } from './toGemini.ts';

export interface GeminiService {
  readonly words: ServiceWords;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  readonly transport: HttpTransport;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock | undefined;
  /** Asked for at each request. Rejects with a `ModelError` where nothing lets in. */
  readonly enter: (signal: AbortSignal) => Promise<Entry>;
}

/** Address and credentials of a request. */
export interface Entry {
  readonly apiKey: string;
  readonly apiVersion: string;
  /** Empty: the service's own address. */
  readonly baseUrl: string;
  readonly vertexai?: true;
  /** Replaces the client's headers of the same names; `null` takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
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
  const exchange = new GeminiExchange(service, request.signal);
  let end: ModelEnd;
  try {
    const client = await exchange.open();
    const pieces = history.encode(withFooter(request), request.model);
    exchange.complete = body => history.putInto(body, pieces);
    const { signal } = exchange;
    const answer = new AnswerGatherer(service.newId);
    await abortable(client.models.generateContentStream(toGemini(request)), signal);
    for await (const chunks of readAnswerChunks(exchange.answer, signal)) yield* answer.addChunks(chunks);
    exchange.isOver = true;
    end = toEnd(answer.gathered());
  } catch (error) {
    const isRefused = refusesSignatures(error) && history.leaveOutSignatures(request.messages);
    end = {
      ok: false,
      error: isRefused ? withoutSignatures(service.words) : exchange.classify(error, request),
    };
  } finally {
    // Also runs when the consumer leaves early: the connection must not live on.
    exchange.close();
  }
  yield { type: 'end', end };
}

/** Asks something else than for an answer. Rejects with a `ModelError`. */
export async function askGemini<T>(
  service: GeminiService,
  signal: AbortSignal,
  ask: (client: GoogleGenAI, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const exchange = new GeminiExchange(service, signal);
  try {
    const client = await exchange.open();
    const answer = await abortable(ask(client, exchange.signal), exchange.signal);
    exchange.isOver = true;
    return answer;
  } catch (error) {
    throw exchange.classify(error);
  } finally {
    exchange.close();
  }
}

function toEnd(gathered: Gathered): ModelEnd {
  const error = findStreamFailure(gathered);
  if (error) return { ok: false, error };
  const { message, usage, citations, finish = 'FINISH_REASON_UNSPECIFIED' } = gathered;
  const cut = finish === 'MAX_TOKENS' || undefined;
  return { ok: true, message, finish, cut, citations, usage };
}

/** Kept, since to import it again takes a tenth of a millisecond of each request. */
const loadClient = once(() => import('@google/genai/web'));

/** One request and its answer: owns the connection, and knows what the client's errors leave out. */
class GeminiExchange {
  private readonly service: GeminiService;
  private readonly callerSignal: AbortSignal;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  /** Set where an answer is asked for: puts the history into the body that the client made. */
  complete: ((body: string) => readonly Uint8Array[]) | undefined;
  private body: AsyncIterable<Uint8Array> | undefined;
  /** The body of the request. */
  private sent: readonly Uint8Array[] = [];
  /** The answer was read to its end, so that there is nothing to break off. */
  isOver = false;
  private entry: Entry | undefined;
  private retryAfter: string | undefined;
  private status: number | undefined;

  constructor(service: GeminiService, callerSignal: AbortSignal) {
    this.service = service;
    this.callerSignal = callerSignal;
    // A signal of its own, since the client leaves its listeners on the signal that it gets.
    if (callerSignal.aborted) this.forward();
    else callerSignal.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  async open(): Promise<GoogleGenAI> {
    this.signal.throwIfAborted();
    const entry = await abortable(this.service.enter(this.signal), this.signal);
    this.entry = entry;
    const { GoogleGenAI } = await loadClient();
    const { apiKey, apiVersion, vertexai, baseUrl } = entry;
    const options: GoogleGenAIOptions = {
      apiKey,
      apiVersion,
      vertexai,
      // No `retryOptions`: the client tries once, and the core decides about another attempt.
      httpOptions: { baseUrl: baseUrl || undefined, fetch: (url, init) => this.fetch(url, init) },
    };
    return new GoogleGenAI(options);
  }

  classify(error: unknown, request?: ModelRequest): ModelError {
    const { service, retryAfter, status, entry } = this;
    const { aborted } = this.callerSignal;
    const secret = entry?.secret;
    const { words } = service;
    const { address } = this;
    const model = request?.model;
    const sent = request && { messages: request.messages, body: () => Buffer.concat(this.sent).toString() };
    const context = { service: words, address, aborted, model, retryAfter, status, secret, sent };
    const failure = classifyFailure(error, context);
    if (failure.kind === 'auth') entry?.refused?.();
    return failure;
  }

  /** As it was set. */
  private get address(): string {
    return this.entry?.baseUrl.replace(/\/+$/, '') ?? '';
  }

  /** The answer to the request with the history. */
  get answer(): AsyncIterable<Uint8Array> {
    if (!this.body) throw new Error('The client made no request.');
    return this.body;
  }

  close(): void {
    this.callerSignal.removeEventListener('abort', this.forward);
    if (!this.isOver) this.own.abort();
  }

  /**
   * Keeps the part of an error that the client drops, and an answer's body, which the client leaves alone until its
   * chunks are asked for.
   */
  private async fetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { complete, service } = this;
    const { words } = service;
    const advice = this.address === '' ? undefined : () => addressAdvice(words, this.address);
    const origin = () => originOf(words, this.address);
    const bounds = { server: () => words.name, origin, advice, clock: service.clock };
    this.sent = bodyOf(init, complete);
    const request = {
      url: String(url),
      method: init?.method ?? 'GET',
      headers: this.headersOf(init),
      body: this.sent,
      signal: this.signal,
    };
    const answer = await sendBounded(service.transport, request, bounds);
    if (!isOk(answer)) {
      this.retryAfter = answer.headers['retry-after'];
      this.status = answer.status;
      return toResponse(answer);
    }
    if (!complete) return toResponse(answer);
    this.body = answer.body;
    return accepted;
  }

  /** The client gives `Headers`. */
  private headersOf(init: RequestInit | undefined): Readonly<Record<string, string>> {
    const given = Object.fromEntries((init?.headers ?? []) as Iterable<[string, string]>);
    const all = Object.entries({ ...given, ...this.entry?.headers });
    return Object.fromEntries(all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  }
}

/** The client checks nothing else of an answer that comes in chunks, until they are asked for. */
const accepted = { ok: true } as Response;

function bodyOf(init: RequestInit | undefined, complete: GeminiExchange['complete']) {
  if (typeof init?.body !== 'string') return [];
  return complete?.(init.body) ?? [Buffer.from(init.body)];
}
