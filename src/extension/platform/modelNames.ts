/* Resolves model names to providers. `anthropic:claude-sonnet-4-6` is Anthropic's, whichever provider is chosen. */

import { isProviderName, type ProviderName, type Settings } from './settings.ts';

interface ModelPlace {
  readonly provider: ProviderName;
  /** Id at the provider. */
  readonly id: string;
}

/**
 * Without a provider that the user allowed, the whole name is a model of the chosen provider: model names of some
 * servers contain colons.
 */
export function parseModelName(
  name: string,
  chosen: ProviderName,
  others: readonly ProviderName[],
): ModelPlace {
  const named = namedProvider(name);
  if (named === undefined || !others.includes(named)) return { provider: chosen, id: name };
  return { provider: named, id: name.slice(named.length + 1).trim() };
}

/** Resolves the user's alias. Returns other names unchanged. */
export function resolveAlias(name: string, settings: Pick<Settings, 'get'>): string {
  const aliases = settings.get('modelAliases');
  return Object.hasOwn(aliases, name) ? aliases[name]! : name;
}

export function formatModelName({ provider, id }: ModelPlace, chosen: ProviderName): string {
  return provider === chosen ? id : `${provider}:${id}`;
}

/** Returns further providers that may be used. Only the user adds them. */
export function otherProviders(settings: Pick<Settings, 'get'>): readonly ProviderName[] {
  const ofFallback = namedProvider(resolveAlias(settings.get('fallbackModel'), settings));
  const others = settings.get('otherProviders');
  return ofFallback === undefined ? others : [...others, ofFallback];
}

/** Returns the provider before the first colon, if any. */
function namedProvider(name: string): ProviderName | undefined {
  const head = name.slice(0, Math.max(0, name.indexOf(':'))).trim();
  return isProviderName(head) ? head : undefined;
}
