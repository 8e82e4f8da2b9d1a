import { gzipSync } from 'node:zlib';
import { messageOf } from '../../base/errors.ts';
import { fieldsOf, tryParseJson } from '../../base/record.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport, TransportAnswer } from '../../platform/http/httpTransport.ts';
import type { TelemetryEndpoint } from './target.ts';

interface ExporterPorts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Receives a message, once until sending works again. */
  readonly warn: (sentence: string) => void;
}

/** Retryable HTTP statuses according to OTLP. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const maxAnswer = 65_536;
/** Maximum number of queued bodies. */
const maxWaiting = 8;

class Refused extends Error {
  readonly again: boolean;
  /** The delay that the collector requests. */
  readonly afterMs: number | undefined;

  constructor(message: string, again: boolean, afterMs: number | undefined) {
    super(message);
    this.again = again;
    this.afterMs = afterMs;
  }
}

/** Sends bodies to one address, one at a time and in order. Never rejects; drops what cannot be sent. */
export class Exporter {
  private readonly to: TelemetryEndpoint;
  private readonly ports: ExporterPorts;
  private readonly given = new AbortController();
  private sending: Promise<void> = Promise.resolve();
  private waiting = 0;
  private isFailing = false;
  private isClosing = false;

  constructor(to: TelemetryEndpoint, ports: ExporterPorts) {
    this.to = to;
    this.ports = ports;
  }

  /** Resolves when the body was sent or dropped. */
  send(body: object): Promise<void> {
    // Limits the memory while a collector is unreachable.
    if (this.waiting >= maxWaiting) return this.sending;
    this.waiting++;
    this.sending = this.sending.then(() => this.sendOne(body));
    return this.sending;
  }

  /** Stops retrying an unreachable collector; a busy one is still retried. */
  close(): void {
    this.isClosing = true;
  }

  /** Drops everything that was not sent yet. */
  giveUp(): void {
    this.given.abort(new Error('there was no answer in time'));
  }

  private async sendOne(body: object): Promise<void> {
    const limit = AbortSignal.any([this.given.signal, AbortSignal.timeout(this.to.timeoutMs)]);
    try {
      limit.throwIfAborted();
      await this.sendUntil(encode(body, this.to.gzip), limit);
      this.isFailing = false;
    } catch (error) {
      this.report(limit.aborted ? 'there was no answer in time' : messageOf(error));
    } finally {
      this.waiting--;
    }
  }

  private async sendUntil(body: Uint8Array, limit: AbortSignal): Promise<void> {
    const { clock } = this.ports;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.post(body, limit);
      } catch (error) {
        const mayHelp = error instanceof Refused ? error.again : !this.isClosing;
        if (limit.aborted || !mayHelp) throw error;
        const pauseMs = 500 * 2 ** Math.min(attempt, 5) * (0.75 + clock.random() / 2);
        this.report(messageOf(error));
        await clock.sleep((error instanceof Refused ? error.afterMs : undefined) ?? pauseMs, limit);
      }
    }
  }

  private async post(body: Uint8Array, signal: AbortSignal): Promise<void> {
    const { url, headers, gzip } = this.to;
    const encoding: Record<string, string> = gzip ? { 'content-encoding': 'gzip' } : {};
    const all = { ...headers, ...encoding, 'content-type': 'application/json' };
    const answer = await this.ports.transport.send({
      url,
      method: 'POST',
      headers: all,
      body: [body],
      signal,
    });
    const text = await readText(answer);
    if (answer.status < 200 || answer.status > 299) {
      const after = Number(answer.headers['retry-after']);
      const again = retryable.has(answer.status);
      throw new Refused(
        `it answered with status ${answer.status}`,
        again,
        after > 0 ? after * 1000 : undefined,
      );
    }
    if (refusesPart(text)) this.report('it refused a part of them');
  }

  private report(why: string): void {
    if (this.isFailing) return;
    this.isFailing = true;
    const { host, pathname } = new URL(this.to.url);
    this.ports.warn(`Telemetry does not reach ${host}${pathname}: ${why}. The work goes on without it.`);
  }
}

function encode(body: object, gzip: boolean): Uint8Array {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return gzip ? gzipSync(bytes) : bytes;
}

/** Reads to the end, so that the connection can be reused. */
async function readText({ body }: TransportAnswer): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxAnswer) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Some collectors answer with an empty body, or with no JSON. */
function refusesPart(text: string): boolean {
  if (!text.includes('partialSuccess')) return false;
  const partial = fieldsOf(fieldsOf(tryParseJson(text)).partialSuccess);
  return Number(partial.rejectedSpans ?? partial.rejectedDataPoints ?? 0) > 0;
}
