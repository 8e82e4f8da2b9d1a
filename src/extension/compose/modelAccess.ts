/* The models of a window or run, and known facts about them. */

import type { ModelInfo, ModelProvider } from '../core/model.ts';
import { providers, resolveModel } from '../models/providers.ts';
import { formatModelName, parseModelName, resolveAlias } from '../platform/modelNames.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';

/** Members may change when the user connects to another provider. */
export interface ModelAccess {
  readonly name: ProviderName;
  /** Other providers whose models may be named as `provider:model`. */
  readonly others: readonly ProviderName[];
  readonly provider: ModelProvider;
  /** As far as they are known. */
  readonly models: readonly ModelInfo[];
  /** True if a script answers instead of the named model, at no cost. */
  readonly isRehearsal?: boolean;
}

type Known = Pick<ModelAccess, 'name' | 'others' | 'models'>;

/** Resolves a name to a model id. If none was chosen, uses a chat server's first model. */
export function resolveModelName(name: string, access: Known, settings: Settings): string {
  const isChosen = settings.isSet('model') || name !== settings.get('model');
  const place = parseModelName(resolveAlias(name, settings), access.name, access.others);
  const id = resolveModel(place.provider, { name: place.id, isChosen }, listedBy(place.provider, access));
  return formatModelName({ provider: place.provider, id }, access.name);
}

/** Returns the maximal number of tokens in a request. */
export function contextLimitOf(model: string, access: Known, settings: Settings): number {
  const { provider, id } = parseModelName(model, access.name, access.others);
  const listed = provider === access.name ? access.models : providers[provider].knownModels;
  return (
    listed.find(each => each.id === id)?.contextLimit ??
    providers[provider].contextLimit(id, settings.get('openai.contextLimit'))
  );
}

/** Only the chosen provider has listed its models. */
function listedBy(provider: ProviderName, { name, models }: Known): readonly string[] {
  return provider === name ? models.map(({ id }) => id) : [];
}
