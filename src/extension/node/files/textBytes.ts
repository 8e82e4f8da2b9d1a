/* UTF-8 and UTF-16, which need no library. Text is only taken for text if writing it back gives the same bytes. */

import type { TextFile, TextFormat } from '../../platform/fileSystem.ts';
import { markedEncoding, marks, startsWith } from './byteOrderMarks.ts';

/** Decodes by the byte-order mark, else as UTF-8; `undefined` for everything else. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const format = findFormat(bytes);
  if (format === undefined) return undefined;
  const text = decodeUnicode(bytes.subarray(markOf(format).length), format.encoding);
  return text === undefined ? undefined : { text, format };
}

/** `undefined` for bytes that are not valid in this encoding, and for another encoding than UTF-8 and UTF-16. */
export function decodeUnicode(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding === 'utf8') return decodeStrictly(bytes, 'utf-8');
  if (!isUtf16(encoding) || bytes.length % 2 === 1) return undefined;
  // Not every build of Node knows big-endian UTF-16, so the bytes are swapped in a copy.
  return decodeStrictly(encoding === 'utf16be' ? Buffer.from(bytes).swap16() : bytes, 'utf-16le');
}

/** Decodes UTF-16 that has no byte-order mark. Its letters, blanks and line breaks of ASCII give it away. */
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

/** Says whether there is a control character of ASCII that no text has. A file of DOS may end with ^Z. */
export function hasControls(text: string): boolean {
  return /[\0-\x08\x0e-\x19\x1c-\x1f\x7f]|\x1a(?!$)/.test(text);
}

/** Says whether a text holds only what people write: no control characters, nothing private or unassigned. */
export function isPlausible(text: string): boolean {
  return !hasControls(text) && !/[\x80-\x84\x86-\x9f\p{Cn}\p{Co}]/u.test(text);
}

/** `undefined` for another encoding than UTF-8 and UTF-16. The text is well-formed. */
export function encodeUnicode(text: string, format: TextFormat): Uint8Array | undefined {
  const { encoding } = format;
  if (encoding !== 'utf8' && !isUtf16(encoding)) return undefined;
  const body = Buffer.from(text, encoding === 'utf8' ? 'utf8' : 'utf16le');
  if (encoding === 'utf16be') body.swap16();
  return Buffer.concat([Uint8Array.from(markOf(format)), body]);
}

/** Says whether the bytes themselves tell their encoding. */
export function hasMark(bytes: Uint8Array): boolean {
  return Object.values(marks).some(mark => startsWith(bytes, mark));
}

export function isUtf16(encoding: string): boolean {
  return encoding === 'utf16le' || encoding === 'utf16be';
}

/** Bytes in which a NUL says that they are no UTF-8. */
const sniffed = 8192;

function findFormat(bytes: Uint8Array): TextFormat | undefined {
  const encoding = markedEncoding(bytes);
  if (encoding !== undefined) return { encoding, bom: true };
  if (bytes.subarray(0, sniffed).includes(0)) return undefined;
  return { encoding: 'utf8', bom: false };
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The only reason is bytes that are not valid in this encoding.
    return undefined;
  }
}

/** The byte-order mark with which a file in this format begins. */
function markOf({ bom, encoding }: TextFormat): readonly number[] {
  return bom && encoding in marks ? marks[encoding as keyof typeof marks] : [];
}
