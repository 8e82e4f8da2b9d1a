import { extname } from 'node:path';

/** What a model can look at or listen to as it is, by the ending of the file name. */
const byExtension: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.heic': 'image/heic',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
};

/** Signatures of the formats, at the offset where they stand. */
const signatures: readonly (readonly [string, number, string])[] = [
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

/** The name alone promises a format; the content may still be something else. */
export function findPromisedType(path: string): string | undefined {
  return byExtension[extname(path).toLowerCase()];
}

/** What the content is: by its first bytes, else by its name if it is binary; `undefined`: unknown. */
export function findMediaType(path: string, bytes: Uint8Array): string | undefined {
  const head = Array.from(bytes.subarray(0, 16), byte => String.fromCharCode(byte)).join('');
  const signed = signatures.find(([, offset, signature]) => head.startsWith(signature, offset));
  if (signed) return signed[0];
  return bytes.subarray(0, 8192).includes(0) ? findPromisedType(path) : undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
