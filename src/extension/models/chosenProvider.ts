import { messageOf } from '../base/errors.ts';
import { ModelError, type ModelProvider } from '../core/model.ts';
import type { ProviderName } from '../platform/settings.ts';
import { createGeminiProvider } from './gemini/geminiProvider.ts';

/** Asked for at each request, so that a change counts at once. */
export interface ProviderChoice {
  readonly provider: () => ProviderName;
  /** The key of one is never asked for on behalf of another. May reject. */
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty: the provider's own address. */
  readonly baseUrl: (provider: ProviderName) => string;
  readonly newId: () => string;
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly contextLimit: () => number;
}

/** The provider of the person's choice. All but the first are loaded when they are chosen. */
export function chosenProvider(choice: ProviderChoice): ModelProvider {
  const gemini = createGeminiProvider(endpointOf('gemini', choice));
  let openai: Promise<ModelProvider> | undefined;
  const choose = async () => {
    if (choice.provider() === 'gemini') return gemini;
    openai ??= loadOpenAi(choice);
    return openai;
  };
  return {
    async *stream(request) {
      let provider: ModelProvider;
      try {
        provider = await choose();
      } catch (error) {
        yield { type: 'end', end: { ok: false, error: missingPart(error) } };
        return;
      }
      yield* provider.stream(request);
    },
    listModels: async signal => (await choose()).listModels(signal),
  };
}

async function loadOpenAi(choice: ProviderChoice): Promise<ModelProvider> {
  const { createOpenAiProvider } = await import('./openai/openaiProvider.ts');
  return createOpenAiProvider({ ...endpointOf('openai', choice), contextLimit: choice.contextLimit });
}

function endpointOf(provider: ProviderName, { apiKey, baseUrl, newId }: ProviderChoice) {
  return { apiKey: () => apiKey(provider), baseUrl: () => baseUrl(provider), newId };
}

function missingPart(cause: unknown): ModelError {
  const what = `A part of Folio could not be loaded (${messageOf(cause)}). Install Folio again.`;
  return new ModelError('unknown', what, { retryable: false, cause });
}
