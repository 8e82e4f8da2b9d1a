/*
 * Rough token estimates, where asking the provider would be too expensive. Users see the provider's own counts. The
 * rates are those of the reference agent (`utils/tokenCalculation.ts`).
 */

import type { Blob, Part } from '../../../protocol/events.ts';

const asciiRate = 0.25;
const otherRate = 1.5;

/** Longer texts are estimated from their length alone. */
const exactLimit = 100_000;

const imageTokens = 3_000;
const documentTokens = 25_800;

/** Tokens per byte of low-quality recordings. Services count seconds, which are unknown here. */
const recordingRate = 0.003;

export function estimateText(text: string): number {
  if (text.length > exactLimit) return Math.floor(text.length * asciiRate);
  const others = text.match(/[^\0-\u007f]/gu) ?? [];
  const ascii = text.length - others.reduce((sum, { length }) => sum + length, 0);
  return Math.floor(ascii * asciiRate + others.length * otherRate);
}

/** Structured parts are estimated by the length of their JSON. */
export function estimatePart(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'thought':
      return estimateText(part.text);
    case 'call':
      return jsonTokens({ name: part.name, args: part.args });
    case 'result':
      return jsonTokens(part.text) + (part.blobs ?? []).reduce((sum, blob) => sum + estimateBlob(blob), 0);
    case 'blob':
      return estimateBlob(part.blob);
  }
}

function estimateBlob({ mimeType, data }: Blob): number {
  if (mimeType.startsWith('image/')) return imageTokens;
  if (/^(audio|video)\//.test(mimeType)) return Math.floor(data.length * recordingRate);
  return mimeType === 'application/pdf' ? documentTokens : Math.floor(data.length * asciiRate);
}

function jsonTokens(value: unknown): number {
  return Math.floor(JSON.stringify(value).length * asciiRate);
}
