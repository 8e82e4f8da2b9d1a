/*
 * A scripted model server for any wire. It listens on 127.0.0.1, plays one answer of its script for each request for an
 * answer, records every request, and refuses what the rules of the wire refuse.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Low-level steps, to which those of a wire are translated. */
export type RawStep =
  /** Complete encoded events. */
  | { readonly kind: 'events'; readonly text: string }
  /** Sent as they are, whether they make sense or not. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Sent byte by byte, which splits characters and line breaks. */
  | { readonly kind: 'torn'; readonly bytes: Uint8Array }
  /** Hangs until the client disconnects. */
  | { readonly kind: 'hang' }
  /** Breaks the connection. */
  | { readonly kind: 'reset' }
  /** Ends the body without the end of the answer. */
  | { readonly kind: 'stop' };

export type ScriptedRefusal =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never sends a header. */
  | { readonly kind: 'silence' }
  /** Breaks the connection before a header is sent. */
  | { readonly kind: 'hangUp' }
  /** Any body, as a proxy might send it. */
  | { readonly kind: 'page'; readonly status: number; readonly type: string; readonly body: string };

/** Steps are streamed in order, and completed unless the last step ends the answer itself. */
type Answer<Step> = readonly Step[] | ScriptedRefusal;

export type Scripted<Step, Body> =
  | Answer<Step>
  | ((request: Recorded<Body>) => Answer<Step> | Promise<Answer<Step>>);

export interface Recorded<Body> {
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** The body as it came. */
  readonly bytes: string;
  /** Reason of a refusal. */
  readonly fault: string | undefined;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
}

/** Signed parts of a request. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly bytes: string;
}

/** Format of a wire, and requests that its servers refuse. */
export interface WireRules<Step, Body> {
  /** Method and path of a request for an answer. */
  readonly route: string;
  readonly isLetIn: (headers: IncomingHttpHeaders, request: SentRequest) => boolean;
  /** Content type of streams. Default: server-sent events. */
  readonly contentType?: string;
  readonly wrongKey: (headers: IncomingHttpHeaders) => ScriptedRefusal;
  /** Answers requests about models. Returns `undefined` for other paths. */
  readonly models: (route: string) => unknown;
  readonly findFault: (body: Body, headers: IncomingHttpHeaders) => string | undefined;
  /** Returns an error in the format of the service. */
  readonly refusal: (status: number, message: string) => ScriptedRefusal;
  /** Encodes steps, and adds the end of the answer if they lack one. */
  readonly play: (steps: readonly Step[], body: Body) => readonly RawStep[];
}

export interface ScriptedServer<Step, Body> {
  /** Includes `/v1`. */
  readonly baseUrl: string;
  /** Requests for an answer, including refused ones, oldest first. */
  readonly requests: readonly Recorded<Body>[];
  /** Headers of every request for the list of models. */
  readonly lists: readonly IncomingHttpHeaders[];
  readonly unplayed: number;
  script(...answers: readonly Scripted<Step, Body>[]): void;
  /** Sets the answer after the script. Without one such requests are refused. */
  afterScript(answer: Scripted<Step, Body>): void;
  dispose(): Promise<void>;
}

/** @param port default: any free one. Rejects if it is in use */
export async function startScriptedServer<Step, Body>(
  rules: WireRules<Step, Body>,
  port = 0,
): Promise<ScriptedServer<Step, Body>> {
  const requests: Recorded<Body>[] = [];
  const lists: IncomingHttpHeaders[] = [];
  const script: Scripted<Step, Body>[] = [];
  let after: Scripted<Step, Body> | undefined;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    const { headers, method, url } = incoming;
    const bytes = await readBytes(incoming);
    const route = `${method} ${url}`;
    const list = rules.models(route);
    if (list !== undefined) lists.push(headers);
    const sent = { method: String(method), target: String(url), bytes };
    if (!rules.isLetIn(headers, sent)) return refuse(rules.wrongKey(headers), response, signal);
    if (list !== undefined) return sendJson(200, list, {}, response);
    if (route !== rules.route) return refuse(rules.refusal(404, 'Not Found'), response, signal);
    const body = JSON.parse(bytes || '{}') as Body;
    const request = {
      headers,
      body,
      bytes,
      fault: findHalfCharacter(bytes) ?? rules.findFault(body, headers),
      signal,
    };
    requests.push(request);
    if (request.fault) return refuse(rules.refusal(400, request.fault), response, signal);
    const next = script.shift() ?? after;
    if (!next) {
      return refuse(rules.refusal(400, `The script has no answer ${requests.length}.`), response, signal);
    }
    const chosen = typeof next === 'function' ? await next(request) : next;
    if (!Array.isArray(chosen)) return refuse(chosen as ScriptedRefusal, response, signal);
    return stream(rules.play(chosen as readonly Step[], body), response, signal, rules.contentType);
  };

  // Keeps idle connections open.
  const server = createServer({ keepAliveTimeout: 3_600_000 }, (incoming, response) => {
    const done = answer(incoming, response)
      .catch(error => {
        if (!response.destroyed) sendJson(500, { error: { message: String(error) } }, {}, response);
      })
      .finally(() => running.delete(done));
    running.add(done);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    lists,
    get unplayed() {
      return script.length;
    },
    script: (...answers) => void script.push(...answers),
    afterScript: answer => {
      after = answer;
    },
    dispose: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      closing.abort();
      server.closeAllConnections();
      await Promise.all([closed, ...running]);
    },
  };
}

/** Returns the number of requests for an answer, and a promise for the disconnect of the newest. */
export function asksOf({ requests }: { readonly requests: readonly Recorded<unknown>[] }): {
  requests: () => number;
  gone: () => Promise<void>;
} {
  return { requests: () => requests.length, gone: () => untilGone(requests.at(-1)!.signal) };
}

/** Returns true if the steps end the answer themselves. */
export function isEnded(steps: readonly { readonly kind: string }[]): boolean {
  return /^(finish|stop|hang|reset)$/.test(steps.at(-1)?.kind ?? '');
}

async function readBytes(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function stream(
  steps: readonly RawStep[],
  response: ServerResponse,
  signal: AbortSignal,
  contentType = 'text/event-stream; charset=utf-8',
): Promise<void> {
  response.writeHead(200, { 'content-type': contentType });
  response.flushHeaders();
  for (const step of steps) {
    if (signal.aborted) return;
    await play(step, response, signal);
  }
  response.end();
}

async function play(step: RawStep, response: ServerResponse, signal: AbortSignal): Promise<void> {
  switch (step.kind) {
    case 'events':
      return void response.write(step.text);
    case 'bytes':
      response.write(step.bytes);
      return setImmediate();
    case 'torn':
      for (const byte of step.bytes) {
        response.write(Uint8Array.of(byte));
        await setImmediate();
      }
      return;
    case 'hang':
      return untilGone(signal);
    case 'reset':
      // Closes after sending, so that the body is incomplete.
      return void response.socket?.destroySoon();
    case 'stop':
      return;
  }
}

async function refuse(answer: ScriptedRefusal, response: ServerResponse, signal: AbortSignal): Promise<void> {
  switch (answer.kind) {
    case 'json':
      return sendJson(answer.status, answer.body, answer.headers ?? {}, response);
    case 'silence':
      return untilGone(signal);
    case 'hangUp':
      return void response.socket?.resetAndDestroy();
    case 'page':
      return void response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  }
}

function sendJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  response: ServerResponse,
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body, null, 2));
}

function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * No JSON parser of a service takes half of a surrogate pair: Anthropic answers 400, "The request body is not valid
 * JSON: no low surrogate in string"; servers in Rust, Go and Python fail likewise when they decode or encode it again.
 */
function findHalfCharacter(json: string): string | undefined {
  let half: string | undefined;
  JSON.parse(json || '{}', (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) half = key;
    return value;
  });
  return half === undefined
    ? undefined
    : `The request body is not valid JSON: no low surrogate in string (${encodeURI(half.toWellFormed())})`;
}
