/*
 * Limits on pictures and files in a request, one row per kind of service. Sources, of 27 and 28 November 2026:
 * Anthropic's vision page and public error reports; Bedrock's user guide; OpenAI's "Images and vision"; Firebase's and
 * Google's pages on input files and image understanding.
 */

import type { ProviderName } from '../../platform/settings.ts';

export interface MediaLimits {
  readonly types: readonly string[];
  /** Base64 characters of one picture. */
  readonly pictureLength: number;
  /** Pixels of the longer side of one picture. */
  readonly side: number;
  /** The same limit in requests with more than `many` pictures. */
  readonly sideOfMany: number;
  readonly many: number;
  /** Pictures per request. */
  readonly count: number;
  /** Base64 characters of all pictures and files of a request. */
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
  // A request may have 32 MB, and the conversation needs some of it.
  total: 24 * mebibyte,
};

/** Amazon limits only the request, to 20 MB, and leaves pictures to the model. */
const bedrock: MediaLimits = { ...anthropic, total: 16 * mebibyte };

/** Self-hosted servers, gateways and extensions state no limits, so OpenAI's apply. */
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
  // A request may have 20 MB in total.
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

/** @param model the service's name for it; gateways and clouds inherit the limits of Claude's models */
export function mediaLimits(provider: ProviderName, model: string): MediaLimits {
  if (provider === 'bedrock' || !/\bclaude\b/i.test(model)) return byProvider[provider];
  return anthropic;
}
