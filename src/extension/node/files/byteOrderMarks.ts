export const bomBytes = {
  utf8: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
} as const;

const encodings = ['utf8', 'utf16le', 'utf16be'] as const;

/** Returns the encoding that a byte order mark indicates. */
export function detectBomEncoding(bytes: Uint8Array): (typeof encodings)[number] | undefined {
  // UTF-32 begins like UTF-16, followed by two zero bytes.
  if (startsWithBytes(bytes, [...bomBytes.utf16le, 0, 0])) return undefined;
  return encodings.find(encoding => startsWithBytes(bytes, bomBytes[encoding]));
}

export function startsWithBytes(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}
