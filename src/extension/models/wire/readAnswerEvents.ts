/*
 * Parses the events of an answer. The client libraries would parse each event up to three times and wrap it in an HTTP
 * response of their own, which is most of the cost of a long answer.
 */

import { createParser } from 'eventsource-parser';
import { isRecord } from '../../base/record.ts';

/** An error that the server reports within an answer. */
export class ServerReportedError extends Error {
  /** The server's error value. */
  readonly reported: unknown;

  constructor(reported: unknown) {
    super('The server answered with an error.');
    this.reported = reported;
  }
}

/** Ends a stream of chat completions. Other protocols do not have it. */
export const streamEndMark = '[DONE]';

/**
 * Yields the events of one packet together. A plain JSON answer or error from a server that does not stream counts as
 * one event, preceded by the end mark.
 *
 * Rejects with a `ServerReportedError`, with a `SyntaxError` if the answer cannot be parsed, or with the error that aborted
 * it.
 */
export async function* readAnswerEvents(
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
  // Some servers omit the line breaks after the mark. Any other incomplete event may be truncated.
  if (events.length > 0 && !events[0]!.startsWith(streamEndMark))
    throw new SyntaxError('The answer ends within an event.');
  if (events.length > 0) yield [streamEndMark];
  if (/^\s*[{[]/.test(plain)) yield [streamEndMark, parseEvent(plain)];
}

/** Events before an invalid one count. */
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
  if (data.startsWith(streamEndMark)) return streamEndMark;
  const event: unknown = JSON.parse(data);
  if (isRecord(event) && event.error) throw new ServerReportedError(event);
  return event;
}
