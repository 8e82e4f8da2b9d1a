/*
 * Servers of all wires for the built agent. A function of the results so far gives each answer. A new wire is one more
 * entry.
 */

import * as claude from './anthropicAnswers.ts';
import { startAnthropicServer } from './anthropicServer.ts';
import * as gemini from './geminiAnswers.ts';
import { startGeminiServer } from './geminiServer.ts';
import * as chat from './openaiAnswers.ts';
import { startOpenAiServer } from './openaiServer.ts';
import * as gpt from './responsesAnswers.ts';
import { startResponsesServer } from './responsesServer.ts';

/** Next answer of the model. */
export type Words =
  | { readonly text: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

/** Result of a call, as the model reads it. */
export interface ReadResult {
  readonly ok: boolean;
  readonly text: string;
}

export interface TalkingServer extends AsyncDisposable {
  readonly origin: string;
  /** Number of requests for an answer. */
  readonly asked: () => number;
  /** Reasons of refusals. */
  readonly faults: () => readonly string[];
  /** Bodies of requests for an answer, oldest first. */
  readonly bodies: () => readonly object[];
}

export interface ServedWire {
  readonly provider: 'gemini' | 'anthropic' | 'openai' | 'openai-responses';
  readonly model: string;
  /** The key. */
  readonly env: Readonly<Record<string, string>>;
  /** End of its address. */
  readonly path: '' | '/v1';
  readonly start: (say: (done: readonly ReadResult[]) => Words) => Promise<TalkingServer>;
}

interface AnyServer {
  readonly baseUrl: string;
  readonly requests: readonly {
    readonly fault: string | undefined;
    readonly method?: string;
    readonly body: object;
  }[];
  readonly dispose: () => Promise<void>;
}

export const servedWires: readonly ServedWire[] = [
  {
    provider: 'gemini',
    model: 'gemini-2.5-pro',
    env: { GEMINI_API_KEY: 'test-key' },
    path: '',
    start: async say => {
      const server = await startGeminiServer();
      server.afterScript(({ body }) => {
        const parts = (body.contents ?? []).flatMap(({ parts = [] }) => parts);
        const done = parts.flatMap(({ functionResponse }) => {
          const { output, error } = (functionResponse?.response ?? {}) as { output?: string; error?: string };
          return functionResponse ? [{ ok: output !== undefined, text: output ?? error ?? '' }] : [];
        });
        const words = say(done);
        return ['text' in words ? gemini.text(words.text) : gemini.call(words.call, words.args)];
      });
      return serve(server);
    },
  },
  {
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    env: { ANTHROPIC_API_KEY: 'test-key' },
    path: '',
    start: async say => {
      const server = await startAnthropicServer();
      server.afterScript(({ body: { messages = [] } }) => {
        const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
        const results = blocks.filter(({ type }) => type === 'tool_result');
        const done = results.map(({ is_error, content }) => ({ ok: !is_error, text: textOf(content) }));
        const words = say(done);
        // Includes signed thoughts, which the server requires back.
        const thought = claude.thought(`After ${done.length} results.`);
        if ('text' in words) return [thought, claude.text(words.text)];
        return [thought, claude.call(words.call, words.args, `toolu_${results.length}`)];
      });
      return serve(server);
    },
  },
  {
    provider: 'openai',
    model: 'qwen3',
    env: { OPENAI_API_KEY: 'test-key' },
    path: '/v1',
    start: async say => {
      const server = await startOpenAiServer();
      server.afterScript(({ body: { messages = [] } }) => {
        const done = messages.flatMap(({ role, content }) => (role === 'tool' ? [plainResult(content)] : []));
        const words = say(done);
        if ('text' in words) return [chat.text(words.text)];
        return [chat.call(words.call, words.args, { id: `call_${done.length}` })];
      });
      return serve(server);
    },
  },
  {
    provider: 'openai-responses',
    model: 'gpt-5',
    env: { OPENAI_API_KEY: 'test-key' },
    path: '/v1',
    start: async say => {
      const server = await startResponsesServer();
      server.afterScript(({ body: { input = [] } }) => {
        const results = input.filter(({ type }) => type === 'function_call_output');
        const words = say(results.map(({ output }) => plainResult(output)));
        const thought = gpt.thought(`After ${results.length} results.`);
        if ('text' in words) return [thought, gpt.text(words.text)];
        return [thought, gpt.call(words.call, words.args, `call_${results.length}`)];
      });
      return serve(server);
    },
  },
];

function serve(server: AnyServer): TalkingServer {
  const asked = () => server.requests.filter(({ method }) => method !== 'models');
  return {
    origin: new URL(server.baseUrl).origin,
    asked: () => asked().length,
    bodies: () => asked().map(({ body }) => body),
    faults: () => server.requests.flatMap(({ fault }) => fault ?? []),
    [Symbol.asyncDispose]: () => server.dispose(),
  };
}

/** These wires have no field for it. */
function plainResult(content: unknown): ReadResult {
  const text = textOf(content);
  return { ok: !text.startsWith('Error: '), text };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '');
  return content.map(({ text = '' }: { readonly text?: string }) => text).join('\n');
}
