/* Pictures as files hold them: whole, large in bytes or pixels, and broken in the ways that are seen. */

import { crc32, deflateSync } from 'node:zlib';

export interface PngShape {
  readonly width: number;
  readonly height: number;
  /** Bytes of the file, at least. */
  readonly bytes?: number;
  /** Rows of one byte of grey for each pixel, each behind a byte for its filter. */
  readonly rows?: Buffer;
  /** Tells it from others. */
  readonly note?: string;
}

/** Black. What a file needs to be longer stands in a chunk of its own, which decoders pass over. */
export function png({ width, height, bytes = 0, rows, note = 'folio' }: PngShape): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bits of grey for each pixel.
  header[8] = rows ? 8 : 1;
  const pixels = deflateSync(rows ?? Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', pixels)];
  const missing = bytes - Buffer.concat(parts).length - 24;
  parts.push(chunk('foLi', Buffer.alloc(Math.max(note.length, missing), note)));
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** One pixel. */
export const dot = { mimeType: 'image/png', data: png({ width: 1, height: 1 }).toString('base64') } as const;

/** One pixel each. */
export const smallest = {
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/webp': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  'image/jpeg':
    '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AL+AD//Z',
} as const;

export function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** Its beginning alone, as a download that broke off leaves it. */
export function cutOff(file: Buffer): Buffer {
  return file.subarray(0, Math.max(20, Math.floor(file.length / 2)));
}
