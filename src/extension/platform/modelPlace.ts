/* A name says whose model is meant: `anthropic:claude-sonnet-4-6` is one of Anthropic, whichever provider is chosen. */

import { isProviderName, type ProviderName, type Settings } from './settings.ts';

interface ModelPlace {
  readonly provider: ProviderName;
  /** As the provider itself calls it. */
  readonly id: string;
}

/**
 * A name without a provider, or with one that the user did not allow, means a model of the chosen provider: some
 * servers have colons in the names of their models.
 */
export function placeOfModel(
  name: string,
  chosen: ProviderName,
  others: readonly ProviderName[],
): ModelPlace {
  const named = namedProvider(name);
  if (named === undefined || !others.includes(named)) return { provider: chosen, id: name };
  return { provider: named, id: name.slice(named.length + 1).trim() };
}

/** Resolves an alias of the user; any other name stands for itself. */
export function withoutAlias(name: string, settings: Pick<Settings, 'get'>): string {
  const aliases = settings.get('modelAliases');
  return Object.hasOwn(aliases, name) ? aliases[name]! : name;
}

export function nameOfModel({ provider, id }: ModelPlace, chosen: ProviderName): string {
  return provider === chosen ? id : `${provider}:${id}`;
}

/** Providers beside the chosen one that may be asked: only the user says which. */
export function otherProviders(settings: Pick<Settings, 'get'>): readonly ProviderName[] {
  const ofFallback = namedProvider(withoutAlias(settings.get('fallbackModel'), settings));
  const others = settings.get('otherProviders');
  return ofFallback === undefined ? others : [...others, ofFallback];
}

/** The provider that stands before the first colon; undefined: none does. */
function namedProvider(name: string): ProviderName | undefined {
  const head = name.slice(0, Math.max(0, name.indexOf(':'))).trim();
  return isProviderName(head) ? head : undefined;
}
