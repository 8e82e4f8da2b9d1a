import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Returns the decompressed body of an answer. Errors of decompression have codes that start with `Z_`. */
export function decompressBody(answer: IncomingMessage): Readable {
  const decoder = decoderOf(answer.headers['content-encoding']?.trim().toLowerCase());
  if (!decoder) return answer;
  // `pipeline` destroys the decoder with the error, so its reader gets every failure.
  pipeline(answer, decoder, () => {});
  return decoder;
}

function decoderOf(encoding: string | undefined) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  return undefined;
}
