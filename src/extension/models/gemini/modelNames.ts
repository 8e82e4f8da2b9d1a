/* Resolves model aliases, as Gemini CLI and users write them. */

import { autoModel } from '../../../protocol/routing.ts';
import { defaultGeminiPair, knownGeminiModels } from './models.ts';

/** Models of the tiers without a version: those that `auto` chooses from, and the smallest of the same generation. */
const usual = {
  pro: defaultGeminiPair.strong,
  flash: defaultGeminiPair.fast,
  'flash-lite': 'gemini-2.5-flash-lite',
} as const;

interface Pair {
  readonly strong: string;
  readonly fast: string;
}

const autoName = /^auto(?:-gemini-(\d+(?:\.\d+)?))?$/;
const tierName = /^(?:gemini-)?(?:(\d+(?:\.\d+)?)-)?(pro|flash-lite|flash)$/;
const modelId = /^gemini-(\d+(?:\.\d+)?)-(pro|flash-lite|flash)(?:-preview)?$/;

/**
 * Resolves `pro`, `flash-lite`, `3-flash`, `auto` or `auto-gemini-3` to a model id. Any other name counts as an id.
 * @param listed ids that the service offers, empty if unknown
 */
export function resolveGeminiName(name: string, listed: readonly string[]): string {
  const plain = name.trim().toLowerCase();
  if (autoName.test(plain)) return autoModel;
  const [, version, tier] = tierName.exec(plain) ?? [];
  if (!isTier(tier) || listed.includes(plain)) return name;
  const offered = [...new Set([...knownGeminiModels.map(({ id }) => id), ...listed])].filter(
    id => listed.length === 0 || listed.includes(id),
  );
  const alike = offered.filter(id => modelId.exec(id)?.[2] === tier);
  if (version === undefined) return alike.includes(usual[tier]) ? usual[tier] : (alike[0] ?? name);
  const exact = alike.find(id => modelId.exec(id)?.[1] === version);
  return exact ?? alike.find(id => modelId.exec(id)?.[1]?.startsWith(`${version}.`)) ?? name;
}

/** Returns the small model for side queries. Returns `undefined` if the model is small itself, or unknown. */
export function lightGeminiModel(model: string): string | undefined {
  const [, version, tier] = modelId.exec(model) ?? [];
  if (tier !== 'pro') return undefined;
  const light = resolveGeminiName(`${version}-flash`, []);
  return knownGeminiModels.some(({ id }) => id === light) ? light : usual.flash;
}

/** The two models that `auto` chooses from, of the generation in its name if there is one. */
export function geminiPair(auto: string): Pair {
  const version = autoName.exec(auto.trim().toLowerCase())?.[1];
  if (version === undefined) return defaultGeminiPair;
  const [strong, fast] = ['pro', 'flash'].map(tier => resolveGeminiName(`${version}-${tier}`, []));
  const isKnown =
    knownGeminiModels.some(({ id }) => id === strong) && knownGeminiModels.some(({ id }) => id === fast);
  return isKnown ? { strong: strong!, fast: fast! } : defaultGeminiPair;
}

function isTier(tier: string | undefined): tier is keyof typeof usual {
  return tier !== undefined && Object.hasOwn(usual, tier);
}
