import type { TextFile, TextFormat } from './fileSystem.ts';

/** Text is only taken for text if writing it back gives the same bytes; `undefined` for everything else. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const format = findFormat(bytes);
  if (format === undefined) return undefined;
  const text = decode(bytes.subarray(markOf(format).length), format.encoding);
  return text === undefined ? undefined : { text, format };
}

/** `undefined` when the text holds half a surrogate pair, which no encoding can keep. */
export function encodeText(text: string, format: TextFormat): Uint8Array | undefined {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  const body = Buffer.from(text, format.encoding === 'utf8' ? 'utf8' : 'utf16le');
  if (format.encoding === 'utf16be') body.swap16();
  return Buffer.concat([Uint8Array.from(markOf(format)), body]);
}

const sniffed = 8192;

function findFormat(bytes: Uint8Array): TextFormat | undefined {
  if (startsWith(bytes, marks.utf8)) return { encoding: 'utf8', bom: true };
  // UTF-32 begins like UTF-16, followed by two zero bytes.
  if (startsWith(bytes, [...marks.utf16le, 0, 0])) return undefined;
  if (startsWith(bytes, marks.utf16le)) return { encoding: 'utf16le', bom: true };
  if (startsWith(bytes, marks.utf16be)) return { encoding: 'utf16be', bom: true };
  if (bytes.subarray(0, sniffed).includes(0)) return undefined;
  return { encoding: 'utf8', bom: false };
}

function decode(bytes: Uint8Array, encoding: TextFormat['encoding']): string | undefined {
  if (encoding === 'utf8') return decodeStrictly(bytes, 'utf-8');
  if (bytes.length % 2 === 1) return undefined;
  // Not every build of Node knows big-endian UTF-16, so the bytes are swapped in a copy.
  return decodeStrictly(encoding === 'utf16be' ? Buffer.from(bytes).swap16() : bytes, 'utf-16le');
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The only reason is bytes that are not valid in this encoding.
    return undefined;
  }
}

const marks = { utf8: [0xef, 0xbb, 0xbf], utf16le: [0xff, 0xfe], utf16be: [0xfe, 0xff] } as const;

function markOf(format: TextFormat): readonly number[] {
  return format.bom ? marks[format.encoding] : [];
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
