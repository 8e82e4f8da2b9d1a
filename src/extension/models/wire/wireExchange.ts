import { t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { ModelError, type ModelInfo, type ModelRequest } from '../../core/model.ts';
import type { HttpTransport, TransportAnswer } from '../../platform/http/httpTransport.ts';
import { addressAdvice, describeAddressSource } from './addressAdvice.ts';
import { type AlarmClock, isSuccess, sendWithLimits } from './boundedSend.ts';
import { toModelError } from './serverErrors.ts';
import type { ErrorResponse, ModelService } from './service.ts';
import { wellFormedJson } from './wellFormedJson.ts';

/** Address and credentials, read for each request. */
export interface WireConnection {
  /** May reject. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Empty for the service's own address. May throw. */
  readonly baseUrl: () => string;
  readonly transport: HttpTransport;
  /** Creates ids for calls that came without one. */
  readonly newId: () => string;
  /** Adds authentication headers, with or without a key. May reject. */
  readonly sign?: (request: UnsignedRequest) => Promise<HeaderRecord>;
  /** Called when the service rejected the credentials. */
  readonly refused?: () => void;
  /** Measures the server's silence. Defaults to the system clock. */
  readonly clock?: AlarmClock;
}

/** Keys are lower case. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** The parts of a request that a signature covers. */
export interface UnsignedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderRecord;
  readonly body: readonly Uint8Array[];
}

/** One request and its answer. Owns the connection, and adds facts that the client libraries' errors omit. */
export class WireExchange {
  private readonly service: ModelService;
  private readonly connection: WireConnection;
  private readonly callerSignal: AbortSignal;
  /** Omitted if no model is queried. */
  private readonly request: ModelRequest | undefined;
  private readonly own = new AbortController();
  private readonly forward = () => this.own.abort(this.callerSignal.reason);
  private address: URL | undefined;
  /** The address as configured. */
  private given = '';
  private body: readonly Uint8Array[] = [];
  /** The original error of the request, before the library wrapped it. */
  private failure: unknown;
  private received: TransportAnswer | undefined;
  key: string | undefined;
  refusal: ErrorResponse | undefined;
  /** Replaces the body that the library made. */
  complete: (body: string) => readonly Uint8Array[] = body => [Buffer.from(wellFormedJson(body))];
  /** The library gets no body; read it from `answer`. */
  keepsAnswer = false;
  /** The answer was read to its end, so nothing has to be aborted. */
  isOver = false;

  constructor(
    service: ModelService,
    connection: WireConnection,
    signal: AbortSignal,
    request?: ModelRequest,
  ) {
    this.service = service;
    this.connection = connection;
    this.callerSignal = signal;
    this.request = request;
    // Uses a separate signal, because client libraries leave their listeners on it.
    if (signal.aborted) this.forward();
    else signal.addEventListener('abort', this.forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  get hostName(): string {
    return this.address?.hostname ?? '';
  }

  /** The response, which the library does not read. */
  get answer(): TransportAnswer {
    if (!this.received) throw new Error('The library made no request.');
    return this.received;
  }

  /** Returns the address, and reads the key. */
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
    return toModelError(this.failure ?? error, {
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

  /** Returns the result of `work`, or rejects with the classified error. Always closes the connection. */
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

  /** Like `settle`, but falls back to the known models if the user may not list models. */
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

  /** Replaces `fetch` in client libraries. Rejects if the server refuses the request. */
  readonly fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    try {
      const answer = await this.send(String(url), init);
      if (!isSuccess(answer)) {
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
    return await sendWithLimits(
      transport,
      { url, method, headers, body, signal },
      {
        server: () => service.nameOf(this.address?.host ?? ''),
        origin: () => describeAddressSource(service, given),
        advice: given === '' ? undefined : () => addressAdvice(service, given),
        clock,
      },
    );
  }

  /** Sends only known headers: libraries add facts about this machine, and headers from the environment. */
  private headersOf(init: RequestInit | undefined): HeaderRecord {
    // Libraries pass a `Headers` object; creating one here would load all of `fetch`.
    const given = new Map((init?.headers ?? []) as Iterable<[string, string]>);
    const kept = this.service.keptHeaders.flatMap(name => {
      const value = given.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const key = this.key === undefined ? [] : [this.service.keyHeader(this.key)];
    return Object.fromEntries([['user-agent', 'Folio'], ...kept, ...key]);
  }
}

/** Libraries check only these members until they read the body. */
const accepted = { ok: true, status: 200, headers: new Map<string, string>() } as unknown as Response;

async function readErrorResponse({ status, headers, body }: TransportAnswer): Promise<ErrorResponse> {
  return {
    status,
    // The status suffices if the error body breaks off.
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

function parseAddress(address: string, service: ModelService): URL {
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

function settingError(what: () => string, service: ModelService, address: string): ModelError {
  return new ModelError(
    'badRequest',
    () => t('{0} Correct {1}.', what(), describeAddressSource(service, address)),
    {
      retryable: false,
    },
  );
}

/** Sending such a key would fail with an error that quotes it. */
function brokenKey({ nameOf }: ModelService): ModelError {
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
