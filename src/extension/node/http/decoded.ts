import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** The body of an answer, unpacked. */
export function decoded(answer: IncomingMessage): Readable {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase();
  const decoder = encoding === undefined ? undefined : decoderOf(encoding);
  if (!decoder) return answer;
  // The reader of the decoder learns of every failure, since `pipeline` destroys it with the error.
  process.getBuiltinModule('node:stream').pipeline(answer, decoder, () => {});
  return decoder;
}

/** What unpacks is loaded with the first answer that is packed. */
function decoderOf(encoding: string) {
  const { createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  return undefined;
}
