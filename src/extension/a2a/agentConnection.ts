/* Sends requests to an agent's server, all to one origin. */

import { createParser } from 'eventsource-parser';
import { t } from '../../protocol/language.ts';
import { errorCode, messageOf } from '../base/errors.ts';
import { maskValues } from '../base/maskValues.ts';
import { isRecord, tryParseJson } from '../base/record.ts';
import { formatBytes, sanitiseLine } from '../base/text.ts';
import { parseAgentCard } from '../core/agents/remote/parseAgentCard.ts';
import {
  loginVariables,
  RemoteAgentError,
  type RemoteAgentServer,
  type RemoteEndpoint,
} from '../core/agents/remote/remoteAgents.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpTransport, TransportAnswer } from '../platform/http/httpTransport.ts';
import { type Credentials, readCredentials, type Variables } from './login.ts';

export interface A2aPorts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly env: Variables;
}

/** The server answered a call with a protocol error. */
export class JsonRpcError extends RemoteAgentError {
  readonly code: number;

  constructor(code: number, host: string, words: string) {
    super(() => t('The agent at {0} answered with an error ({1}).', host, code), words);
    this.code = code;
  }
}

type Request = Omit<Parameters<HttpTransport['send']>[0], 'headers' | 'signal'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

const cardLimit = 1024 * 1024;
const answerLimit = 32 * 1024 * 1024;
const redirectLimit = 5;
/** Time limits in milliseconds: for reading a card, and for a server's silence. */
const cardMs = 20_000;
const silenceMs = 290_000;

export class AgentConnection {
  private readonly ports: A2aPorts;
  private readonly server: RemoteAgentServer;
  private readonly credentials: Credentials;
  private readonly host: string;

  /** Throws a `RemoteAgentError` if credentials are missing. */
  constructor(ports: A2aPorts, server: RemoteAgentServer) {
    this.ports = ports;
    this.server = server;
    this.credentials = readCredentials(server, ports.env);
    this.host = new URL(server.origin).host;
  }

  /**
   * Reads the agent card. If the address has none, it may be the server's base address, with the card at the well-known
   * path.
   */
  async endpoint(signal: AbortSignal): Promise<RemoteEndpoint> {
    const { card } = this.server;
    if (typeof card !== 'string') return card;
    const bare = card.replace(/\/+$/, '');
    const usual = ['agent-card.json', 'agent.json'].map(name => `${bare}/.well-known/${name}`);
    const places = /\.json$|[?#]/.test(card) ? [card] : [card, ...usual];
    let first: RemoteAgentError | undefined;
    for (const place of places) {
      const found = await this.within(cardMs, signal, each => this.readCardAt(place, each));
      if (!(found instanceof RemoteAgentError)) return parseAgentCard(found, place);
      first ??= found;
    }
    throw first!;
  }

  /** Calls a method. Yields its results, several if the server streams. */
  async *call(
    { url, version }: RemoteEndpoint,
    method: string,
    params: object,
    signal: AbortSignal,
  ): AsyncGenerator<unknown> {
    const id = this.ports.clock.newId();
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    if (version === '1') headers['a2a-version'] = '1.0';
    const answer = await this.send({ url, method: 'POST', headers, body: [body] }, signal);
    const isStream = /^text\/event-stream/i.test(answer.headers['content-type'] ?? '');
    if (isStream) for await (const event of readEvents(this.bounded(answer.body))) yield this.resultOf(event);
    else yield this.resultOf(await this.text(answer, answerLimit));
  }

  /** Masks the credentials that were sent, in texts of the server. */
  hide(text: string): string {
    return maskValues(text, this.credentials.values);
  }

  private async readCardAt(url: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.send(
      { url, method: 'GET', headers: { accept: 'application/json' }, body: [] },
      signal,
      [404, 405, 406],
    );
    const { status } = answer;
    if (status >= 400) {
      drop(answer);
      return new RemoteAgentError(() =>
        t('No card of an agent is at {0} (status {1}). Check `agent_card_url`.', url, status),
      );
    }
    try {
      const card: unknown = JSON.parse(await this.text(answer, cardLimit));
      if (isRecord(card)) return card;
    } catch (error) {
      if (error instanceof RemoteAgentError || signal.aborted) throw error;
    }
    return new RemoteAgentError(() => t('{0} is not an agent card: it is not JSON.', url));
  }

  private async send(
    request: Request,
    signal: AbortSignal,
    expected: readonly number[] = [],
  ): Promise<TransportAnswer> {
    let { url } = request;
    for (let hop = 0; ; hop++) {
      const answer = await this.sendOnce({ ...request, url }, signal);
      const { status } = answer;
      if (status < 300 || expected.includes(status)) return answer;
      drop(answer);
      if (status >= 400) throw this.refused(status);
      url = this.redirected(answer, request, url, hop);
    }
  }

  private async sendOnce(request: Request, signal: AbortSignal): Promise<TransportAnswer> {
    const headers = { ...request.headers, ...this.credentials.headers };
    try {
      return await this.ports.transport.send({ ...request, headers, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw this.unreachable(error);
    }
  }

  /** Resends a message only if the redirect's status demands it. */
  private redirected(
    { status, headers: { location = '' } }: TransportAnswer,
    { method }: Request,
    from: string,
    hop: number,
  ): string {
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
    const keepsMethod = method === 'GET' || status === 307 || status === 308;
    if (to?.origin === this.server.origin && keepsMethod && hop < redirectLimit) return to.href;
    const place = to === undefined ? t('another address') : sanitiseLine(to.origin + to.pathname, 200);
    throw new RemoteAgentError(() =>
      t('The agent at {0} redirects to {1}, and Folio does not send tasks and keys there.', this.host, place),
    );
  }

  private refused(status: number): RemoteAgentError {
    const { host, server } = this;
    if (status === 407)
      return new RemoteAgentError(() => t('A proxy between Folio and {0} requires you to log in.', host));
    if (status !== 401 && status !== 403)
      return new RemoteAgentError(() => t('The agent at {0} answered with status {1}.', host, status));
    const variables = loginVariables(server).join(', ');
    return new RemoteAgentError(() => {
      if (server.login === undefined)
        return t('The agent at {0} requires credentials (status {1}): add `auth` to its file.', host, status);
      const where = variables === '' ? '`auth`' : variables;
      return t(
        'The agent at {0} does not accept the credentials (status {1}): check {2}.',
        host,
        status,
        where,
      );
    });
  }

  private unreachable(error: unknown): RemoteAgentError {
    const why = codeOf(error) ?? this.hide(sanitiseLine(messageOf(error), 200));
    return new RemoteAgentError(
      () => t('The agent at {0} cannot be reached ({1}).', this.host, why),
      '',
      error,
    );
  }

  /** Yields the packets of an answer, within limits of time and size. */
  private async *bounded(body: AsyncIterable<Uint8Array>, limit = answerLimit): AsyncGenerator<Uint8Array> {
    const packets = body[Symbol.asyncIterator]();
    let bytes = 0;
    try {
      while (true) {
        const next = await this.nextOf(packets);
        if (next.done) return;
        bytes += next.value.length;
        if (bytes > limit) throw this.tooLarge(limit);
        yield next.value;
      }
    } finally {
      giveUp(packets);
    }
  }

  private async nextOf(packets: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    let stop = () => {};
    const silence = new Promise<never>((_resolve, reject) => {
      const say = () => t('The agent at {0} has not responded for {1} seconds.', this.host, silenceMs / 1000);
      stop = this.ports.clock.after(silenceMs, () => reject(new RemoteAgentError(say)));
    });
    try {
      return await Promise.race([packets.next(), silence]);
    } catch (error) {
      throw error instanceof RemoteAgentError ? error : this.unreachable(error);
    } finally {
      stop();
    }
  }

  private async text({ body }: TransportAnswer, limit: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const packet of this.bounded(body, limit)) text += decoder.decode(packet, { stream: true });
    return text + decoder.decode();
  }

  private resultOf(json: string): unknown {
    const reported = tryParseJson(json);
    if (!isRecord(reported) || (reported.result === undefined && !isRecord(reported.error)))
      throw new RemoteAgentError(() =>
        t('The agent at {0} sent an answer that is not valid in A2A.', this.host),
      );
    if (!isRecord(reported.error)) return reported.result;
    const { code, message } = reported.error;
    const words = typeof message === 'string' ? this.hide(sanitiseLine(message, 500)) : '';
    throw new JsonRpcError(typeof code === 'number' ? code : 0, this.host, words);
  }

  private tooLarge(limit: number): RemoteAgentError {
    return new RemoteAgentError(() =>
      t('The agent at {0} sent more than {1}, which is too long.', this.host, formatBytes(limit)),
    );
  }

  private async within<T>(
    ms: number,
    outer: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const stop = this.ports.clock.after(ms, () => late.abort());
    try {
      return await work(AbortSignal.any([outer, late.signal]));
    } catch (error) {
      outer.throwIfAborted();
      if (!late.signal.aborted) throw error;
      throw new RemoteAgentError(() =>
        t('The agent at {0} did not send its card within {1} seconds.', this.host, ms / 1000),
      );
    } finally {
      stop();
    }
  }
}

function drop({ body }: TransportAnswer): void {
  giveUp(body[Symbol.asyncIterator]());
}

/** Closes the connection if the body was not read to its end. */
function giveUp(packets: AsyncIterator<Uint8Array>): void {
  packets.return?.()?.catch(() => {
    // Its error is irrelevant now.
  });
}

/** Searches the chain of causes, where `fetch` puts the real error. */
function codeOf(error: unknown): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const code = errorCode(each);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Yields the data of each server-sent event. Drops an incomplete last event. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() !== '') events.push(data);
    },
  });
  for await (const packet of body) {
    parser.feed(decoder.decode(packet, { stream: true }));
    yield* events.splice(0);
  }
}
