/*
 * Reads the events of an answer from its body. The client libraries would parse each of them up to three times and wrap
 * it in an HTTP answer of their own, which is most of what a long answer costs.
 */

import { createParser } from 'eventsource-parser';
import { isRecord } from '../../base/record.ts';

/** An error that the server reports within an answer. */
export class ReportedError extends Error {
  /** The server's words. */
  readonly reported: unknown;

  constructor(reported: unknown) {
    super('The server answered with an error.');
    this.reported = reported;
  }
}

/** The event that ends a stream of chat completions; other protocols do not have it. */
export const endMark = '[DONE]';

/**
 * Gives together what arrived together. A server that does not stream answers as a whole, with an answer or an error in
 * plain JSON: that counts as an event, with the end mark before it.
 *
 * Rejects with a `ReportedError`, with a `SyntaxError` where the answer cannot be read, and with what breaks it off.
 */
export async function* readAnswer(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  let plain = '';
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() !== '') events.push(data);
    },
    onError: ({ line = '' }) => {
      plain += line;
    },
  });
  for await (const packet of body) {
    signal.throwIfAborted();
    parser.feed(decoder.decode(packet, { stream: true }));
    if (events.length > 0) yield* parseEvents(events.splice(0));
  }
  parser.feed(`${decoder.decode()}\n\n`);
  // Some servers leave out the line breaks behind the mark; any other event may lack something.
  if (events.length > 0 && !events[0]!.startsWith(endMark))
    throw new SyntaxError('The answer ends within an event.');
  if (events.length > 0) yield [endMark];
  if (/^\s*[{[]/.test(plain)) yield [endMark, parseEvent(plain)];
}

/** Events that come before a wrong one count. */
function* parseEvents(events: readonly string[]): Generator<readonly unknown[]> {
  const parsed: unknown[] = [];
  try {
    for (const data of events) parsed.push(parseEvent(data));
  } catch (error) {
    yield parsed;
    throw error;
  }
  yield parsed;
}

function parseEvent(data: string): unknown {
  if (data.startsWith(endMark)) return endMark;
  const event: unknown = JSON.parse(data);
  if (isRecord(event) && event.error) throw new ReportedError(event);
  return event;
}
