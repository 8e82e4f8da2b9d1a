/* What a scripted chat-completions server answers: steps of a stream, and ways to misbehave. See openaiServer.ts. */

import type { CallDelta, ChatChunk, ChatDelta, ChatUsage } from '../../src/extension/models/openai/wire.ts';
import type { ScriptedRefusal } from './scriptedServer.ts';
import { bytes, noFinish, type PlainStep } from './scriptedSteps.ts';

export { bytes, hang, hangUp, noFinish, page, reset, silence } from './scriptedSteps.ts';

export type ChatAnswer = readonly ChatStep[] | ScriptedRefusal;

export type ChatStep =
  | { readonly kind: 'chunk'; readonly chunk: ChatChunk }
  | { readonly kind: 'finish'; readonly reason: string; readonly usage?: ChatUsage }
  | PlainStep;

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

export function json(
  status: number,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
): ScriptedRefusal {
  return { kind: 'json', status, body, ...(headers ? { headers } : {}) };
}

/** An error in the form of the service. */
export function refusal(
  status: number,
  message: string,
  code: string | null = null,
  headers?: Readonly<Record<string, string>>,
): ScriptedRefusal {
  return json(status, { error: { message, type: 'invalid_request_error', param: null, code } }, headers);
}

/** The same answer as a whole, as a server sends it that does not stream. */
export function whole(message: ChatDelta, usage?: ChatUsage, reason = 'stop'): ScriptedRefusal {
  const choices = [{ index: 0, message, finish_reason: reason }];
  return json(200, { object: 'chat.completion', choices, ...(usage ? { usage } : {}) });
}
