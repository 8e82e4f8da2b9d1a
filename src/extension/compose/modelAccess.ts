/* Which models answer in a window or a run, and what is known of them. */

import type { ModelInfo, ModelProvider } from '../core/model.ts';
import { providers, resolveModel } from '../models/providers.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';

/** Members may change as the person connects otherwise. */
export interface ModelAccess {
  readonly name: ProviderName;
  readonly provider: ModelProvider;
  /** As far as they are known. */
  readonly models: readonly ModelInfo[];
}

/** The id that a name stands for. While nothing was chosen, a chat server's first model is the one. */
export function resolveName(
  name: string,
  access: Pick<ModelAccess, 'name' | 'models'>,
  settings: Settings,
): string {
  const isChosen = settings.isSet('model') || name !== settings.get('model');
  return resolveModel(
    access.name,
    { name, isChosen },
    access.models.map(({ id }) => id),
  );
}

/** Tokens that fit into one request. */
export function contextLimitOf(
  model: string,
  { name, models }: Pick<ModelAccess, 'name' | 'models'>,
  settings: Settings,
): number {
  return (
    models.find(({ id }) => id === model)?.contextLimit ??
    providers[name].contextLimit(model, settings.get('openai.contextLimit'))
  );
}
