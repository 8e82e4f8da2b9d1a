import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { ModelError, type ModelRequest } from '../../core/model.ts';
import type { HttpTransport } from '../../platform/http/httpTransport.ts';
import { addressAdvice, originOf } from './addressAdvice.ts';
import { type AlarmClock, sendBounded, toResponse } from './boundedSend.ts';
import { classifyFailure } from './serverErrors.ts';
import type { Refusal, Service } from './service.ts';
import { wellFormedJson } from './wellFormedJson.ts';

/** Address and key of requests, asked for at each request. */
export interface WireConnection {
  /** May reject. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Empty: the service's own address. */
  readonly baseUrl: () => string;
  readonly transport: HttpTransport;
  /** Gives the headers with what lets the request in, where there is no key. May reject. */
  readonly sign?: (request: Unsigned) => Promise<Headers>;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock;
}

/** The parts of a request that a signature covers. */
export interface Unsigned {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  /** Empty: there is none. */
  readonly body: string;
}

/** One request and its answer: owns the connection, and knows what the errors of client libraries leave out. */
export class Exchange {
  private readonly service: Service;
  private readonly callerSignal: AbortSignal;
  private readonly onPacket: ((packet: Uint8Array) => void) | undefined;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  private address: URL | undefined;
  /** As it was set. */
  private given = '';
  private sign: WireConnection['sign'];
  private connection: WireConnection | undefined;
  /** The error of the request, before the library put words of its own around it. */
  private failure: unknown;
  /** JSON. */
  private body = '';
  key: string | undefined;
  refusal: Refusal | undefined;

  constructor(service: Service, callerSignal: AbortSignal, onPacket?: (packet: Uint8Array) => void) {
    this.service = service;
    this.callerSignal = callerSignal;
    this.onPacket = onPacket;
    // A signal of its own, since clients leave their listeners on the signal that they get.
    if (callerSignal.aborted) this.forward();
    else callerSignal.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  /** The server's host name. */
  get hostName(): string {
    return this.address?.hostname ?? '';
  }

  /** Gives the address, and reads the key. */
  async open(connection: WireConnection): Promise<string> {
    const given = connection.baseUrl().trim().replace(/\/+$/, '');
    this.given = given;
    const address = given || this.service.ownAddress;
    this.address = parseAddress(address, this.service);
    this.connection = connection;
    const key = (await abortable(connection.apiKey(), this.signal))?.trim() || undefined;
    if (key === undefined && given === '' && !connection.sign)
      throw new ModelError('auth', this.service.missingKey, { retryable: false });
    if (key !== undefined && !/^[!-~]+$/.test(key)) throw brokenKey(this.service);
    this.key = key;
    this.sign = key === undefined ? connection.sign : undefined;
    return address;
  }

  classify(error: unknown, request?: ModelRequest): ModelError {
    const { key, refusal, service } = this;
    return classifyFailure(this.failure ?? error, {
      host: this.address?.host ?? '',
      address: this.given,
      service,
      key,
      refusal,
      model: request?.model,
      aborted: this.callerSignal.aborted,
      withTools: (request?.tools.length ?? 0) > 0,
      sent: request && this.body !== '' ? { messages: request.messages, body: this.body } : undefined,
    });
  }

  /** Gives what the work gives, or rejects with what its problem means; in any case the connection ends. */
  async settle<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.classify(error);
    } finally {
      this.close();
    }
  }

  close(): void {
    this.callerSignal.removeEventListener('abort', this.forward);
    this.own.abort();
  }

  /**
   * An answer that is no success comes without its body, which `refusal` keeps.
   * @param frame makes of an answer what the library can read
   */
  async fetch(
    url: string | URL | Request,
    init?: RequestInit,
    frame: (response: Response) => Response | Promise<Response> = response => response,
  ): Promise<Response> {
    try {
      const { connection, onPacket } = this;
      if (!connection) throw new Error('The exchange was not opened.');
      const { transport, clock } = connection;
      const { nameOf } = this.service;
      const headers = this.headersOf(init?.headers);
      if (typeof init?.body === 'string') this.body = init.body;
      const signed = (await this.signed(url, init, headers)) ?? headers;
      const request = {
        url: addressIn(url),
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(signed),
        body: bytesOf(init?.body),
        signal: init?.signal ? AbortSignal.any([init.signal, this.signal]) : this.signal,
      };
      const server = () => nameOf(this.address?.host ?? '');
      const advice = this.given === '' ? undefined : () => addressAdvice(this.service, this.given);
      const origin = () => originOf(this.service, this.given);
      const bounds = { server, origin, advice, clock, onPacket };
      const response = toResponse(await sendBounded(transport, request, bounds));
      if (response.ok) return await frame(response);
      this.refusal = await readRefusal(response);
      return new Response(null, { status: response.status });
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  private async signed(
    url: string | URL | Request,
    init: RequestInit | undefined,
    headers: Headers,
  ): Promise<Headers | undefined> {
    if (!this.sign) return undefined;
    const { method = 'GET', body } = init ?? {};
    const request = {
      url: new URL(addressIn(url)),
      method,
      headers,
      body: typeof body === 'string' ? body : '',
    };
    return abortable(this.sign(request), this.signal);
  }

  /** Only these: libraries add facts of this machine, and headers that they find in the environment. */
  private headersOf(all: RequestInit['headers']): Headers {
    const given = new Headers(all);
    const headers = new Headers({ 'user-agent': 'Folio' });
    for (const name of this.service.keptHeaders) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (this.key !== undefined) headers.set(...this.service.keyHeader(this.key));
    return headers;
  }
}

function addressIn(url: string | URL | Request): string {
  return url instanceof Request ? url.url : String(url);
}

/** Only requests for files would have a body of another kind, and none is made. */
function bytesOf(body: RequestInit['body']): readonly Uint8Array[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'string') throw new Error('The body of a request is no text.');
  return [Buffer.from(wellFormedJson(body))];
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

function parseAddress(address: string, service: Service): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw settingError(() => t('The address of the model server is not valid.'), service, address);
  }
  if (url.username || url.password) {
    throw settingError(
      () => t('The address of the model server holds a name or password, which cannot be sent that way.'),
      service,
      address,
    );
  }
  return url;
}

function settingError(what: () => string, service: Service, address: string): ModelError {
  return new ModelError('badRequest', () => t('{0} Correct {1}.', what(), originOf(service, address)), {
    retryable: false,
  });
}

/** Sending it would fail with an error that quotes it. */
function brokenKey({ nameOf }: Service): ModelError {
  return new ModelError(
    'auth',
    () =>
      t(
        'The API key of {0} holds characters that no key has. Set it again with "Folio: Set API Key".',
        nameOf('').trim().replace(/^The/, 'the'),
      ),
    { retryable: false },
  );
}
