/*
 * Simulates VS Code with a language model of another extension, over a real socket. The extension uses chat
 * completions, so that the server can check requests and misbehave. Errors are like those that VS Code passes on: with
 * its own codes where it has one, otherwise messages only.
 */

import type {
  AnswerPart,
  ChatMessage,
  ContentPart,
  LanguageModel,
  LanguageModelRequest,
  LanguageModels,
} from '../../src/extension/vscode/languageModels/languageModels.ts';

export interface WireModelOptions {
  readonly baseUrl: string;
  readonly key?: string;
  readonly model?: Partial<LanguageModel>;
}

export function wireLanguageModels(options: WireModelOptions): LanguageModels {
  const model: LanguageModel = {
    vendor: 'wire',
    id: 'qwen3',
    name: 'Qwen 3',
    maxInputTokens: 32_000,
    callsTools: true,
    seesPictures: true,
    send: (request, signal) => send(options, request, signal),
    countTokens: async text => Math.ceil(text.length / 3),
    ...options.model,
  };
  return { list: async () => [model] };
}

/** An error like VS Code's own, identified by its code only. */
export class CodedError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'LanguageModelError';
    this.code = code;
  }
}

async function* send(
  { baseUrl, key = 'test-key' }: WireModelOptions,
  request: LanguageModelRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    signal,
    body: JSON.stringify(toBody(request)),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  if (!response.ok) throw refusal(response.status, await response.text());
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) {
    throw new Error('The response is no stream.');
  }
  const calls: WireCall[] = [];
  let finish: string | undefined;
  for await (const { choices: [choice] = [], error } of readEvents(response.body!)) {
    if (error) throw new Error(`Request failed: ${error.code} ${error.message}`);
    const { content, reasoning_content: thought, tool_calls: pieces = [] } = choice?.delta ?? {};
    if (thought) yield { kind: 'thought', text: thought };
    if (content) yield { kind: 'text', text: content };
    calls.push(...pieces);
    finish = choice?.finish_reason ?? finish;
  }
  if (finish === undefined) throw new Error('The stream ended too early.');
  if (finish === 'content_filter') throw new Error('Response got filtered.');
  for (const {
    id = '',
    function: { name, arguments: text },
  } of calls) {
    yield { kind: 'call', id, name, input: readArguments(text) };
  }
}

function refusal(status: number, body: string): Error {
  if (/insufficient_quota/.test(body)) return new CodedError('Blocked', 'Out of quota.');
  if (status === 401) return new CodedError('NoPermissions', 'Not allowed.');
  if (status === 404) return new CodedError('NotFound', 'Unknown model.');
  return new Error(`Request failed: ${status} ${body}`);
}

interface WireCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface WireEvent {
  readonly choices?: readonly {
    readonly delta?: { content?: string; reasoning_content?: string; tool_calls?: readonly WireCall[] };
    readonly finish_reason?: string | null;
  }[];
  readonly error?: { readonly code: number; readonly message: string };
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<WireEvent> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data !== '[DONE]') yield JSON.parse(data);
    }
  }
  decoder.decode();
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An extension may pass on text that it could not parse.
    return text;
  }
}

function toBody({ messages, tools, mustCall, temperature }: LanguageModelRequest): object {
  return {
    model: 'qwen3',
    messages: messages.flatMap(toWire),
    ...(tools.length > 0 ? { tools: tools.map(toWireTool) } : {}),
    ...(mustCall ? { tool_choice: 'required' } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toWireTool({ name, description, parameters }: LanguageModelRequest['tools'][number]): object {
  const { $schema: _, ...schema } = parameters;
  return { type: 'function', function: { name, description, parameters: schema } };
}

function toWire({ role, parts }: ChatMessage): readonly object[] {
  const content = parts.filter(part => part.kind === 'text' || part.kind === 'data').map(toWireContent);
  if (role === 'user') {
    const results = parts.filter(part => part.kind === 'result');
    return [
      ...results.map(({ id, content: all }) => ({
        role: 'tool',
        tool_call_id: id,
        content: all.map(part => (part.kind === 'text' ? part.text : urlOf(part))).join('\n'),
      })),
      ...(content.length > 0 ? [{ role: 'user', content }] : []),
    ];
  }
  const calls = parts.filter(part => part.kind === 'call');
  const text = parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
  if (calls.length === 0) return [{ role: 'assistant', content: text }];
  const made = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [{ role: 'assistant', content: text || null, tool_calls: made }];
}

function toWireContent(part: ContentPart): object {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: urlOf(part) } };
}

function urlOf({ mimeType, data }: Extract<ContentPart, { kind: 'data' }>): string {
  return `data:${mimeType};base64,${Buffer.from(data).toString('base64')}`;
}
