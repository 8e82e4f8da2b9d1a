/* Decodes a command's output: UTF-8, or UTF-16 if its first bytes indicate that (like wsl.exe). */

import { detectBomEncoding } from '../files/byteOrderMarks.ts';

/** Fewer bytes may be NUL-separated records. */
const leastBytes = 6;
const maxBytes = 64;

export class OutputDecoder {
  private decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'> | undefined;

  /** @param isTerminal the bytes come through a terminal, which adds some at line ends */
  decode(bytes: Uint8Array, isTerminal: boolean): string {
    if (bytes.length === 0) return '';
    this.decoder ??= decoderFor(isTerminal ? 'utf8' : encodingOf(bytes));
    return this.decoder.decode(bytes, { stream: true });
  }

  /** Returns the rest of an incomplete character. */
  end(): string {
    return this.decoder?.decode() ?? '';
  }
}

type Encoding = NonNullable<ReturnType<typeof detectBomEncoding>>;

function encodingOf(bytes: Uint8Array): Encoding {
  const marked = detectBomEncoding(bytes);
  if (marked !== undefined) return marked;
  if (hasNulsAt(1, bytes)) return 'utf16le';
  return hasNulsAt(0, bytes) ? 'utf16be' : 'utf8';
}

/** Every other byte is NUL, and no byte in between. */
function hasNulsAt(place: 0 | 1, bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, maxBytes);
  return start.length >= leastBytes && start.every((byte, index) => (byte === 0) === (index % 2 === place));
}

function decoderFor(encoding: Encoding) {
  if (encoding === 'utf8') return new TextDecoder('utf-8', { ignoreBOM: true });
  return encoding === 'utf16le' ? new TextDecoder('utf-16le') : new BigEndianDecoder();
}

/** Not every build of Node supports big-endian UTF-16, so this swaps the bytes. */
class BigEndianDecoder {
  private readonly decoder = new TextDecoder('utf-16le');
  private half = Buffer.alloc(0);

  decode(bytes: Uint8Array = Buffer.alloc(0), { stream = false } = {}): string {
    const all = Buffer.concat([this.half, bytes]);
    const whole = all.length - (all.length % 2);
    this.half = all.subarray(whole);
    const text = this.decoder.decode(all.subarray(0, whole).swap16(), { stream: true });
    return stream ? text : text + this.decoder.decode(this.half);
  }
}
