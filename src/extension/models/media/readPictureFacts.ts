/*
 * Reads type and size of a picture from its bytes, and checks that it is complete, without decoding it. Services reject
 * a whole request if one picture is invalid, truncated, or mislabelled.
 */

import { detectMediaType } from '../../base/mediaSignature.ts';

export type PictureFacts =
  | {
      readonly kind: 'whole';
      readonly mimeType: string;
      readonly width: number;
      readonly height: number;
      /** EXIF orientation of a JPEG file, 1 to 8. */
      readonly orientation?: number;
    }
  | { readonly kind: 'broken'; readonly why: 'empty' | 'no picture' | 'cut off' }
  /** The format is not parsed. */
  | { readonly kind: 'unknown' };

const cutOff: PictureFacts = { kind: 'broken', why: 'cut off' };
const noPicture: PictureFacts = { kind: 'broken', why: 'no picture' };

/** @param claimed the declared MIME type */
export function readPictureFacts(bytes: Buffer, claimed: string): PictureFacts {
  if (bytes.length === 0) return { kind: 'broken', why: 'empty' };
  switch (detectMediaType(bytes)) {
    case 'image/png':
      return readPng(bytes);
    case 'image/jpeg':
      return readJpeg(bytes);
    case 'image/gif':
      return readGif(bytes);
    case 'image/webp':
      return readWebp(bytes);
    default:
      return /^image\/(png|jpe?g|gif|webp)$/.test(claimed) ? noPicture : { kind: 'unknown' };
  }
}

function sized(mimeType: string, width: number, height: number): PictureFacts {
  return width > 0 && height > 0 ? { kind: 'whole', mimeType, width, height } : noPicture;
}

/** Format: chunks of length, name, data and checksum, from IHDR to IEND. */
function readPng(bytes: Buffer): PictureFacts {
  if (bytes.length < 33) return cutOff;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return noPicture;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IEND')
      return hasData ? sized('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : noPicture;
    hasData ||= name === 'IDAT';
    at += 12 + bytes.readUInt32BE(at);
  }
  return cutOff;
}

/** Format: segments of marker and length. The data after SOS has no length and ends at EOI. */
function readJpeg(bytes: Buffer): PictureFacts {
  let size: readonly [number, number] | undefined;
  let orientation: number | undefined;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return noPicture;
    const marker = bytes[at + 1]!;
    if (marker === 0xff || isBare(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker) && at + 9 <= bytes.length)
      size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    if (marker === 0xe1) orientation ??= readOrientation(bytes.subarray(at + 4, at + 2 + length));
    // A camera may append data after the end.
    if (marker === 0xda) {
      if (bytes.indexOf(endOfJpeg, at) < 0) return cutOff;
      const facts = size ? sized('image/jpeg', ...size) : noPicture;
      return orientation === undefined || facts.kind !== 'whole' ? facts : { ...facts, orientation };
    }
    at += 2 + length;
  }
  return cutOff;
}

const endOfJpeg = Buffer.of(0xff, 0xd9);

function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** Every SOF marker; three markers in the range mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Tag 0x0112 in the first directory of the TIFF header. */
function readOrientation(exif: Buffer): number | undefined {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0' || exif.length < 16) return undefined;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (start + 2 > tiff.length) return undefined;
  for (let entry = 0, at = start + 2; entry < short(start) && at + 12 <= tiff.length; entry++, at += 12)
    if (short(at) === 0x0112) return short(at + 8);
  return undefined;
}

function readGif(bytes: Buffer): PictureFacts {
  if (bytes.length < 14) return cutOff;
  let end = bytes.length - 1;
  while (end > 13 && bytes[end] === 0) end--;
  return bytes[end] === 0x3b ? sized('image/gif', bytes.readUInt16LE(6), bytes.readUInt16LE(8)) : cutOff;
}

/** A RIFF header holds the file's length; the first chunk holds the size. */
function readWebp(bytes: Buffer): PictureFacts {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length + 1) return cutOff;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized('image/webp', bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return noPicture;
  }
}
