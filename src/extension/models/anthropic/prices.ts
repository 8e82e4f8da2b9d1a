/*
 * Prices of Anthropic's models, in US dollars per million tokens: the standard tier of Anthropic's page
 * https://platform.claude.com/docs/en/about-claude/pricing, as it was quoted in public on 21 March 2026.
 */

import type { Usage } from '../../../protocol/events.ts';
import type { ModelPrice } from '../../../protocol/panel/messages.ts';

/** Tokens from the cache cost a tenth, and tokens that it keeps for five minutes a quarter more. */
const cachedShare = 0.1;
const writtenShare = 1.25;

const prices: readonly (readonly [RegExp, { readonly input: number; readonly output: number }])[] = [
  [/^claude-opus-4-[56](-\d{8})?$/, { input: 5, output: 25 }],
  [/^claude-opus-4(-[01])?(-\d{8})?$/, { input: 15, output: 75 }],
  [/^claude-sonnet-4(-[0-6])?(-\d{8})?$/, { input: 3, output: 15 }],
  [/^claude-haiku-4-5(-\d{8})?$/, { input: 1, output: 5 }],
];

export function anthropicPrice(model: string): ModelPrice | undefined {
  const found = prices.find(([pattern]) => pattern.test(model))?.[1];
  return found && { ...found, cached: found.input * cachedShare };
}

/** US dollars of one answer; `undefined` where no price is known. */
export function anthropicCost(model: string, usage: Usage): number | undefined {
  const price = anthropicPrice(model);
  if (!price) return undefined;
  const { prompt, cached, written = 0, output, thoughts } = usage;
  const dollars =
    Math.max(0, prompt - cached - written) * price.input +
    cached * price.cached +
    written * price.input * writtenShare +
    (output + thoughts) * price.output;
  return dollars / 1_000_000;
}
