/* A local server with the Gemini wire protocol. A handler provides the answers. */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { joinChunks, type WireBody, type WireChunk } from './wire.ts';

export interface WireServer {
  readonly baseUrl: string;
  /** Closes open connections, including answers under way. Resolves when all of it has ended. */
  dispose(): Promise<void>;
}

type WireMethod = 'streamGenerateContent' | 'generateContent' | 'countTokens' | 'models';

export interface WireRequest {
  readonly method: WireMethod;
  /** Without `models/`; empty for the list. */
  readonly model: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: WireBody;
  /** Size of the body. */
  readonly bytes: number;
  /** Aborts when the client has disconnected or the server closes. */
  readonly signal: AbortSignal;
}

export type WireAnswer =
  /** Sent as server-sent events, or joined if the client did not request a stream. */
  | { readonly kind: 'chunks'; readonly chunks: AsyncIterable<WireChunk> | Iterable<WireChunk> }
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Any other behaviour of a server. */
  | { readonly kind: 'raw'; readonly send: (response: ServerResponse) => Promise<void> };

type WireHandler = (request: WireRequest) => WireAnswer | Promise<WireAnswer>;

/** Maps a path to its request; `undefined` if nothing is there. */
export type FindRoute = (pathname: string) => Pick<WireRequest, 'method' | 'model'> | undefined;

/**
 * Rejects if no port can be opened. Answers status 500 if the handler throws.
 * @param findRoute defaults to the paths of Gemini's own service
 */
export async function startWireServer(
  handler: WireHandler,
  findRoute: FindRoute = findGeminiRoute,
): Promise<WireServer> {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout }, (incoming, response) => {
    const answer = { handler, findRoute, closing: closing.signal };
    const done = handle(answer, incoming, response).finally(() => running.delete(done));
    running.add(done);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    dispose: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      closing.abort();
      server.closeAllConnections();
      await Promise.all([closed, ...running]);
    },
  };
}

/**
 * If a server closes an idle connection just as the client sends its next request, it looks broken to that client.
 * Stopping the server closes all connections, so they may stay open until then.
 */
const keepAliveTimeout = 3_600_000;

/** Formats an error like the API. */
export function wireError(
  status: number,
  code: string,
  message: string,
  details: readonly object[] = [],
): Extract<WireAnswer, { kind: 'json' }> {
  return { kind: 'json', status, body: { error: { code: status, message, status: code, details } } };
}

interface Answering {
  readonly handler: WireHandler;
  readonly findRoute: FindRoute;
  readonly closing: AbortSignal;
}

async function handle(
  { handler, findRoute, closing }: Answering,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  try {
    const request = await readRequest(incoming, findRoute, signal);
    const answer = request
      ? await handler(request)
      : wireError(404, 'NOT_FOUND', `Nothing answers at ${incoming.method} ${incoming.url}.`);
    await send(answer, request?.method === 'streamGenerateContent', response, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (response.headersSent) response.destroy();
    else sendJson(wireError(500, 'INTERNAL', String(error)), response);
  }
}

/** Resolves with `undefined` if no route matches. */
async function readRequest(
  incoming: IncomingMessage,
  findRoute: FindRoute,
  signal: AbortSignal,
): Promise<WireRequest | undefined> {
  const { pathname } = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const route = findRoute(pathname);
  if (!route || incoming.method !== (route.method === 'models' ? 'GET' : 'POST')) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks);
  const body: WireBody = text.length > 0 ? JSON.parse(text.toString('utf8')) : {};
  return {
    ...route,
    headers: incoming.headers,
    body,
    bytes: text.length,
    signal,
  };
}

function findGeminiRoute(pathname: string): ReturnType<FindRoute> {
  if (pathname === '/v1beta/models') return { method: 'models', model: '' };
  const [, model = '', method = ''] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(pathname) ?? [];
  return isWireMethod(method) ? { method, model: decodeURIComponent(model) } : undefined;
}

export function isWireMethod(method: string): method is WireMethod {
  return ['streamGenerateContent', 'generateContent', 'countTokens', 'models'].includes(method);
}

async function send(
  answer: WireAnswer,
  streams: boolean,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (answer.kind === 'json') return sendJson(answer, response);
  if (answer.kind === 'raw') return answer.send(response);
  if (streams) return sendStream(answer.chunks, response, signal);
  const chunks: WireChunk[] = [];
  for await (const chunk of answer.chunks) chunks.push(chunk);
  sendJson({ kind: 'json', status: 200, body: joinChunks(chunks) }, response);
}

function sendJson(answer: Extract<WireAnswer, { kind: 'json' }>, response: ServerResponse): void {
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

async function sendStream(
  chunks: AsyncIterable<WireChunk> | Iterable<WireChunk>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  startStream(response);
  for await (const chunk of chunks) {
    if (signal.aborted) return;
    await write(response, formatServerSentEvent(chunk), signal);
  }
  response.end();
}

export function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

export function formatServerSentEvent(chunk: WireChunk): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

/** Waits while the client reads slower than the server writes. Also returns when the client has disconnected. */
export async function write(
  response: ServerResponse,
  bytes: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  if (response.write(bytes)) return;
  await new Promise<void>(resolve => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
