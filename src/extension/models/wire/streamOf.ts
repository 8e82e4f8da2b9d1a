/** The form in which client libraries read an answer. To cancel it is to leave the packets early. */
export function streamOf(packets: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = packets[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async controller => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await iterator.return?.()),
  });
}
