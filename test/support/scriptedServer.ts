/*
 * A model server that says what a test wants, whatever its wire. It listens on 127.0.0.1, plays one answer of its script
 * for each request for an answer, records every request, and refuses what the rules of the wire refuse.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** A wire's own steps come down to these. */
export type RawStep =
  /** Whole events, as they stand on the wire. */
  | { readonly kind: 'events'; readonly text: string }
  /** Sent as they are, whether they make sense or not. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** In writes of one byte, so that every character and every line break is torn. */
  | { readonly kind: 'torn'; readonly bytes: Uint8Array }
  /** Says nothing more until the client leaves. */
  | { readonly kind: 'hang' }
  /** Breaks the connection. */
  | { readonly kind: 'reset' }
  /** Ends the body properly, but without what ends an answer. */
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

/** A list of steps is streamed in order. Unless its last step ends it in its own way, it is finished properly. */
type Answer<Step> = readonly Step[] | ScriptedRefusal;

export type Scripted<Step, Body> =
  | Answer<Step>
  | ((request: Recorded<Body>) => Answer<Step> | Promise<Answer<Step>>);

export interface Recorded<Body> {
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** The body as it came. */
  readonly bytes: string;
  /** Why it was refused. */
  readonly fault: string | undefined;
  /** Aborted when the client has gone or the server closes. */
  readonly signal: AbortSignal;
}

/** What of a request a signature is made of. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly bytes: string;
}

/** How a wire is spoken, and what its servers refuse. */
export interface WireRules<Step, Body> {
  /** Method and path of a request for an answer. */
  readonly route: string;
  readonly isLetIn: (headers: IncomingHttpHeaders, request: SentRequest) => boolean;
  /** Of a stream; server-sent events unless it is given. */
  readonly contentType?: string;
  readonly wrongKey: (headers: IncomingHttpHeaders) => ScriptedRefusal;
  /** The body for a question about models; `undefined`: the path is none of those. */
  readonly models: (route: string) => unknown;
  readonly findFault: (body: Body, headers: IncomingHttpHeaders) => string | undefined;
  /** An error in the form of the service. */
  readonly refusal: (status: number, message: string) => ScriptedRefusal;
  /** With what ends a good answer, where the steps do not end it in their own way. */
  readonly play: (steps: readonly Step[], body: Body) => readonly RawStep[];
}

export interface ScriptedServer<Step, Body> {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Requests for an answer, the refused ones too, oldest first. */
  readonly requests: readonly Recorded<Body>[];
  /** Headers of every request for the list of models. */
  readonly lists: readonly IncomingHttpHeaders[];
  readonly unplayed: number;
  script(...answers: readonly Scripted<Step, Body>[]): void;
  /** Sets the answer for when the script has ended; without it such a request is refused. */
  afterScript(answer: Scripted<Step, Body>): void;
  dispose(): Promise<void>;
}

/** @param port any free one unless it is named; rejects when it is taken */
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

  // A connection that waits for its next request is not closed under it.
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

/** Tells how many requests for an answer came, and when the client has left the newest. */
export function asksOf({ requests }: { readonly requests: readonly Recorded<unknown>[] }): {
  requests: () => number;
  gone: () => Promise<void>;
} {
  return { requests: () => requests.length, gone: () => untilGone(requests.at(-1)!.signal) };
}

/** Whether a list of steps ends in its own way. */
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
      // Once what was written has gone out; the body then lacks its end.
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
