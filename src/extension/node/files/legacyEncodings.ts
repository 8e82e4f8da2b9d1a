/* Encodings other than UTF-8 and UTF-16. Load this file on demand, because its tables are large. */

import iconv from 'iconv-lite';

/** Returns `undefined` for an unknown encoding, or bytes that are invalid in it. */
export function decodeLegacy(bytes: Uint8Array, encoding: string): string | undefined {
  if (!isKnown(encoding)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = iconv.decode(buffer, encoding, { stripBOM: false });
  return iconv.encode(text, encoding).equals(buffer) ? text : undefined;
}

/**
 * Returns the bytes, or the index of the first character that the encoding lacks. Returns `undefined` for an unknown
 * encoding.
 */
export function encodeLegacy(text: string, encoding: string): Uint8Array | number | undefined {
  if (!isKnown(encoding)) return undefined;
  const bytes = iconv.encode(text, encoding);
  const back = iconv.decode(bytes, encoding, { stripBOM: false });
  return back === text ? bytes : findMissing(text, encoding, back);
}

/** Excludes the library's other formats, such as `base64` and `hex`. */
function isKnown(encoding: string): boolean {
  return /^(windows|iso8859|cp|koi8|mac|gb|big5|shiftjis|eucjp|euckr|tis620|rk1048)/.test(encoding)
    ? iconv.encodingExists(encoding)
    : false;
}

function findMissing(text: string, encoding: string, back: string): number {
  const present = new Set<string>();
  let at = 0;
  for (const character of text) {
    if (!present.has(character)) {
      if (iconv.decode(iconv.encode(character, encoding), encoding) !== character) return at;
      present.add(character);
    }
    at += character.length;
  }
  // Each character exists, but some combinations decode to different ones.
  let same = 0;
  while (text[same] === back[same]) same += 1;
  return same;
}
