/*
 * The one way of every request to a model server. A server gone wild must neither fill the memory nor keep a user
 * waiting without end, and one that sends requests on must not choose who gets the key and the conversation.
 */

import { t } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import { ModelError } from '../../core/model.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport, TransportAnswer, TransportRequest } from '../../platform/http/httpTransport.ts';
import { describeNetworkFailure, findNobodyHere, proxyLogin } from './networkErrors.ts';

export type AlarmClock = Pick<Clock, 'after'>;

interface Bounds {
  /** The beginning of a sentence: "Gemini", "The model server localhost:8080". */
  readonly server: () => string;
  /** Names where the address was set, within a sentence. */
  readonly origin: () => string;
  /** Advice for when the address is wrong: a sentence without its full stop; absent: it is the service's own. */
  readonly advice: (() => string) | undefined;
  /** Measures how long the server says nothing, before the headers and between two packets. */
  readonly clock?: AlarmClock | undefined;
}

/**
 * A model of one's own may read a long conversation for minutes before its first word. Node's `fetch` automatically
 * gives up after five, with a code that tells nobody anything, and other ways never.
 */
export const silenceLimitMs = 290_000;
/** An answer of 128,000 tokens, each in an event of its own, has half of this. */
const answerLimit = 64 * 1024 * 1024;
/** An event is one line, and the client libraries search a line from its start with each packet. */
const lineLimit = 4 * 1024 * 1024;

/** Sends a request. A request or answer beyond the bounds rejects, or breaks the body off, with a `ModelError`. */
export async function sendBounded(
  transport: HttpTransport,
  request: TransportRequest,
  bounds: Bounds,
): Promise<TransportAnswer> {
  const watch = new SilenceWatch(request.signal, bounds);
  try {
    const answer = await transport.send({ ...request, signal: watch.signal });
    if (isRedirect(answer)) throw redirected(answer, request.url, bounds);
    // Requests that are not encrypted go to the proxy itself.
    if (answer.status === 407) throw loginWanted(bounds);
    if (hasNoBody(answer) && isOk(answer)) throw nothingSaid(bounds);
    if (isGate(answer)) throw pageInstead(answer, bounds);
    return { ...answer, body: bounded(answer.body, watch, bounds) };
  } catch (error) {
    watch.end();
    throw watch.signal.aborted ? watch.signal.reason : (nobodyHere(request.url, error, bounds) ?? error);
  }
}

export function isOk({ status }: TransportAnswer): boolean {
  return status >= 200 && status < 300;
}

function hasNoBody({ status }: TransportAnswer): boolean {
  return status === 204 || status === 205 || status === 304;
}

const systemTime: AlarmClock = {
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Aborts a request when nobody wants it any more, and with the problem to tell once the server has said nothing for
 * too long.
 */
class SilenceWatch {
  private readonly bounds: Bounds;
  private readonly over = new AbortController();
  /** Takes the alarm back. */
  private stop: () => void;

  constructor(wanted: AbortSignal, bounds: Bounds) {
    this.bounds = bounds;
    this.stop = this.start();
    const give = () => this.breakOff(wanted.reason);
    if (wanted.aborted) give();
    else wanted.addEventListener('abort', give, { once: true });
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** The server said something. */
  interrupt(): void {
    this.end();
    this.stop = this.start();
  }

  end(): void {
    this.stop();
  }

  private start(): () => void {
    const { clock = systemTime } = this.bounds;
    return clock.after(silenceLimitMs, () => this.breakOff(silent(this.bounds)));
  }

  private breakOff(reason: unknown): void {
    this.end();
    this.over.abort(reason);
  }
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  watch: SilenceWatch,
  bounds: Bounds,
): AsyncGenerator<Uint8Array> {
  const excess = countedBy(bounds);
  try {
    for await (const packet of body) {
      watch.interrupt();
      const error = excess(packet);
      if (error) throw error;
      yield packet;
    }
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.end();
  }
}

/** Gets an answer packet by packet, and tells when it has become too long. */
function countedBy(bounds: Bounds): (packet: Uint8Array) => ModelError | undefined {
  let bytes = 0;
  let line = 0;
  return packet => {
    const newline = packet.lastIndexOf(10);
    bytes += packet.length;
    line = newline < 0 ? line + packet.length : packet.length - newline - 1;
    if (bytes > answerLimit) return tooLong(answerLimit, bounds);
    return line > lineLimit ? tooLong(lineLimit, bounds) : undefined;
  };
}

function isRedirect({ status }: TransportAnswer): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function redirected({ headers }: TransportAnswer, from: string, { server, origin }: Bounds): ModelError {
  const { location = '' } = headers;
  const to = URL.canParse(location, from) ? new URL(location, from).host : '';
  const say = () =>
    t(
      '{0} redirects requests to {1}. Folio does not send your key and conversation there. Check {2}.',
      server(),
      to || t('another address'),
      origin(),
    );
  return new ModelError('badRequest', say, { retryable: false });
}

function loginWanted({ server }: Bounds): ModelError {
  return describeNetworkFailure(proxyLogin, undefined, () => ({ server: server(), check: '' }));
}

/** A page in the place of an answer, or one that says no: services say that in their protocol. */
function isGate(answer: TransportAnswer): boolean {
  const { status, headers } = answer;
  const isPage = /text\/html|application\/xhtml/i.test(headers['content-type'] ?? '');
  return status === 511 || ((isOk(answer) || status === 403) && isPage);
}

function pageInstead(answer: TransportAnswer, { server, advice }: Bounds): ModelError {
  const { status } = answer;
  const ok = isOk(answer);
  const say = () => {
    const words = advice?.();
    const other = words === undefined ? '' : t(', or {0}', `${words[0]!.toLowerCase()}${words.slice(1)}`);
    return t(
      '{0} answered with a web page{1}. Your network or proxy may require a login. Log in with a browser{2}, then retry.',
      server(),
      ok ? '' : t(' (status {0})', status),
      other,
    );
  };
  // Only a user can log in: to ask again at once would get the same page.
  return new ModelError(ok ? 'invalidStream' : 'forbidden', say, { retryable: false, status });
}

/** A server of one's own that is not started, or a proxy on this machine in front of one elsewhere. */
function nobodyHere(url: string, cause: unknown, { server, origin }: Bounds): ModelError | undefined {
  const place = findNobodyHere(cause);
  if (place === undefined) return undefined;
  const isServer = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
  const say = () => {
    const name = server().replace(/^The /, 'the ');
    return isServer
      ? t(
          'Cannot reach {1} at {0} (ECONNREFUSED). Start the server or change its address in {2}, then retry.',
          place,
          name,
          origin(),
        )
      : t(
          'Cannot reach the proxy for {1} at {0} (ECONNREFUSED). Start it or change its address (setting http.proxy of VS Code or variable HTTPS_PROXY), then retry.',
          place,
          name,
        );
  };
  return new ModelError('network', say, { retryable: false, cause });
}

function nothingSaid({ server }: Bounds): ModelError {
  const say = () => t('{0} sent an empty answer. Retry, or choose another model.', server());
  return new ModelError('invalidStream', say, { retryable: true });
}

function silent({ server, origin }: Bounds): ModelError {
  const say = () =>
    t(
      '{0} has not responded for {1} seconds. Check that it is running and that {2} is right, then retry.',
      server(),
      silenceLimitMs / 1000,
      origin(),
    );
  return new ModelError('silent', say, { retryable: true });
}

function tooLong(limit: number, { server }: Bounds): ModelError {
  const say = () =>
    t(
      '{0} sent more than {1} in one message, which is too long. Retry, or choose another model.',
      server(),
      formatBytes(limit),
    );
  return new ModelError('invalidStream', say, { retryable: true });
}
