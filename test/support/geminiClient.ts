/* The provider with the real client, and short ways to ask it. */

import type { ModelEnd, ModelEvent, ModelProvider, ModelRequest } from '../../src/extension/core/model.ts';
import { createGeminiProvider } from '../../src/extension/models/gemini/geminiProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { Message, Part } from '../../src/protocol/events.ts';

export function geminiAt(baseUrl: string, apiKey: string | undefined = 'test-key'): ModelProvider {
  let ids = 0;
  return createGeminiProvider({
    apiKey: async () => apiKey,
    baseUrl: () => baseUrl,
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
  });
}

export function user(...parts: readonly (Part | string)[]): Message {
  return { role: 'user', parts: parts.map(toPart) };
}

export function model(...parts: readonly (Part | string)[]): Message {
  return { role: 'model', parts: parts.map(toPart) };
}

export function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { model: 'gemini-2.5-pro', system: '', messages, tools: [], signal, ...more };
}

export interface Reported {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly thoughts: string;
  readonly end: ModelEnd;
}

/** Reads a stream to its end, and fails when it does not keep the contract of one `end`, always last. */
export async function notify(stream: AsyncIterable<ModelEvent>): Promise<Reported> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  const ends = events.filter(event => event.type === 'end');
  const last = events.at(-1);
  if (ends.length !== 1 || last?.type !== 'end') throw new Error(`The stream has ${ends.length} ends.`);
  const join = (type: 'text' | 'thought') =>
    events.map(event => (event.type === type ? event.text : '')).join('');
  return { events, text: join('text'), thoughts: join('thought'), end: last.end };
}

export function succeeded(end: ModelEnd): Extract<ModelEnd, { ok: true }> {
  if (!end.ok) throw end.error;
  return end;
}

export function failed(end: ModelEnd): Extract<ModelEnd, { ok: false }>['error'] {
  if (end.ok) throw new Error(`The request succeeded with ${JSON.stringify(end.message)}.`);
  return end.error;
}

function toPart(part: Part | string): Part {
  return typeof part === 'string' ? { kind: 'text', text: part } : part;
}
