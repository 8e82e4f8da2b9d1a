/* The embedded model: a local server with Gemini's protocol that plays one scene on the sample project. */

import { setTimeout } from 'node:timers/promises';
import { readConversation } from './conversation.ts';
import { nextAnswer, type ScriptedAnswer } from './scenario.ts';
import { estimateTokens, finishChunk, partChunk, type WireChunk } from './wire.ts';
import { startWireServer, type WireAnswer, type WireRequest, type WireServer } from './wireServer.ts';

interface RehearsalOptions {
  /** Milliseconds between two chunks of an answer, so that it looks as if it were being written. */
  readonly pauseMs?: number;
}

const rehearsalModel = 'rehearsal';

/** Opaque like a real model's signature. Returned with the call that it was sent with. */
const signature = Buffer.from('folio rehearsal').toString('base64');

/** Accepts any key and any model name. */
export function startRehearsal({ pauseMs = 25 }: RehearsalOptions = {}): Promise<WireServer> {
  return startWireServer(request => answer(request, pauseMs));
}

function answer(request: WireRequest, pauseMs: number): WireAnswer {
  switch (request.method) {
    case 'models':
      return json({ models: [model] });
    case 'countTokens':
      return json({ totalTokens: estimateTokens(request.bytes) });
    case 'generateContent':
    case 'streamGenerateContent': {
      const scripted = nextAnswer(readConversation(request.body));
      const chunks = chunksOf(scripted, estimateTokens(request.bytes));
      const pause = request.method === 'generateContent' ? 0 : pauseMs;
      return { kind: 'chunks', chunks: paced(chunks, pause, request.signal) };
    }
  }
}

const model = {
  name: `models/${rehearsalModel}`,
  displayName: 'Rehearsal (scripted, token counts estimated)',
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
};

function json(body: object): WireAnswer {
  return { kind: 'json', status: 200, body };
}

function chunksOf({ thought = '', text, calls }: ScriptedAnswer, promptTokens: number): WireChunk[] {
  const written = estimateTokens(text.length + JSON.stringify(calls).length);
  const thoughts = estimateTokens(thought.length);
  return [
    ...pieces(thought).map(piece => partChunk({ text: piece, thought: true })),
    ...pieces(text).map(piece => partChunk({ text: piece })),
    ...calls.map((call, at) =>
      partChunk({ functionCall: call, thoughtSignature: at === 0 ? signature : undefined }),
    ),
    finishChunk('STOP', {
      promptTokenCount: promptTokens,
      candidatesTokenCount: written,
      thoughtsTokenCount: thoughts,
      totalTokenCount: promptTokens + written + thoughts,
    }),
  ];
}

/** Splits into a few words each, as models stream. */
function pieces(text: string): string[] {
  return text.match(/(?:\S+\s*|\s+){1,3}/g) ?? [];
}

/** Ends early if nobody listens any more. */
async function* paced(
  chunks: readonly WireChunk[],
  pauseMs: number,
  signal: AbortSignal,
): AsyncGenerator<WireChunk> {
  for (const chunk of chunks) {
    if (pauseMs > 0) await setTimeout(pauseMs);
    if (signal.aborted) return;
    yield chunk;
  }
}
