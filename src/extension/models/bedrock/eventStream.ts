/*
 * Parses Bedrock's event stream (`application/vnd.amazon.eventstream`). Each frame holds one event of Anthropic's
 * Messages API.
 */

import { EventStreamCodec, getChunkedStream, type Message } from '@smithy/core/event-streams';
import { messageOf } from '../../base/errors.ts';
import { isRecord, textOrEmpty } from '../../base/record.ts';
import type { TransportAnswer } from '../../platform/http/httpTransport.ts';
import { readAnswerEvents, ServerReportedError } from '../wire/readAnswerEvents.ts';

/** An answer in another format is read as server-sent events. */
export async function* readEventFrames(
  { headers, body }: TransportAnswer,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  if (!/amazon\.eventstream/.test(headers['content-type'] ?? ''))
    return yield* readAnswerEvents(body, signal);
  const codec = new EventStreamCodec(toText, toBytes);
  const frames = getChunkedStream(body)[Symbol.asyncIterator]();
  try {
    while (true) {
      const { done, value } = await frames.next().catch(broken);
      if (done) return;
      yield eventsIn(decode(codec, value));
    }
  } finally {
    await frames.return?.();
  }
}

function decode(codec: EventStreamCodec, frame: Uint8Array): Message {
  try {
    return codec.decode(frame);
  } catch (error) {
    return broken(error);
  }
}

/** Rethrows network errors unchanged. Frame errors count as an unreadable stream. */
function broken(cause: unknown): never {
  if (/truncated|checksum|message length|CRC/i.test(messageOf(cause)))
    throw new SyntaxError('A frame of the answer cannot be read.', { cause });
  throw cause;
}

/** @throws ServerReportedError */
function eventsIn({ headers, body }: Message): readonly unknown[] {
  const header = (name: string) => String(headers[name]?.value ?? '');
  const payload: unknown = parse(toText(body));
  if (header(':message-type') !== 'event') {
    const type = header(':exception-type') || header(':error-code');
    const said = isRecord(payload) ? (payload.message ?? payload.Message) : undefined;
    throw new ServerReportedError({ error: { type, message: String(said ?? header(':error-message')) } });
  }
  const bytes = isRecord(payload) ? textOrEmpty(payload.bytes) : '';
  const event = parse(Buffer.from(bytes, 'base64').toString('utf8'));
  if (isRecord(event) && event.error) throw new ServerReportedError(event);
  return [event];
}

function parse(json: string): unknown {
  return json === '' ? undefined : JSON.parse(json);
}

function toText(bytes: Uint8Array | string): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8');
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}
