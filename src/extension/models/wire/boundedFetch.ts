/*
 * The one way of every request to a model server. A server gone wild must neither fill the memory nor keep a person
 * waiting without end, and one that sends requests on must not choose who gets the key and the conversation.
 */

import { t } from '../../../protocol/language.ts';
import { formatBytes } from '../../base/text.ts';
import { ModelError } from '../../core/model.ts';
import type { Clock } from '../../platform/clock.ts';
import { findNobodyHere } from './networkErrors.ts';

export type AlarmClock = Pick<Clock, 'after'>;

interface Bounds {
  /** The beginning of a sentence: "Gemini", "The model server localhost:8080". */
  readonly server: () => string;
  /** The setting that holds the address. */
  readonly setting: string;
  /** Advice for when the address is wrong: a sentence without its full stop; absent: it is the service's own. */
  readonly advice: (() => string) | undefined;
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Measures how long the server says nothing, before the headers and between two packets. */
  readonly clock?: AlarmClock | undefined;
  /** Sees each packet of an answer as it passes. */
  readonly onPacket?: ((packet: Uint8Array) => void) | undefined;
}

/**
 * A model of one's own may read a long conversation for minutes before its first word. Node by itself gives up after
 * five, with a code that tells nobody anything, and other makers of `fetch` never.
 */
export const silenceLimitMs = 290_000;
/** An answer of 128,000 tokens, each in an event of its own, has half of this. */
const answerLimit = 64 * 1024 * 1024;
/** An event is one line, and the client libraries search a line from its start with each packet. */
const lineLimit = 4 * 1024 * 1024;

/** Like `fetch`. A request or answer beyond the bounds rejects, or breaks the body off, with a `ModelError`. */
export async function boundedFetch(
  url: string | URL | Request,
  init: RequestInit | undefined,
  bounds: Bounds,
): Promise<Response> {
  const silence = new Silence(bounds);
  const given = init?.signal ?? bounds.signal;
  try {
    // Followed, a redirect would take headers with keys in them and the whole conversation to any host.
    const how = { ...init, redirect: 'manual', signal: AbortSignal.any([given, silence.signal]) } as const;
    const response = await fetch(url, how);
    if (isRedirect(response)) throw redirected(response, String(url), bounds);
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && !response.body) throw nothingSaid(bounds);
    if (isGate(response, type)) throw pageInstead(response, bounds);
    return bounded(response, silence, bounds);
  } catch (error) {
    silence.end();
    throw silence.signal.aborted ? silence.signal.reason : (nobodyHere(String(url), error, bounds) ?? error);
  }
}

const systemTime: AlarmClock = {
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** Aborted with the trouble to tell once the server has said nothing for too long. */
class Silence {
  private readonly bounds: Bounds;
  private readonly over = new AbortController();
  /** Takes the alarm back. */
  private stop: () => void;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
    this.stop = this.start();
    bounds.signal.addEventListener('abort', () => this.end(), { once: true });
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
    return clock.after(silenceLimitMs, () => this.over.abort(silent(this.bounds)));
  }
}

function bounded(response: Response, silence: Silence, bounds: Bounds): Response {
  const { status, headers, body } = response;
  if (!body) {
    silence.end();
    return response;
  }
  const reader = body.getReader();
  const excess = countedBy(bounds);
  // A `TransformStream` would cost as much as the client library does.
  const counted = new ReadableStream<Uint8Array>({
    start(controller) {
      silence.signal.addEventListener('abort', () => controller.error(silence.signal.reason));
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      silence.interrupt();
      const error = done ? undefined : excess(value);
      if (error) {
        silence.end();
        controller.error(error);
        await reader.cancel(error);
      } else if (done) {
        silence.end();
        controller.close();
      } else {
        bounds.onPacket?.(value);
        controller.enqueue(value);
      }
    },
    async cancel(reason) {
      silence.end();
      await reader.cancel(reason);
    },
  });
  return new Response(counted, { status, headers });
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

/** By the letter of the standard the status of a redirect that is not followed is hidden. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

function redirected({ headers }: Response, from: string, { server, setting }: Bounds): ModelError {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location, from) ? new URL(location, from).host : '';
  const say = () =>
    t(
      '{0} sends requests on to {1}, and Folio does not follow with key and conversation. Check the setting {2}.',
      server(),
      to || t('another address'),
      setting,
    );
  return new ModelError('badRequest', say, { retryable: false });
}

/** A page in the place of an answer, or one that says no: services say that in their protocol. */
function isGate({ ok, status }: Response, type: string): boolean {
  return status === 511 || ((ok || status === 403) && /text\/html|application\/xhtml/i.test(type));
}

function pageInstead({ ok, status }: Response, { server, advice }: Bounds): ModelError {
  const say = () => {
    const words = advice?.();
    const other = words === undefined ? '' : t(', or {0}', `${words[0]!.toLowerCase()}${words.slice(1)}`);
    return t(
      '{0} answered with a web page{1}, as a network or proxy does that wants a login. Log in to the network with a browser{2}, then retry.',
      server(),
      ok ? '' : t(' (status {0})', status),
      other,
    );
  };
  // Only a person can log in: to ask again at once would get the same page.
  return new ModelError(ok ? 'invalidStream' : 'forbidden', say, { retryable: false, status });
}

/** A server of one's own that is not started, or a proxy on this machine in front of one elsewhere. */
function nobodyHere(url: string, cause: unknown, { server, setting }: Bounds): ModelError | undefined {
  const place = findNobodyHere(cause);
  if (place === undefined) return undefined;
  const isServer = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
  const say = () => {
    const name = server().replace(/^The /, 'the ');
    return isServer
      ? t(
          'Nothing listens at {0} (ECONNREFUSED), where {1} should be. Start it, or correct the setting {2}, then retry.',
          place,
          name,
          setting,
        )
      : t(
          'Nothing listens at {0} (ECONNREFUSED), where the proxy on the way to {1} should be. Start it, or correct the setting http.proxy of VS Code, or HTTPS_PROXY where there is no window, then retry.',
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

function silent({ server, setting }: Bounds): ModelError {
  const say = () =>
    t(
      '{0} has said nothing for {1} seconds. Check that it runs and that the setting {2} is right, then retry.',
      server(),
      silenceLimitMs / 1000,
      setting,
    );
  return new ModelError('silent', say, { retryable: true });
}

function tooLong(limit: number, { server }: Bounds): ModelError {
  const say = () =>
    t(
      '{0} sent more than {1} in one piece, which is no answer. Retry, or choose another model.',
      server(),
      formatBytes(limit),
    );
  return new ModelError('invalidStream', say, { retryable: true });
}
