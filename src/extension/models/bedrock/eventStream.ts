/*
 * Bedrock answers in frames of its own (`application/vnd.amazon.eventstream`), each with an event of Anthropic's
 * Messages in it. Anthropic's library reads server-sent events, so that is what the frames become.
 */

import { EventStreamCodec, getChunkedStream, type Message } from '@smithy/core/event-streams';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/record.ts';
import { streamOf } from '../wire/streamOf.ts';
import { withoutWholeError } from '../wire/wholeError.ts';

/** An answer of another form is given on; rejects when it is an error as a whole. */
export async function asServerSentEvents(response: Response): Promise<Response> {
  const { body, headers } = response;
  if (!body || !/amazon\.eventstream/.test(headers.get('content-type') ?? ''))
    return withoutWholeError(response);
  return new Response(streamOf(eventsOf(body)), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  });
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const codec = new EventStreamCodec(toText, toBytes);
  const frames = getChunkedStream(body)[Symbol.asyncIterator]();
  try {
    while (true) {
      const { done, value } = await frames.next().catch(broken);
      if (done) return;
      const event = eventIn(decode(codec, value));
      if (event) yield toBytes(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
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

/** The network's own errors stay as they are; those of the frames are like any stream that cannot be read. */
function broken(cause: unknown): never {
  if (/truncated|checksum|message length|CRC/i.test(messageOf(cause)))
    throw new SyntaxError('A frame of the answer cannot be read.', { cause });
  throw cause;
}

/** `undefined`: the frame says nothing to a reader. */
function eventIn({ headers, body }: Message): { readonly type: string } | undefined {
  const header = (name: string) => String(headers[name]?.value ?? '');
  const payload: unknown = parse(toText(body));
  if (header(':message-type') !== 'event') {
    const type = header(':exception-type') || header(':error-code');
    const said = isRecord(payload) ? (payload.message ?? payload.Message) : undefined;
    return errorEvent(type, String(said ?? header(':error-message')));
  }
  if (!isRecord(payload) || typeof payload.bytes !== 'string') return undefined;
  const event: unknown = parse(Buffer.from(payload.bytes, 'base64').toString('utf8'));
  return isEvent(event) ? event : undefined;
}

function errorEvent(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}

function isEvent(value: unknown): value is { readonly type: string } {
  return isRecord(value) && typeof value.type === 'string';
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
