/*
 * Every request to a model server goes through this file. It bounds the memory that an answer may take and the time
 * without data, and blocks redirects, which could send the key and the conversation elsewhere.
 */

import { t } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import { ModelError } from '../../core/model.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport, TransportAnswer, TransportRequest } from '../../platform/http/httpTransport.ts';
import { findClosedLocalPort, networkFailureError, proxyLoginFailure } from './networkErrors.ts';

export type AlarmClock = Pick<Clock, 'after'>;

interface Bounds {
  /** The start of a sentence: "Gemini", "The model server localhost:8080". */
  readonly server: () => string;
  /** Names the source of the address, within a sentence. */
  readonly origin: () => string;
  /** Advice for a wrong address: a sentence without its full stop. `undefined` for the service's own address. */
  readonly advice: (() => string) | undefined;
  /** Measures the silence before the headers and between packets. */
  readonly clock?: AlarmClock | undefined;
}

/**
 * A local model may process a long conversation for minutes before its first token. Node's `fetch` gives up after five
 * minutes with an opaque code; other transports never do.
 */
export const idleTimeoutMs = 290_000;
/** Twice the size of an answer of 128,000 tokens with one event each. */
const answerLimit = 64 * 1024 * 1024;
/** An event is one line, and the client libraries scan a line from its start for each packet. */
const lineLimit = 4 * 1024 * 1024;

/**
 * Sends a request. Rejects with a `ModelError` for silence, a redirect, a proxy's login, a web page, an empty answer, or a
 * closed local port; other network errors pass unchanged. The body throws one if it is silent or too long.
 */
export async function sendWithLimits(
  transport: HttpTransport,
  request: TransportRequest,
  bounds: Bounds,
): Promise<TransportAnswer> {
  const watch = new SilenceWatch(request.signal, bounds);
  try {
    const answer = await transport.send({ ...request, signal: watch.signal });
    if (isRedirect(answer)) throw redirected(answer, request.url, bounds);
    // For unencrypted requests, the proxy itself answers.
    if (answer.status === 407) throw loginWanted(bounds);
    if (hasNoBody(answer) && isSuccess(answer)) throw nothingSaid(bounds);
    if (isGate(answer)) throw pageInstead(answer, bounds);
    return { ...answer, body: bounded(answer.body, watch, bounds) };
  } catch (error) {
    watch.end();
    throw watch.signal.aborted ? watch.signal.reason : (nobodyHere(request.url, error, bounds) ?? error);
  }
}

export function isSuccess({ status }: TransportAnswer): boolean {
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

/** Aborts a request when the caller aborts, or with the error to report after the server was silent for too long. */
class SilenceWatch {
  private readonly bounds: Bounds;
  private readonly over = new AbortController();
  /** Cancels the alarm. */
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

  /** Call when data arrives. */
  interrupt(): void {
    this.end();
    this.stop = this.start();
  }

  end(): void {
    this.stop();
  }

  private start(): () => void {
    const { clock = systemTime } = this.bounds;
    return clock.after(idleTimeoutMs, () => this.breakOff(silent(this.bounds)));
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

/** Returns a function that takes each packet, and returns an error once the answer is too long. */
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
      '{0} redirects requests to {1}, where Folio does not send your key and conversation. Check {2}.',
      server(),
      to || t('another address'),
      origin(),
    );
  return new ModelError('badRequest', say, { retryable: false });
}

function loginWanted({ server }: Bounds): ModelError {
  return networkFailureError(proxyLoginFailure, undefined, () => ({ server: server(), check: '' }));
}

/** True for an HTML page instead of an answer, or with an error status: services report errors in their protocol. */
function isGate(answer: TransportAnswer): boolean {
  const { status, headers } = answer;
  const isPage = /text\/html|application\/xhtml/i.test(headers['content-type'] ?? '');
  return status === 511 || ((isSuccess(answer) || status === 403) && isPage);
}

function pageInstead(answer: TransportAnswer, { server, advice }: Bounds): ModelError {
  const { status } = answer;
  const ok = isSuccess(answer);
  const say = () => {
    const words = advice?.();
    const other = words === undefined ? '' : t(', or {0}', `${words[0]!.toLowerCase()}${words.slice(1)}`);
    return t(
      '{0} answered with a web page{1}: your network or proxy may require a login. Log in with a browser{2}, then retry.',
      server(),
      ok ? '' : t(' (status {0})', status),
      other,
    );
  };
  // Only the user can log in, so a retry would get the same page.
  return new ModelError(ok ? 'invalidStream' : 'forbidden', say, { retryable: false, status });
}

/** Nothing listens on this machine: a local server is not started, or a local proxy to a remote one. */
function nobodyHere(url: string, cause: unknown, { server, origin }: Bounds): ModelError | undefined {
  const place = findClosedLocalPort(cause);
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
      idleTimeoutMs / 1000,
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
