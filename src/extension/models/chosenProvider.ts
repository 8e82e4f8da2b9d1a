import { t } from '../../protocol/language.ts';
import { messageOf } from '../base/errors.ts';
import { ModelError, type ModelProvider } from '../core/model.ts';
import { parseModelName } from '../platform/modelNames.ts';
import { effortOf, type ProviderName, type Settings } from '../platform/settings.ts';
import type { ChosenModelSettings, ProviderChoice } from './loadProvider.ts';
import { bedrockRegion, type EnvironmentVariables, vertexProjectAndLocation } from './providers.ts';

export function chosenModelSettings(settings: Settings, env: EnvironmentVariables): ChosenModelSettings {
  return {
    contextLimit: () => settings.get('openai.contextLimit'),
    effort: model => effortOf(model, settings),
    cacheLifetime: () => settings.get('anthropic.cacheLifetime'),
    verbosity: () => settings.get('openaiResponses.verbosity') || undefined,
    vertex: vertexProjectAndLocation(settings, env),
    bedrock: bedrockRegion(settings, env),
    restrictions: () => settings.restrictions,
  };
}

/** Delegates to the provider that the user chose. Loads each provider on its first request. */
export function chosenProvider(choice: ProviderChoice): ModelProvider {
  const loaded = new Map<ProviderName, Promise<ModelProvider>>();
  const choose = (name = choice.provider()) => {
    const provider = loaded.get(name) ?? load(name, choice);
    loaded.set(name, provider);
    // Retry a failed load with the next request.
    provider.catch(() => loaded.delete(name));
    return provider;
  };
  return {
    async *stream(request) {
      const place = parseModelName(request.model, choice.provider(), choice.others());
      let provider: ModelProvider;
      try {
        provider = await choose(place.provider);
      } catch (error) {
        yield { type: 'end', end: { ok: false, error: missingPart(error) } };
        return;
      }
      yield* provider.stream({ ...request, model: place.id, effort: choice.effort(place.id) });
    },
    load: async model => {
      const place = parseModelName(model, choice.provider(), choice.others());
      await (await choose(place.provider)).load?.(place.id);
    },
    listModels: async signal => {
      const provider = await choose().catch(error => {
        throw missingPart(error);
      });
      return provider.listModels(signal);
    },
  };
}

async function load(name: ProviderName, choice: ProviderChoice): Promise<ModelProvider> {
  const { loadProvider } = await import('./loadProvider.ts');
  return loadProvider(name, choice);
}

function missingPart(cause: unknown): ModelError {
  if (cause instanceof ModelError) return cause;
  const say = () => t('A part of Folio could not be loaded ({0}). Install Folio again.', messageOf(cause));
  return new ModelError('unknown', say, { retryable: false, cause });
}
