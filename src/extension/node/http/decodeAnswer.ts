import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The body of an answer, decompressed where it has to be. Errors of decompression have codes that begin with `Z_`. */
export function decodeAnswer(answer: IncomingMessage): Readable {
  const decoder = decoderOf(answer.headers['content-encoding']?.trim().toLowerCase());
  if (!decoder) return answer;
  // The reader of the decoder learns of every failure, since `pipeline` destroys it with the error.
  pipeline(answer, decoder, () => {});
  return decoder;
}

function decoderOf(encoding: string | undefined) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  return undefined;
}
