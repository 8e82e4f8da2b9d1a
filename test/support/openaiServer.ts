/*
 * A chat-completions server that says what a test wants. It listens on 127.0.0.1, plays one answer of its script for
 * each request for an answer, records every request, and refuses what one server or another would refuse
 * (openaiRequestRules.ts). Steps and misbehaviour are in openaiAnswers.ts. Point the code under test at `baseUrl`.
 */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { ChatChunk } from '../../src/extension/models/openai/wire.ts';
import { type ChatAnswer, type ChatRefusal, type ChatStep, finish, refusal } from './openaiAnswers.ts';
import { type ChatRequestBody, findChatFault } from './openaiRequestRules.ts';

export interface OpenAiServer {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Requests for an answer, the refused ones too, oldest first. */
  readonly requests: readonly RecordedChat[];
  /** Headers of every request for the list of models. */
  readonly lists: readonly IncomingHttpHeaders[];
  readonly unplayed: number;
  script(...answers: readonly ScriptedChat[]): void;
  /** What to answer when the script has ended; without it such a request is refused. */
  afterScript(answer: ScriptedChat): void;
  dispose(): Promise<void>;
}

export type ScriptedChat = ChatAnswer | ((request: RecordedChat) => ChatAnswer | Promise<ChatAnswer>);

export interface RecordedChat {
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatRequestBody;
  /** Why it was refused. */
  readonly fault: string | undefined;
  /** Aborted when the client has gone or the server closes. */
  readonly signal: AbortSignal;
}

export interface OpenAiServerOptions {
  /** The body of the list of models. */
  readonly models?: unknown;
  /** The only key that is let in; by default none is needed. */
  readonly apiKey?: string;
  /** Why this server alone refuses a request with status 400; `undefined`: it does not. */
  readonly refuses?: (body: ChatRequestBody) => string | undefined;
  /** Any free one unless it is named; rejects when it is taken. */
  readonly port?: number;
}

export async function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const requests: RecordedChat[] = [];
  const lists: IncomingHttpHeaders[] = [];
  const script: ScriptedChat[] = [];
  let after: ScriptedChat | undefined;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    const { headers, method, url } = incoming;
    const body = await readBody(incoming);
    const route = `${method} ${url}`;
    if (route === 'GET /v1/models') lists.push(headers);
    if (options.apiKey !== undefined && headers.authorization !== `Bearer ${options.apiKey}`) {
      return refuse(wrongKey(headers.authorization), response, signal);
    }
    if (route === 'GET /v1/models') return sendJson(200, options.models ?? defaultModels, {}, response);
    if (route !== 'POST /v1/chat/completions') return refuse(refusal(404, 'Not Found'), response, signal);
    const request = { headers, body, fault: findChatFault(body) ?? options.refuses?.(body), signal };
    requests.push(request);
    if (request.fault) return refuse(refusal(400, request.fault), response, signal);
    const next = script.shift() ?? after;
    if (!next) return refuse(refusal(400, `The script has no answer ${requests.length}.`), response, signal);
    const chosen = typeof next === 'function' ? await next(request) : next;
    if (!Array.isArray(chosen)) return refuse(chosen as ChatRefusal, response, signal);
    return stream(chosen as readonly ChatStep[], request, response);
  };

  // As with the other wire, a connection that waits for its next request is not closed under it.
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
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
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

/** Of the requests for an answer: how many came, and when the client has left the newest. */
export function asksOf({ requests }: OpenAiServer): { requests: () => number; gone: () => Promise<void> } {
  return { requests: () => requests.length, gone: () => untilGone(requests.at(-1)!.signal) };
}

/** What tools answered last, oldest first. */
export function lastToolTexts({ body: { messages = [] } }: RecordedChat): readonly string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
}

const defaultModels = { object: 'list', data: [{ id: 'qwen3', object: 'model', owned_by: 'me' }] };

function wrongKey(given: string | undefined): ChatRefusal {
  return refusal(401, `Incorrect API key provided: ${given ?? 'none'}.`, 'invalid_api_key');
}

async function readBody(incoming: IncomingMessage): Promise<ChatRequestBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : {};
}

async function stream(
  steps: readonly ChatStep[],
  { body, signal }: RecordedChat,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  for (const step of complete(steps)) {
    if (signal.aborted) return;
    await play(step, body, response, signal);
  }
  response.end();
}

function complete(steps: readonly ChatStep[]): readonly ChatStep[] {
  const last = steps.at(-1)?.kind;
  if (last === 'finish' || last === 'stop' || last === 'hang' || last === 'reset') return steps;
  const called = steps.some(step => step.kind === 'chunk' && step.chunk.choices?.[0]?.delta?.tool_calls);
  return [...steps, finish(called ? 'tool_calls' : 'stop', { prompt_tokens: 10, completion_tokens: 5 })];
}

async function play(
  step: ChatStep,
  body: ChatRequestBody,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  switch (step.kind) {
    case 'chunk':
      return void response.write(eventOf(step.chunk));
    case 'finish':
      response.write(eventOf({ choices: [{ delta: {}, finish_reason: step.reason }] }));
      // As the service does it: in a chunk of its own, and only for those who asked.
      if (step.usage && body.stream_options) response.write(eventOf({ choices: [], usage: step.usage }));
      return void response.write('data: [DONE]\n\n');
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

function eventOf(chunk: ChatChunk): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...chunk })}\n\n`;
}

async function refuse(answer: ChatRefusal, response: ServerResponse, signal: AbortSignal): Promise<void> {
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
