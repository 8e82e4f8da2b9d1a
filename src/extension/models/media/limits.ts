/*
 * The limits that services put on pictures and files in a request, one row for each kind of service. Sources, of 27 and
 * 28 November 2026: Anthropic's vision page and public error reports; Bedrock's user guide; OpenAI's "Images and
 * vision"; Firebase's and Google's pages on input files and image understanding.
 */

import type { ProviderName } from '../../platform/settings.ts';

export interface MediaLimits {
  /** Types of pictures that are taken. */
  readonly types: readonly string[];
  /** Characters of Base64 of one picture. */
  readonly pictureLength: number;
  /** Pixels of a side of one picture. */
  readonly side: number;
  /** The same where a request holds more pictures than `many`. */
  readonly sideOfMany: number;
  readonly many: number;
  /** Pictures of one request. */
  readonly count: number;
  /** Characters of Base64 of all pictures and files of one request. */
  readonly total: number;
}

const mebibyte = 1024 * 1024;
const unlimited = Number.POSITIVE_INFINITY;
const usualTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

const anthropic: MediaLimits = {
  types: usualTypes,
  pictureLength: 5 * mebibyte,
  side: 8000,
  sideOfMany: 2000,
  many: 20,
  count: 100,
  // A request has 32 MB, and the words of the conversation need some of them.
  total: 24 * mebibyte,
};

/** Amazon limits the request alone, to 20 MB, and leaves pictures to the model. */
const bedrock: MediaLimits = { ...anthropic, total: 16 * mebibyte };

/** Servers of one's own, gateways and extensions say nothing about it: as much as this one takes. */
const openai: MediaLimits = {
  types: usualTypes,
  pictureLength: 20 * mebibyte,
  side: unlimited,
  sideOfMany: unlimited,
  many: unlimited,
  count: 500,
  total: 40 * mebibyte,
};

const gemini: MediaLimits = {
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  pictureLength: 18 * mebibyte,
  side: unlimited,
  sideOfMany: unlimited,
  many: unlimited,
  count: 3000,
  // A request has 20 MB in all.
  total: 18 * mebibyte,
};

const vertex: MediaLimits = { ...gemini, pictureLength: 9 * mebibyte, count: 900 };

const byProvider: Readonly<Record<ProviderName, MediaLimits>> = {
  gemini,
  anthropic,
  openai,
  'openai-responses': openai,
  vertex,
  bedrock,
  vscode: openai,
};

/** @param model as the service calls it: gateways and clouds pass the limits of Claude's models on */
export function mediaLimits(provider: ProviderName, model: string): MediaLimits {
  if (provider === 'bedrock' || !/\bclaude\b/i.test(model)) return byProvider[provider];
  return anthropic;
}
