import type { OpenAI } from 'openai';
import { abortable } from '../../base/abort.ts';
import { ModelError, type ModelRequest } from '../../core/model.ts';
import { type AlarmClock, boundedFetch } from '../wire/boundedFetch.ts';
import { parseErrorBody } from './errorBody.ts';
import { classifyChatFailure, type Refusal } from './openaiErrors.ts';
import type { OpenAiConnection } from './openaiProvider.ts';

const ownAddress = 'https://api.openai.com/v1';

/** One request and its answer: owns the connection, and knows what the client's errors leave out. */
export class ChatExchange {
  private readonly callerSignal: AbortSignal;
  private readonly request: ModelRequest | undefined;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  private address: URL | undefined;
  private clock: AlarmClock | undefined;
  private key: string | undefined;
  private refusal: Refusal | undefined;
  /** What `fetch` threw, before the library put words of its own around it. */
  private failure: unknown;
  /** Holds the line that ends a stream, with room for line breaks around it. */
  private readonly tail = new AnswerTail(64);
  private isWhole = false;

  constructor(callerSignal: AbortSignal, request?: ModelRequest) {
    this.callerSignal = callerSignal;
    this.request = request;
    // A signal of its own, since the client leaves its listeners on the signal that it gets.
    if (callerSignal.aborted) this.forward();
    else callerSignal.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  /** Of the server. */
  get hostName(): string {
    return this.address?.hostname ?? '';
  }

  /** In which the answer comes. */
  get form(): 'stream' | 'whole' {
    return this.isWhole ? 'whole' : 'stream';
  }

  /** The server said that nothing follows, which the library keeps to itself. */
  get isComplete(): boolean {
    return this.isWhole || /(^|[\r\n])data: ?\[DONE\]\s*$/.test(this.tail.text);
  }

  /** The library is loaded with the first request. */
  async open(connection: OpenAiConnection): Promise<OpenAI> {
    const address = connection.baseUrl().trim().replace(/\/+$/, '');
    this.address = parseAddress(address || ownAddress);
    this.clock = connection.clock;
    const key = (await abortable(connection.apiKey(), this.signal))?.trim() || undefined;
    if (key === undefined && address === '') throw missingKey();
    if (key !== undefined && !/^[!-~]+$/.test(key)) throw brokenKey();
    this.key = key;
    const { OpenAI } = await import('openai');
    return new OpenAI({
      // The library wants one; `fetch` below leaves it out where there is none.
      apiKey: key ?? 'none',
      baseURL: address || ownAddress,
      // What lies in the environment for other programs must not go to this server.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      // The core decides about another attempt, and `boundedFetch` says when a silent server counts as gone.
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      logLevel: 'off',
      fetch: (url, init) => this.fetch(url, init),
    });
  }

  /** What the server said when it refused the request itself; empty when it did not. */
  get refusalWords(): string {
    const { status, body } = this.refusal ?? { status: 0, body: '' };
    return status === 400 || status === 422 ? parseErrorBody(body).message : '';
  }

  classify(error: unknown): ModelError {
    const { server, key, refusal, request } = this;
    return classifyChatFailure(this.failure ?? error, {
      server,
      key,
      refusal,
      model: request?.model,
      aborted: this.callerSignal.aborted,
      withTools: (request?.tools.length ?? 0) > 0,
    });
  }

  close(): void {
    this.callerSignal.removeEventListener('abort', this.forward);
    this.own.abort();
  }

  private get server(): string {
    return this.address?.host ?? '';
  }

  private async fetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    try {
      const { signal, clock } = this;
      const given = { ...init, headers: headersOf(init?.headers, this.key) };
      const server = `The model server ${this.server}`;
      const onPacket = this.tail.add;
      const bounds = { server, setting: 'folio.openai.baseUrl', signal, clock, onPacket };
      const response = await boundedFetch(url, given, bounds);
      if (response.ok) return await this.framed(response);
      this.refusal = await readRefusal(response);
      return new Response(null, { status: response.status });
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** A server that does not stream answers as a whole: that becomes the only event of a stream. */
  private async framed(response: Response): Promise<Response> {
    const type = response.headers.get('content-type') ?? '';
    if (!this.request || !/json/i.test(type) || /ndjson/i.test(type)) return response;
    this.isWhole = true;
    // A line break can only stand between the tokens of JSON.
    const text = (await response.text()).replace(/[\r\n]+/g, ' ');
    return new Response(`data: ${text}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  }
}

/** Only these: the library adds facts of this machine, and headers that it finds in the environment. */
function headersOf(all: RequestInit['headers'], key: string | undefined): Headers {
  const given = new Headers(all);
  const headers = new Headers({ 'user-agent': 'Folio' });
  for (const name of ['accept', 'content-type']) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  return headers;
}

async function readRefusal(response: Response): Promise<Refusal> {
  const { status, headers } = response;
  // The status says enough when its explanation breaks off.
  const body = await response.text().catch(() => '');
  return {
    status,
    body,
    retryAfter: headers.get('retry-after') ?? undefined,
    retryAfterMs: headers.get('retry-after-ms') ?? undefined,
  };
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw settingTrouble('The address of the model server is not valid.');
  }
  if (url.username || url.password) {
    throw settingTrouble(
      'The address of the model server holds a name or password, which cannot be sent that way.',
    );
  }
  return url;
}

function settingTrouble(what: string): ModelError {
  return new ModelError('badRequest', `${what} Correct the setting folio.openai.baseUrl.`, {
    retryable: false,
  });
}

function missingKey(): ModelError {
  const remedy =
    'Run "Folio: Set API Key", set OPENAI_API_KEY, or name a server that needs none with the setting folio.openai.baseUrl.';
  return new ModelError('auth', `No OpenAI API key is set. ${remedy}`, { retryable: false });
}

/** Sending it would fail with an error that quotes it. */
function brokenKey(): ModelError {
  return new ModelError(
    'auth',
    'The API key of the model server holds characters that no key has. Set it again with "Folio: Set API Key".',
    { retryable: false },
  );
}

/** The last bytes of an answer as the server sent it, for what a client library keeps to itself. */
class AnswerTail {
  private readonly limit: number;
  /** Twice as long as what is kept, so that it is seldom moved. */
  private readonly bytes: Buffer;
  private used = 0;

  /** @param limit bytes that are kept at least, where there were as many */
  constructor(limit: number) {
    this.limit = limit;
    this.bytes = Buffer.alloc(2 * limit);
  }

  readonly add = (packet: Uint8Array): void => {
    const kept = packet.subarray(-this.limit);
    if (this.used + kept.length > this.bytes.length) {
      this.bytes.copyWithin(0, this.used - this.limit, this.used);
      this.used = this.limit;
    }
    this.bytes.set(kept, this.used);
    this.used += kept.length;
  };

  get text(): string {
    return this.bytes.toString('utf8', 0, this.used);
  }
}
