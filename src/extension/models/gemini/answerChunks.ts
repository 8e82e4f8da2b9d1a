/*
 * Reads an answer's chunks from its body. The client library would parse each of them three times and wrap it in an
 * HTTP answer of its own, which is most of what a long answer costs.
 */

import type { Candidate, GenerateContentResponse } from '@google/genai/web';
import { createParser } from 'eventsource-parser';
import { tailOf } from '../../base/text.ts';

/** As it comes over the wire: the services have two names for what was quoted, and explain an unusual finish. */
export interface AnswerChunk extends Pick<GenerateContentResponse, 'promptFeedback' | 'usageMetadata'> {
  readonly candidates?: readonly WireCandidate[];
}

export interface WireCandidate extends Omit<Candidate, 'citationMetadata'> {
  readonly citationMetadata?: {
    readonly citations?: readonly Quoted[];
    readonly citationSources?: readonly Quoted[];
  };
}

interface Quoted {
  readonly uri?: string;
  readonly title?: string;
}

/** An error that the service tells within an answer, in the words of the wire. */
class ReportedError extends Error {
  /** Like an HTTP status. */
  readonly status: number;

  constructor(status: number, reported: unknown) {
    super(JSON.stringify(reported));
    this.status = status;
  }
}

/** A server that sends no events at all is not listened to for longer, characters. */
const strayLimit = 65_536;

/**
 * Gives together what arrived together. Rejects with a `ReportedError`, with a `SyntaxError` where the answer cannot be
 * read, and with what breaks it off.
 */
export async function* readAnswerChunks(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<readonly AnswerChunk[]> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  // An error may come as plain JSON in the place of events.
  let stray = '';
  let end = '';
  let isFinished = false;
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ line = '' }) => {
      if (stray.length < strayLimit) stray += line;
    },
  });
  for await (const packet of body) {
    signal.throwIfAborted();
    const text = decoder.decode(packet, { stream: true });
    end = tailOf(end + text, 8);
    parser.feed(text);
    for (const chunks of parseChunks(events.splice(0))) {
      isFinished ||= chunks.some(({ candidates }) => candidates?.[0]?.finishReason !== undefined);
      yield chunks;
    }
  }
  parser.reset({ consume: true });
  // Behind a finished answer it says no more than that the connection was given up.
  if (stray !== '' && !isFinished) parseChunk(stray);
  if (!/(^|\n\n|\r\r|\r\n\r\n)\s*$/.test(end)) throw new SyntaxError('The answer ends within a chunk.');
}

/** Chunks that come before a wrong one count. */
function* parseChunks(events: readonly string[]): Generator<readonly AnswerChunk[]> {
  if (events.length === 0) return;
  const chunks: AnswerChunk[] = [];
  try {
    for (const data of events) chunks.push(parseChunk(data));
  } catch (error) {
    yield chunks;
    throw error;
  }
  yield chunks;
}

function parseChunk(json: string): AnswerChunk {
  const chunk: unknown = JSON.parse(json);
  if (typeof chunk !== 'object' || chunk === null)
    throw new SyntaxError('A chunk of the answer is no object.');
  const error = 'error' in chunk && chunk.error;
  const code = typeof error === 'object' && error !== null && 'code' in error && error.code;
  if (typeof code === 'number' && code >= 400 && code < 600) throw new ReportedError(code, chunk);
  return chunk;
}
