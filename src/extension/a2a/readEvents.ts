import { createParser } from 'eventsource-parser';

/** The data of each event of a stream. One that the stream ends within is dropped. */
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
