import { extname } from 'node:path';
import { findSignedType } from '../../base/mediaSignature.ts';

/** Media that a model can see or hear as they are, by the ending of the file name. */
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

/** The name alone promises a format; the content may still be something else. */
export function findPromisedType(path: string): string | undefined {
  return byExtension[extname(path).toLowerCase()];
}

/** The type of the content: by its first bytes, else by its name if it is binary; `undefined`: unknown. */
export function findMediaType(path: string, bytes: Uint8Array): string | undefined {
  const signed = findSignedType(bytes);
  if (signed !== undefined) return signed;
  return bytes.subarray(0, 8192).includes(0) ? findPromisedType(path) : undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
