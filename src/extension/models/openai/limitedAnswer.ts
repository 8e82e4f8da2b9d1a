import { formatBytes } from '../../base/text.ts';
import { ModelError } from '../../core/model.ts';

/** An answer of 128,000 tokens, each in an event of its own, has half of this. */
const answerLimit = 64 * 1024 * 1024;
/** An event is one line, and the library searches a line from its start with each packet. */
const lineLimit = 4 * 1024 * 1024;

/** A server gone wild must not fill the memory: an answer without end breaks off with a `ModelError`. */
export function limited(response: Response, server: string): Response {
  const { status, headers, body } = response;
  if (!body) return response;
  let bytes = 0;
  let line = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const newline = chunk.lastIndexOf(10);
      bytes += chunk.length;
      line = newline < 0 ? line + chunk.length : chunk.length - newline - 1;
      if (bytes > answerLimit) controller.error(tooLong(server, answerLimit));
      else if (line > lineLimit) controller.error(tooLong(server, lineLimit));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), { status, headers });
}

function tooLong(server: string, limit: number): ModelError {
  const what = `The model server ${server} sent more than ${formatBytes(limit)} in one piece, which is no answer.`;
  return new ModelError('invalidStream', `${what} Retry, or choose another model.`, { retryable: true });
}
