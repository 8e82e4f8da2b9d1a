import { createParser } from 'eventsource-parser';

/** Yields the data of each server-sent event. Drops an incomplete last event. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() !== '') events.push(data);
    },
  });
  for await (const packet of body) {
    parser.feed(decoder.decode(packet, { stream: true }));
    yield* events.splice(0);
  }
}
