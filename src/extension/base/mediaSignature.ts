/** Magic bytes of the formats that models can see or hear, with their offset. */
const signatures: readonly (readonly [mimeType: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF-'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/flac', 0, 'fLaC'],
];

/** Returns the MIME type by magic bytes, ignoring file name and declared type; `undefined` if unknown. */
export function detectMediaType(bytes: Uint8Array): string | undefined {
  const head = Array.from(bytes.subarray(0, 16), byte => String.fromCharCode(byte)).join('');
  return signatures.find(([, offset, signature]) => head.startsWith(signature, offset))?.[0];
}
