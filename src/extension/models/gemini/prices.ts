/*
 * Prices of Gemini models, in US dollars per million tokens: the standard, paid tier of Google's page
 * https://ai.google.dev/gemini-api/docs/pricing for text, as it was quoted in public in July 2026. Storage of
 * explicit caches, searches and audio are charged on top and are not counted here.
 */

import type { Usage } from '../../../protocol/events.ts';
import type { ModelPrice } from '../../../protocol/panel/messages.ts';

/** US dollars of one answer; `undefined` where no price is known. `usage.prompt` includes what was cached. */
export function geminiCost(model: string, usage: Usage): number | undefined {
  const price = findPrice(model);
  if (!price) return undefined;
  const tier = price.long && usage.prompt > longPrompt ? price.long : price;
  const cached = Math.min(usage.cached, usage.prompt);
  const dollars =
    (usage.prompt - cached) * tier.input +
    cached * tier.cached +
    (usage.output + usage.thoughts) * tier.output;
  return dollars / 1_000_000;
}

/** Prices for prompts that are not long. */
export function geminiPrice(model: string): ModelPrice | undefined {
  const price = findPrice(model);
  return price && { input: price.input, cached: price.cached, output: price.output };
}

interface Tier {
  readonly input: number;
  /** Tokens of the prompt that came from the cache. */
  readonly cached: number;
  /** Thoughts are charged as output. */
  readonly output: number;
}

interface Price extends Tier {
  /** Where a longer prompt makes the whole request dearer. */
  readonly long?: Tier;
}

/** Tokens of a prompt above which the dearer tier holds. */
const longPrompt = 200_000;

const pro3: Price = {
  input: 2,
  cached: 0.2,
  output: 12,
  long: { input: 4, cached: 0.4, output: 18 },
};

const prices: Readonly<Record<string, Price>> = {
  'gemini-3.1-pro': pro3,
  'gemini-3-pro': pro3,
  'gemini-3.5-flash': { input: 1.5, cached: 0.15, output: 9 },
  'gemini-3-flash': { input: 0.5, cached: 0.05, output: 3 },
  'gemini-3.1-flash-lite': { input: 0.25, cached: 0.025, output: 1.5 },
  'gemini-2.5-pro': {
    input: 1.25,
    cached: 0.125,
    output: 10,
    long: { input: 2.5, cached: 0.25, output: 15 },
  },
  'gemini-2.5-flash': { input: 0.3, cached: 0.03, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, cached: 0.01, output: 0.4 },
};

/** A preview or a numbered version costs what its model costs; a name like `-latest` moves, so it has no price. */
function findPrice(model: string): Price | undefined {
  const base = model
    .replace(/^models\//, '')
    .replace(/-(?:preview(?:-\d{2}-\d{4}|-customtools)?|\d{3})$/, '');
  return Object.hasOwn(prices, base) ? prices[base] : undefined;
}
