/* What a scripted chat-completions server answers: steps of a stream, and ways to misbehave. See openaiServer.ts. */

import type { CallDelta, ChatChunk, ChatDelta, ChatUsage } from '../../src/extension/models/openai/wire.ts';

/** A list of steps is streamed in order. Unless its last step ends it in its own way, it is finished properly. */
export type ChatAnswer = readonly ChatStep[] | ChatRefusal;

export type ChatStep =
  | { readonly kind: 'chunk'; readonly chunk: ChatChunk }
  | { readonly kind: 'finish'; readonly reason: string; readonly usage?: ChatUsage }
  /** Sent as they are, whether they make sense or not. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** In writes of one byte, so that every character and every line break is torn. */
  | { readonly kind: 'torn'; readonly bytes: Uint8Array }
  /** Says nothing more until the client leaves. */
  | { readonly kind: 'hang' }
  /** Breaks the connection. */
  | { readonly kind: 'reset' }
  /** Ends the body properly, but without a finish reason and `[DONE]`. */
  | { readonly kind: 'stop' };

export type ChatRefusal =
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

export function delta(value: ChatDelta, finish: string | null = null): ChatStep {
  return chunk({ choices: [{ delta: value, finish_reason: finish }] });
}

export function text(content: string): ChatStep {
  return delta({ content });
}

export function thought(reasoning: string): ChatStep {
  return delta({ reasoning_content: reasoning });
}

/** A whole call in one piece. */
export function call(name: string, args: object = {}, more: { id?: string; index?: number } = {}): ChatStep {
  const { id, index = 0 } = more;
  return pieces({ index, ...(id ? { id } : {}), function: { name, arguments: JSON.stringify(args) } });
}

export function pieces(...calls: readonly CallDelta[]): ChatStep {
  return delta({ tool_calls: calls });
}

export function chunk(value: ChatChunk): ChatStep {
  return { kind: 'chunk', chunk: value };
}

export function torn(content: string): ChatStep {
  return tornBytes(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
}

/** A whole stream as it is, byte by byte. */
export function tornStream(stream: string): ChatAnswer {
  return [tornBytes(stream), noFinish];
}

function tornBytes(value: string): ChatStep {
  return { kind: 'torn', bytes: new TextEncoder().encode(value) };
}

export function finish(reason = 'stop', usage?: ChatUsage): ChatStep {
  return { kind: 'finish', reason, ...(usage ? { usage } : {}) };
}

export function bytes(value: string | Uint8Array): ChatStep {
  return { kind: 'bytes', bytes: typeof value === 'string' ? new TextEncoder().encode(value) : value };
}

export const hang: ChatStep = { kind: 'hang' };
export const reset: ChatStep = { kind: 'reset' };
export const noFinish: ChatStep = { kind: 'stop' };
export const silence: ChatRefusal = { kind: 'silence' };
export const hangUp: ChatRefusal = { kind: 'hangUp' };

/** A chunk that is not JSON. */
export const malformedChunk = bytes('data: {"choices": [{]}\n\n');

/** The stream ends within a chunk. */
export const cutInChunk: readonly ChatStep[] = [bytes('data: {"choices":[{"delta":{"con'), noFinish];

/** The stream ends after the first of the two bytes of an umlaut. */
export const cutInCharacter: readonly ChatStep[] = [
  bytes('data: {"choices":[{"delta":{"content":"Gr'),
  bytes(Uint8Array.of(0xc3)),
  noFinish,
];

export function json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): ChatRefusal {
  return { kind: 'json', status, body, ...(headers ? { headers } : {}) };
}

/** An error in the form of the service. */
export function refusal(
  status: number,
  message: string,
  code: string | null = null,
  headers?: Readonly<Record<string, string>>,
): ChatRefusal {
  return json(status, { error: { message, type: 'invalid_request_error', param: null, code } }, headers);
}

export function page(status: number, body: string, type = 'text/html'): ChatRefusal {
  return { kind: 'page', status, type, body };
}

/** The same answer as a whole, as a server sends it that does not stream. */
export function whole(message: ChatDelta, usage?: ChatUsage, reason = 'stop'): ChatRefusal {
  const choices = [{ index: 0, message, finish_reason: reason }];
  return json(200, { object: 'chat.completion', choices, ...(usage ? { usage } : {}) });
}
