import { extname } from 'node:path';
import { detectMediaType } from '../../base/mediaSignature.ts';

/** MIME types of media that models can see or hear directly, by file extension. */
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

/** Returns the type by name only. The content may differ. */
export function mediaTypeByName(path: string): string | undefined {
  return byExtension[extname(path).toLowerCase()];
}

/** Returns the type by magic bytes, else by name for binary content; `undefined` if unknown. */
export function findMediaType(path: string, bytes: Uint8Array): string | undefined {
  const signed = detectMediaType(bytes);
  if (signed !== undefined) return signed;
  return bytes.subarray(0, 8192).includes(0) ? mediaTypeByName(path) : undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
