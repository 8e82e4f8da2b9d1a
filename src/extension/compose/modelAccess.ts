/* Which models answer in a window or a run, and what is known of them. */

import type { ModelInfo, ModelProvider } from '../core/model.ts';
import { providers, resolveModel } from '../models/providers.ts';
import { nameOfModel, placeOfModel, withoutAlias } from '../platform/modelPlace.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';

/** Members may change as the user connects otherwise. */
export interface ModelAccess {
  readonly name: ProviderName;
  /** Providers whose models may be named beside those of this one, as `provider:model`. */
  readonly others: readonly ProviderName[];
  readonly provider: ModelProvider;
  /** As far as they are known. */
  readonly models: readonly ModelInfo[];
  /** A script answers, whatever model is named: it costs nothing. */
  readonly isRehearsal?: boolean;
}

type Known = Pick<ModelAccess, 'name' | 'others' | 'models'>;

/** The id that a name stands for. While nothing was chosen, a chat server's first model is the one. */
export function resolveName(name: string, access: Known, settings: Settings): string {
  const isChosen = settings.isSet('model') || name !== settings.get('model');
  const place = placeOfModel(withoutAlias(name, settings), access.name, access.others);
  const id = resolveModel(place.provider, { name: place.id, isChosen }, listedBy(place.provider, access));
  return nameOfModel({ provider: place.provider, id }, access.name);
}

/** Tokens that fit into one request. */
export function contextLimitOf(model: string, access: Known, settings: Settings): number {
  const { provider, id } = placeOfModel(model, access.name, access.others);
  const listed = provider === access.name ? access.models : providers[provider].knownModels;
  return (
    listed.find(each => each.id === id)?.contextLimit ??
    providers[provider].contextLimit(id, settings.get('openai.contextLimit'))
  );
}

/** Only the chosen provider was asked. */
function listedBy(provider: ProviderName, { name, models }: Known): readonly string[] {
  return provider === name ? models.map(({ id }) => id) : [];
}
