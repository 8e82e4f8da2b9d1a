import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { ModelError, type ModelInfo, type ModelRequest } from '../../core/model.ts';
import type { HttpTransport, TransportAnswer } from '../../platform/http/httpTransport.ts';
import { addressAdvice, originOf } from './addressAdvice.ts';
import { type AlarmClock, isOk, sendBounded } from './boundedSend.ts';
import { classifyFailure } from './serverErrors.ts';
import type { ErrorResponse, Service } from './service.ts';
import { wellFormedJson } from './wellFormedJson.ts';

/** Address and credentials of requests, asked for at each request. */
export interface WireConnection {
  /** May reject. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Empty: the service's own address. May throw. */
  readonly baseUrl: () => string;
  readonly transport: HttpTransport;
  /** Names calls that came without an id. */
  readonly newId: () => string;
  /** Adds to the headers what lets the request in beside a key, or without one. May reject. */
  readonly sign?: (request: Unsigned) => Promise<Headers>;
  /** Called when the service refused what let the request in. */
  readonly refused?: () => void;
  /** Measures how long the server says nothing; the system's own unless it is given. */
  readonly clock?: AlarmClock;
}

/** By their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The parts of a request that a signature covers. */
export interface Unsigned {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: readonly Uint8Array[];
}

/** One request and its answer: owns the connection, and knows what the errors of client libraries leave out. */
export class Exchange {
  private readonly service: Service;
  private readonly connection: WireConnection;
  private readonly callerSignal: AbortSignal;
  /** Absent: no model is asked. */
  private readonly request: ModelRequest | undefined;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  private address: URL | undefined;
  /** As it was set. */
  private given = '';
  private body: readonly Uint8Array[] = [];
  /** The error of the request, before the library put words of its own around it. */
  private failure: unknown;
  private received: TransportAnswer | undefined;
  key: string | undefined;
  refusal: ErrorResponse | undefined;
  /** Replaces the body that the library made. */
  complete: (body: string) => readonly Uint8Array[] = body => [Buffer.from(wellFormedJson(body))];
  /** The library gets no body, which stays in `answer`. */
  keepsAnswer = false;
  /** The answer was read to its end, so that there is nothing to break off. */
  isOver = false;

  constructor(service: Service, connection: WireConnection, signal: AbortSignal, request?: ModelRequest) {
    this.service = service;
    this.connection = connection;
    this.callerSignal = signal;
    this.request = request;
    // A signal of its own, since clients leave their listeners on the signal that they get.
    if (signal.aborted) this.forward();
    else signal.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  /** The server's host name. */
  get hostName(): string {
    return this.address?.hostname ?? '';
  }

  /** The answer to the request, which the library leaves alone. */
  get answer(): TransportAnswer {
    if (!this.received) throw new Error('The library made no request.');
    return this.received;
  }

  /** Gives the address, and reads the key. */
  async open(): Promise<string> {
    this.signal.throwIfAborted();
    const { connection, service } = this;
    this.given = connection.baseUrl().trim().replace(/\/+$/, '');
    const address = this.given || service.ownAddress;
    this.address = parseAddress(address, service);
    const key = (await abortable(connection.apiKey(), this.signal))?.trim() || undefined;
    if (key === undefined && this.given === '' && !connection.sign)
      throw new ModelError('auth', service.missingKey, { retryable: false });
    if (key !== undefined && !/^[!-~]+$/.test(key)) throw brokenKey(service);
    this.key = key;
    return address;
  }

  classify(error: unknown): ModelError {
    const { key, refusal, service, request, body } = this;
    if (refusal?.status === 401 || refusal?.status === 403) this.connection.refused?.();
    return classifyFailure(this.failure ?? error, {
      host: this.address?.host ?? '',
      address: this.given,
      service,
      key,
      refusal,
      model: request?.model,
      aborted: this.callerSignal.aborted,
      withTools: (request?.tools.length ?? 0) > 0,
      sent: request && { messages: request.messages, body: () => Buffer.concat(body).toString() },
    });
  }

  /** Gives what the work gives, or rejects with what its problem means; in any case the connection ends. */
  async settle<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await abortable(work(), this.signal);
      this.isOver = true;
      return result;
    } catch (error) {
      throw this.classify(error);
    } finally {
      this.close();
    }
  }

  /** Like `settle`, for a service whose users may not be allowed to list models: then the known ones are offered. */
  async settleList(
    work: () => Promise<readonly ModelInfo[]>,
    known: readonly ModelInfo[],
  ): Promise<readonly ModelInfo[]> {
    try {
      const models = await this.settle(work);
      return models.length > 0 ? models : known;
    } catch (error) {
      const isClosed = error instanceof ModelError && /^(forbidden|notFound|badRequest)$/.test(error.kind);
      if (!isClosed || error.status === undefined) throw error;
      return known;
    }
  }

  close(): void {
    this.callerSignal.removeEventListener('abort', this.forward);
    if (!this.isOver) this.own.abort();
  }

  /** Stands in for `fetch` in client libraries. Rejects where the server refuses the request. */
  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    try {
      const answer = await this.send(String(url), init);
      if (!isOk(answer)) {
        this.refusal = await readErrorResponse(answer);
        throw new Error(`The server refused the request with status ${answer.status}.`);
      }
      if (!this.keepsAnswer) {
        const { status, headers, body } = answer;
        return new Response(await readAll(body), { status, headers: headers as Record<string, string> });
      }
      this.received = answer;
      return accepted;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  };

  private async send(url: string, init: RequestInit | undefined): Promise<TransportAnswer> {
    const { connection, service, given, signal } = this;
    const { transport, clock, sign } = connection;
    const method = init?.method ?? 'GET';
    this.body = typeof init?.body === 'string' ? this.complete(init.body) : [];
    const { body } = this;
    const bare = this.headersOf(init);
    const headers = sign
      ? await abortable(sign({ url: new URL(url), method, headers: bare, body }), signal)
      : bare;
    return await sendBounded(
      transport,
      { url, method, headers, body, signal },
      {
        server: () => service.nameOf(this.address?.host ?? ''),
        origin: () => originOf(service, given),
        advice: given === '' ? undefined : () => addressAdvice(service, given),
        clock,
      },
    );
  }

  /** Only these: libraries add facts of this machine, and headers that they find in the environment. */
  private headersOf(init: RequestInit | undefined): Headers {
    // Libraries give an object of `Headers`; to make one here would load all of `fetch`.
    const given = new Map((init?.headers ?? []) as Iterable<[string, string]>);
    const kept = this.service.keptHeaders.flatMap(name => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const key = this.key === undefined ? [] : [this.service.keyHeader(this.key)];
    return Object.fromEntries([['user-agent', 'Folio'], ...kept, ...key]);
  }
}

/** Libraries check nothing else of an answer, until they are asked for what is in it. */
const accepted = { ok: true, status: 200, headers: new Map<string, string>() } as unknown as Response;

async function readErrorResponse({ status, headers, body }: TransportAnswer): Promise<ErrorResponse> {
  return {
    status,
    // The status says enough when its explanation breaks off.
    body: await readAll(body).catch(() => ''),
    retryAfter: headers['retry-after'],
    retryAfterMs: headers['retry-after-ms'],
  };
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const packets: Uint8Array[] = [];
  for await (const packet of body) packets.push(packet);
  return Buffer.concat(packets).toString();
}

function parseAddress(address: string, service: Service): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw settingError(() => t('The address of the model server is not valid.'), service, address);
  }
  if (url.username || url.password) {
    throw settingError(
      () =>
        t('The address of the model server contains a name or password. Remove them, and set a key instead.'),
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
        'The API key of {0} contains invalid characters. Set it again with "Folio: Set API Key".',
        nameOf('').trim().replace(/^The/, 'the'),
      ),
    { retryable: false },
  );
}
