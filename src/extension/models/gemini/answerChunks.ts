/* Reads an answer's chunks from its body. */

import type { Candidate, GenerateContentResponse } from '@google/genai/web';
import { createParser } from 'eventsource-parser';

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

/** The service tells an error, in the place of an answer or within one. The message is its own words. */
export class RefusedAnswer extends Error {
  /** Of the HTTP answer, or like one. */
  readonly status: number;
  /** HTTP header. */
  readonly retryAfter: string | undefined;

  constructor(status: number, told: string, retryAfter?: string) {
    super(told);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A server that sends no events at all is not listened to for longer, characters. */
const strayLimit = 65_536;

/**
 * Rejects with a `RefusedAnswer`, with a `SyntaxError` where the answer cannot be read, and with what breaks the body
 * off.
 */
export async function* readAnswerChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerChunk> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  // An error may come as plain JSON in the place of events.
  let stray = '';
  let end = '';
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ line = '' }) => {
      if (stray.length < strayLimit) stray += line;
    },
  });
  for await (const packet of body) {
    const text = decoder.decode(packet, { stream: true });
    end = (end + text).slice(-8);
    parser.feed(text);
    for (const data of events.splice(0)) yield parseChunk(data);
  }
  parser.reset({ consume: true });
  if (stray !== '') parseChunk(stray);
  if (!/(^|\n\n|\r\r|\r\n\r\n)\s*$/.test(end)) throw new SyntaxError('The answer ends within a chunk.');
}

/** A body as a whole. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const packets: Uint8Array[] = [];
  for await (const packet of body) packets.push(packet);
  return Buffer.concat(packets).toString('utf8');
}

function parseChunk(json: string): AnswerChunk {
  const chunk: unknown = JSON.parse(json);
  if (typeof chunk !== 'object' || chunk === null)
    throw new SyntaxError('A chunk of the answer is no object.');
  const error = 'error' in chunk && chunk.error;
  const code = typeof error === 'object' && error !== null && 'code' in error && error.code;
  if (typeof code === 'number' && code >= 400 && code < 600) throw new RefusedAnswer(code, json);
  return chunk;
}
