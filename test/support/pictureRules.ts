/*
 * What services refuse of pictures, in the words of each. It reads pictures in a way of its own, so that a mistake of
 * the code under test is not repeated here. `models/media/limits.ts` has the sources.
 */

import { inflateSync } from 'node:zlib';
import { firstFault } from './geminiToolRules.ts';

export interface SentPicture {
  /** As the service names places in a body. */
  readonly place: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

interface Read {
  readonly type: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly isWhole: boolean;
}

const none: Read = { type: undefined, width: 0, height: 0, isWhole: false };

export function readSentPicture(data: string): Read {
  const bytes = Buffer.from(data, 'base64');
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 4) === '\x89PNG') return readPng(bytes);
  if (text(0, 3) === '\xff\xd8\xff') return readJpeg(bytes);
  if (text(0, 3) === 'GIF' && bytes.length > 13)
    return {
      type: 'image/gif',
      width: bytes.readUInt16LE(6),
      height: bytes.readUInt16LE(8),
      isWhole: bytes.at(-1) === 0x3b,
    };
  if (text(8, 12) === 'WEBP')
    return { type: 'image/webp', width: 1, height: 1, isWhole: bytes.readUInt32LE(4) + 8 === bytes.length };
  return none;
}

function readPng(bytes: Buffer): Read {
  const broken = { ...none, type: 'image/png' };
  if (bytes.length < 45) return broken;
  const rows: Buffer[] = [];
  for (let at = 8; at + 8 < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      rows.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  try {
    inflateSync(Buffer.concat(rows));
  } catch {
    // Its pixels cannot be read.
    return broken;
  }
  const isWhole = bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND';
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isWhole };
}

function readJpeg(bytes: Buffer): Read {
  let at = 2;
  while (at + 9 < bytes.length && !/^[\xc0-\xc2]$/.test(String.fromCharCode(bytes[at + 1]!)))
    at += 2 + bytes.readUInt16BE(at + 2);
  const isWhole = bytes.subarray(-2).equals(Buffer.of(0xff, 0xd9)) && at + 9 < bytes.length;
  if (!isWhole) return { ...none, type: 'image/jpeg' };
  return {
    type: 'image/jpeg',
    width: bytes.readUInt16BE(at + 7),
    height: bytes.readUInt16BE(at + 5),
    isWhole,
  };
}

/** @param most pictures of one request */
export function findClaudePictureFault(pictures: readonly SentPicture[], most: number): string | undefined {
  if (pictures.length > most) return `messages: too much media: ${pictures.length} > ${most}`;
  const [side, kind] = pictures.length > 20 ? [2000, ' for many-image requests'] : [8000, ''];
  return firstFault(pictures, ({ place, mimeType, data }) => {
    const { type, width, height, isWhole } = readSentPicture(data);
    const source = `${place}.image.source.base64`;
    if (data.length > 5_242_880)
      return `${source}: image exceeds 5 MB maximum: ${data.length} bytes > 5242880 bytes`;
    if (type !== undefined && type !== mimeType)
      return `${source}: The image was specified using the ${mimeType} media type, but the image appears to be a ${type} image`;
    if (!isWhole) return 'Could not process image';
    return width > side || height > side
      ? `${source}.data: At least one of the image dimensions exceed max allowed size${kind}: ${side} pixels`
      : undefined;
  });
}

/** @param url with the data in it */
export function pictureIn(url: string, place: string): SentPicture {
  const [head = url, mimeType = ''] = /^data:([^;]*);base64,/.exec(url) ?? [];
  return { place, mimeType, data: url.slice(head.length) };
}

/** Chat completions and Responses. */
export function findOpenAiPictureFault(pictures: readonly SentPicture[]): string | undefined {
  if (pictures.length > 500) return `Too many images: ${pictures.length}. At most 500 are allowed.`;
  return firstFault(pictures, ({ place, mimeType, data }) => {
    if (!/^image\/(png|jpeg|gif|webp)$/.test(mimeType))
      return `Invalid '${place}.image_url'. Expected a base64-encoded data URL with an image MIME type, but got unsupported MIME type '${mimeType}'.`;
    if (data === '' || /[^\w+/]/.test(data.replace(/={1,2}$/, '')))
      return `Invalid '${place}.image_url'. Expected a base64-encoded data URL with an image MIME type, but got an invalid base64-encoded value.`;
    if (data.length * 0.75 > 20 * 1024 * 1024)
      return `Invalid '${place}.image_url'. The image is larger than 20 MB.`;
    return readSentPicture(data).isWhole
      ? undefined
      : "You uploaded an unsupported image. Please make sure your image is valid and of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].";
  });
}

/** @param length characters of the whole request */
export function findGeminiPictureFault(pictures: readonly SentPicture[], length: number): string | undefined {
  if (length > 20 * 1024 * 1024) return 'Request payload size exceeds the limit: 20971520 bytes.';
  return firstFault(pictures, ({ mimeType, data }) => {
    if (!/^image\/(png|jpeg|webp|hei[cf])$/.test(mimeType)) return `Unsupported MIME type: ${mimeType}`;
    return readSentPicture(data).isWhole
      ? undefined
      : 'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting';
  });
}
