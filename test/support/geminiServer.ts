/*
 * A scripted Gemini server. It listens on 127.0.0.1, plays one answer of its script for each request for content,
 * records every request, and refuses what the real service would refuse (geminiRequestRules.ts), so that an invalid
 * history fails the test with a reason.
 *
 *   const server = await startGeminiServer();
 *   server.script(
 *     [thought('Let me look.'), call('read_file', { file_path: 'a.txt' })],
 *     rateLimited(2),
 *     [text('It says '), text('hello.'), finish('STOP', { promptTokenCount: 12, candidatesTokenCount: 3 })],
 *     request => [text(`You asked: ${lastPrompt(request)}`)],
 *   );
 *   // … point the code under test at server.baseUrl, any non-empty key will do …
 *   expect(server.requests[1].body.contents).toHaveLength(3);
 *   expect(server.unplayed).toBe(0);
 *   await server.dispose();
 *
 * Steps and misbehaviour are in geminiAnswers.ts. A list of steps is finished with STOP and an estimated usage
 * unless its last step ends it otherwise (`finish`, `noFinish`, `hang`, `reset`).
 */

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  estimateTokens,
  joinChunks,
  type WireChunk,
  type WirePart,
} from '../../src/extension/rehearsal/wire.ts';
import {
  formatServerSentEvent,
  startStream,
  startWireServer,
  type WireAnswer,
  type WireRequest,
  wireError,
  write,
} from '../../src/extension/rehearsal/wireServer.ts';
import { type Answer, finish, finishOf, type Refusal, type Step } from './geminiAnswers.ts';
import { findRequestFault } from './geminiRequestRules.ts';
import { findVertexRoute, publisherModels, refuseToken, type VertexPlace } from './vertexWire.ts';

export interface GeminiServer {
  readonly baseUrl: string;
  /** All requests, including refused ones, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Number of unplayed answers. */
  readonly unplayed: number;
  /** Adds to the script. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Sets the answer after the script. Without one such requests are refused. */
  afterScript(answer: ScriptedAnswer | undefined): void;
  dispose(): Promise<void>;
}

export type ScriptedAnswer = Answer | ((request: RecordedRequest) => Answer | Promise<Answer>);

export type RecordedRequest = WireRequest & {
  /** Why the service would refuse it. */
  readonly fault: string | undefined;
};

export interface GeminiServerOptions {
  /** Ids that the model list holds. */
  readonly models?: readonly string[];
  /** The only valid key. Absent: any. */
  readonly apiKey?: string;
  /** Speaks as Vertex AI does, and lets this token in and no key. `list`: instead of a list of models. */
  readonly vertex?: VertexPlace & { readonly token: string; readonly list?: Refusal };
}

export async function startGeminiServer(options: GeminiServerOptions = {}): Promise<GeminiServer> {
  const requests: RecordedRequest[] = [];
  const script: ScriptedAnswer[] = [];
  let after: ScriptedAnswer | undefined;
  const server = await startWireServer(async incoming => {
    const request = { ...incoming, fault: findRequestFault(incoming) };
    requests.push(request);
    const { vertex, models = ['gemini-2.5-pro', 'gemini-2.5-flash'] } = options;
    const refused = vertex ? refuseToken(request.headers, vertex.token) : refuseKey(request, options.apiKey);
    if (refused) return refused;
    if (request.method === 'models') {
      if (vertex?.list) return refuse(vertex.list, request.signal);
      return vertex ? publisherModels(models) : listOf(models);
    }
    if (request.fault) return wireError(400, 'INVALID_ARGUMENT', request.fault);
    if (request.method === 'countTokens') return json({ totalTokens: estimateTokens(request.bytes) });
    const next = script.shift() ?? after;
    if (!next)
      return wireError(400, 'INVALID_ARGUMENT', `The script has no answer to request ${requests.length}.`);
    return toWire(typeof next === 'function' ? await next(request) : next, request);
  }, options.vertex && findVertexRoute(options.vertex));
  return {
    baseUrl: server.baseUrl,
    requests,
    get unplayed() {
      return script.length;
    },
    script: (...answers) => void script.push(...answers),
    afterScript: answer => {
      after = answer;
    },
    dispose: () => server.dispose(),
  };
}

/** Returns the number of requests for an answer, and a promise for the disconnect of the newest. */
export function asksOf(server: GeminiServer): { requests: () => number; gone: () => Promise<void> } {
  const asks = () => server.requests.filter(({ method }) => method !== 'models');
  return { requests: () => asks().length, gone: () => untilGone(asks().at(-1)!.signal) };
}

/** Returns an address that refuses connections. */
export async function findDeadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}

/** Returns the newest text of the user. */
export function lastPrompt({ body }: WireRequest): string {
  const texts = partsOf('user', body.contents).flatMap(part => part.text ?? []);
  return texts.at(-1) ?? '';
}

/** Returns the names of declared tools. */
export function toolNames({ body }: WireRequest): string[] {
  return (body.tools ?? []).flatMap(tool => (tool.functionDeclarations ?? []).map(({ name }) => name));
}

/** Returns the tool results in the newest message of a request. */
export function lastResults({ body }: WireRequest): { name: string; output?: string; error?: string }[] {
  return (body.contents?.at(-1)?.parts ?? []).flatMap(({ functionResponse: result }) =>
    result ? [{ name: result.name, ...(result.response as { output?: string; error?: string }) }] : [],
  );
}

function partsOf(role: string, contents: WireRequest['body']['contents'] = []): WirePart[] {
  return contents.filter(content => content.role === role).flatMap(content => content.parts ?? []);
}

function refuseKey({ headers }: RecordedRequest, allowed: string | undefined): WireAnswer | undefined {
  const key = headers['x-goog-api-key'];
  if (!key) {
    return wireError(403, 'PERMISSION_DENIED', "Method doesn't allow unregistered callers. Use an API key.");
  }
  if (allowed === undefined || key === allowed) return undefined;
  return wireError(400, 'INVALID_ARGUMENT', 'API key not valid. Pass a valid API key.');
}

function listOf(ids: readonly string[]): WireAnswer {
  const models = ids.map(id => ({
    name: `models/${id}`,
    displayName: id,
    inputTokenLimit: 1_000_000,
    supportedGenerationMethods: [id.includes('embedding') ? 'embedContent' : 'generateContent'],
  }));
  return json({ models });
}

function json(body: object): WireAnswer {
  return { kind: 'json', status: 200, body };
}

function toWire(answer: Answer, request: WireRequest): WireAnswer {
  if (!Array.isArray(answer)) return refuse(answer as Refusal, request.signal);
  const steps = complete(answer as readonly Step[], request);
  if (request.method === 'generateContent') return json(joinChunks(steps.flatMap(chunkOf)));
  return {
    kind: 'raw',
    send: async response => {
      startStream(response);
      for (const step of steps) await play(step, response, request.signal);
      response.end();
    },
  };
}

function complete(steps: readonly Step[], request: WireRequest): readonly Step[] {
  const last = steps.at(-1)?.kind;
  if (last === 'finish' || last === 'stop' || last === 'hang' || last === 'reset') return steps;
  const output = estimateTokens(JSON.stringify(steps.flatMap(chunkOf)).length);
  const prompt = estimateTokens(request.bytes);
  const usage = { promptTokenCount: prompt, candidatesTokenCount: output, totalTokenCount: prompt + output };
  return [...steps, finish('STOP', usage)];
}

function chunkOf(step: Step): WireChunk[] {
  if (step.kind === 'chunk' || step.kind === 'torn') return [step.chunk];
  return step.kind === 'finish' ? [finishOf(step)] : [];
}

async function play(step: Step, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  switch (step.kind) {
    case 'chunk':
      return write(response, formatServerSentEvent(step.chunk), signal);
    case 'finish':
      return write(response, formatServerSentEvent(finishOf(step)), signal);
    case 'bytes':
      return write(response, step.bytes, signal);
    case 'torn':
      for (const byte of new TextEncoder().encode(formatServerSentEvent(step.chunk))) {
        await write(response, Uint8Array.of(byte), signal);
        await setImmediate();
      }
      return;
    case 'pause':
      await Promise.race([setTimeout(step.ms), untilGone(signal)]);
      return;
    case 'wait':
      await Promise.race([step.until, untilGone(signal)]);
      return;
    case 'hang':
      return untilGone(signal);
    case 'reset':
      // Once what was written has gone out; the body then lacks its end.
      response.socket?.destroySoon();
      return;
    case 'stop':
      return;
  }
}

function refuse(answer: Refusal, signal: AbortSignal): WireAnswer {
  switch (answer.kind) {
    case 'refusal': {
      const { status, code, message, details, headers } = answer;
      return { ...wireError(status, code, message, details), ...(headers ? { headers } : {}) };
    }
    case 'silence':
      return { kind: 'raw', send: () => untilGone(signal) };
    case 'hangUp':
      return { kind: 'raw', send: async response => void response.socket?.resetAndDestroy() };
    case 'page':
      return {
        kind: 'raw',
        send: async response => {
          response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
        },
      };
  }
}

function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}
