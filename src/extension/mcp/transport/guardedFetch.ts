/*
 * Handles what the library's HTTP transports leave open: the maximum size of an answer, a call whose answer breaks off,
 * and a server that is gone.
 */

import type { FetchLike } from '@modelcontextprotocol/client';
import { type LocalizedMessage, t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { isRecord, tryParseJson } from '../../base/record.ts';
import { excerptLongLine, LineSplitter } from '../../platform/framing/lineSplitter.ts';
import { SignInNeededError } from '../signIn/signInNeeded.ts';
import { networkReason, unreachableReason } from './networkReason.ts';
import { describeTooLarge, findMessageId, maxMessageBytes, refusedMessage } from './refusedMessage.ts';

interface FetchGuard {
  readonly fetch: FetchLike;
  /** Called when the server is unreachable, or has forgotten the session. */
  readonly lost: (reason: LocalizedMessage) => void;
  /** The older transport has one stream for all answers; the connection ends with it. */
  readonly isOneStream: boolean;
}

export function guardedFetch({ fetch, lost, isOneStream }: FetchGuard): FetchLike {
  return async (address, init) => {
    let response: Response;
    try {
      response = await fetch(address, init);
    } catch (error) {
      // A server that requires a sign-in was reached.
      const isGone = !init?.signal?.aborted && !(error instanceof SignInNeededError);
      if (isGone) lost(() => t('It cannot be reached: {0}', unreachableReason(error)));
      throw error;
    }
    const headers = new Headers(init?.headers);
    // Only requests of protocol 2026-07-28 and later have this header.
    const method = headers.get('mcp-method');
    if (response.status === 404 && headers.has('mcp-session-id')) {
      lost(() => t('It no longer has the session.'));
    }
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    const id = init?.method === 'POST' ? requestId(init.body) : undefined;
    const wanted = id !== undefined ? answerTypes : isOneStream && init?.method !== 'POST' ? streamType : [];
    const isRight = response.ok && (response.status === 202 || wanted.includes(type ?? ''));
    // The library itself reads the answer to the first request, and rejections by a server with protocol 2026-07-28.
    const isRead = method === 'server/discover' || (method !== null && isRefusal(response, type));
    if (wanted.length > 0 && !isRight && !isRead && !isSignIn(response))
      throw await otherAnswer(response, type);
    if (type === 'text/event-stream' && response.body) {
      const ended = isOneStream ? (why: LocalizedMessage) => lost(why) : undefined;
      // Streams of protocol 2026-07-28 cannot be resumed, even if their messages are numbered.
      return withBody(response, guardEvents(response.body, id, ended, { canResume: method === null }));
    }
    if (response.body && response.status !== 202) {
      return await boundedBody(response, response.ok ? id : undefined);
    }
    return response;
  };
}

const streamType: readonly string[] = ['text/event-stream'];
const answerTypes: readonly string[] = ['application/json', ...streamType];

function isRefusal({ status }: Response, type: string | undefined): boolean {
  return status === 400 && type === 'application/json';
}

/** True for answers that the sign-in handles. */
function isSignIn({ status }: Response): boolean {
  return status === 401 || status === 403;
}

/** The answer is no MCP message: another program at the address, or a server that rejects by HTTP status. */
export class ForeignAnswerError extends LocalizedError {
  readonly status: number;

  constructor(status: number, say: LocalizedMessage) {
    super(say);
    this.status = status;
  }
}

async function otherAnswer(response: Response, type: string | undefined): Promise<ForeignAnswerError> {
  const { status } = response;
  const body = await boundedBody(response, undefined);
  const answer = type === 'application/json' ? tryParseJson(await body.text()) : undefined;
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error.message : undefined;
  if (typeof error === 'string') return new ForeignAnswerError(status, () => error);
  return new ForeignAnswerError(status, () =>
    type === 'text/html'
      ? t('a web page answered instead of an MCP server (status {0}). Check its address.', status)
      : t(
          'its answer is not an MCP message (status {0}, {1}). Check its address.',
          status,
          type ?? t('no content'),
        ),
  );
}

function requestId(body: unknown): number | undefined {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  return isRecord(message) && 'method' in message && typeof message.id === 'number' ? message.id : undefined;
}

function withBody(response: Response, body: ReadableStream<Uint8Array> | Buffer<ArrayBuffer>): Response {
  const { status, statusText, headers } = response;
  const guarded = new Response(body, { status, statusText, headers });
  Object.defineProperty(guarded, 'url', { value: response.url });
  return guarded;
}

/**
 * Each message of a stream is one line. Replaces one that is too long. If a stream ends and cannot be resumed, answers
 * its call with an error.
 */
function guardEvents(
  body: ReadableStream<Uint8Array>,
  id: number | undefined,
  ended: ((why: LocalizedMessage) => void) | undefined,
  { canResume: mayResume }: { readonly canResume: boolean },
): ReadableStream<Uint8Array> {
  let out: Uint8Array[] = [];
  let canResume = false;
  let isAnswered = false;
  let isLineOpen = false;
  const event = (message: unknown) => Buffer.from(`data: ${JSON.stringify(message)}\n`);
  const lines = new LineSplitter(maxMessageBytes, {
    line: bytes => {
      if (bytes[0] === 105 && bytes[1] === 100 && bytes[2] === 58) canResume = mayResume;
      isLineOpen = bytes.length > 0;
      if (id !== undefined && isAnswerTo(id, bytes)) isAnswered = true;
      out.push(bytes, lineBreak);
    },
    tooLong: line => {
      const answered = findMessageId(line) ?? id;
      if (answered !== undefined)
        out.push(event(refusedMessage(answered, { kind: 'tooLarge', bytes: line.bytes, isWhole: true })));
    },
  });
  const rest = () => {
    lines.finish();
    if (ended) ended(() => t('Its stream of messages has ended.'));
    else if (id !== undefined && !canResume && !isAnswered) {
      if (isLineOpen) out.push(lineBreak);
      out.push(event(refusedMessage(id, { kind: 'brokeOff', why: '' })), lineBreak);
    }
    return out.length > 0 ? Buffer.concat(out) : undefined;
  };
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async controller => {
      // Loops until there is data, because a pull that enqueues nothing is not called again.
      while (true) {
        const read = await reader.read().catch(() => ({ done: true, value: undefined }));
        if (read.done || read.value === undefined) {
          const last = rest();
          if (last) controller.enqueue(last);
          controller.close();
          return;
        }
        out = [];
        lines.add(read.value);
        if (out.length === 0) continue;
        controller.enqueue(Buffer.concat(out));
        out = [];
        return;
      }
    },
    cancel: reason => reader.cancel(reason),
  });
}

/** Checks only the ends of the line, since the rest may be megabytes of content. */
function isAnswerTo(id: number, bytes: Uint8Array): boolean {
  const line = excerptLongLine(bytes);
  return findMessageId(line) === id && !/"method"\s*:/.test(line.head);
}

const lineBreak = Buffer.from('\n');

async function boundedBody(response: Response, id: number | undefined): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > maxMessageBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (id === undefined) throw error;
    return jsonResponse(response, refusedMessage(id, { kind: 'brokeOff', why: networkReason(error) }));
  }
  if (length <= maxMessageBytes) return withBody(response, Buffer.concat(chunks));
  if (id === undefined) throw new LocalizedError(() => describeTooLarge({ bytes: length, isWhole: true }));
  // The total length is unknown.
  return jsonResponse(response, refusedMessage(id, { kind: 'tooLarge', bytes: length, isWhole: false }));
}

function jsonResponse(response: Response, message: unknown): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  headers.delete('content-length');
  return new Response(JSON.stringify(message), { status: 200, headers });
}
