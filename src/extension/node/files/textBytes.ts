/* UTF-8 and UTF-16, which need no library. Bytes count as text only if encoding the text returns the same bytes. */

import type { TextFile, TextFormat } from '../../platform/fileSystem.ts';
import { bomBytes, detectBomEncoding, startsWithBytes } from './byteOrderMarks.ts';

/** Decodes by the byte order mark, else as UTF-8. Returns `undefined` for everything else. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const format = findFormat(bytes);
  if (format === undefined) return undefined;
  const text = decodeUnicode(bytes.subarray(markOf(format).length), format.encoding);
  return text === undefined ? undefined : { text, format };
}

/** Returns `undefined` for bytes that are invalid in this encoding, and for encodings other than UTF-8 and UTF-16. */
export function decodeUnicode(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding === 'utf8') return decodeStrictly(bytes, 'utf-8');
  if (!isUtf16(encoding) || bytes.length % 2 === 1) return undefined;
  // Not every build of Node supports big-endian UTF-16, so swap the bytes in a copy.
  return decodeStrictly(encoding === 'utf16be' ? Buffer.from(bytes).swap16() : bytes, 'utf-16le');
}

/** Decodes UTF-16 without a byte order mark. Detects it by ASCII letters, blanks and line breaks. */
export function decodeUnmarkedUtf16(bytes: Uint8Array): TextFile | undefined {
  if (bytes.length % 2 === 1 || !bytes.subarray(0, sniffed).includes(0)) return undefined;
  const [best] = ['utf16le', 'utf16be']
    .flatMap(encoding => {
      const text = decodeUnicode(bytes, encoding);
      if (text === undefined || !isPlausible(text)) return [];
      return [{ text, encoding, ascii: text.match(/[\n\r\t\x20-\x7e]/g)?.length ?? 0 }];
    })
    .sort((one, other) => other.ascii - one.ascii);
  if (!best || best.ascii === 0) return undefined;
  return { text: best.text, format: { encoding: best.encoding, bom: false }, guessed: true };
}

/** Returns whether the text has an ASCII control character that occurs in no text. A DOS file may end with ^Z. */
export function hasControlCharacters(text: string): boolean {
  return /[\0-\x08\x0e-\x19\x1c-\x1f\x7f]|\x1a(?!$)/.test(text);
}

/** Returns whether a text has only characters that people write: no control, private or unassigned ones. */
export function isPlausible(text: string): boolean {
  return !hasControlCharacters(text) && !/[\x80-\x84\x86-\x9f\p{Cn}\p{Co}]/u.test(text);
}

/** Returns `undefined` for encodings other than UTF-8 and UTF-16. The text is well-formed. */
export function encodeUnicode(text: string, format: TextFormat): Uint8Array | undefined {
  const { encoding } = format;
  if (encoding !== 'utf8' && !isUtf16(encoding)) return undefined;
  const body = Buffer.from(text, encoding === 'utf8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf16be') body.swap16();
  return Buffer.concat([Uint8Array.from(markOf(format)), body]);
}

/** Returns whether the bytes start with a byte order mark. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return Object.values(bomBytes).some(mark => startsWithBytes(bytes, mark));
}

export function isUtf16(encoding: string): boolean {
  return encoding === 'utf16le' || encoding === 'utf16be';
}

/** Number of leading bytes in which a NUL excludes UTF-8. */
const sniffed = 8192;

function findFormat(bytes: Uint8Array): TextFormat | undefined {
  const encoding = detectBomEncoding(bytes);
  if (encoding !== undefined) return { encoding, bom: true };
  if (bytes.subarray(0, sniffed).includes(0)) return undefined;
  return { encoding: 'utf8', bom: false };
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The only error is invalid bytes.
    return undefined;
  }
}

/** The byte order mark of files in this format. */
function markOf({ bom, encoding }: TextFormat): readonly number[] {
  return bom && encoding in bomBytes ? bomBytes[encoding as keyof typeof bomBytes] : [];
}
