/* Loads a provider's code and libraries on its first use. */

import { t } from '../../protocol/language.ts';
import { ModelError, type ModelProvider } from '../core/model.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { CacheLifetime, Effort, ProviderName, Verbosity } from '../platform/settings.ts';
import type { ScalePicture } from './media/fitMedia.ts';
import { withFittedMedia } from './media/fittedMedia.ts';

/** Read for each request, so that changes apply at once. */
export interface ProviderChoice extends ChosenModelSettings {
  readonly provider: () => ProviderName;
  /** Providers whose models may be chosen as `provider:model` beside the chosen provider. */
  readonly others: () => readonly ProviderName[];
  /** Never returns one provider's key for another provider. May reject. */
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty for the provider's own address. */
  readonly baseUrl: (provider: ProviderName) => string;
  readonly newId: () => string;
  readonly transport: HttpTransport;
  readonly scalePicture: ScalePicture;
  /** Models that VS Code offers. Omitted without VS Code. */
  readonly loadVscode?: () => Promise<ModelProvider>;
}

/** The user's model settings, also read for each request. */
export interface ChosenModelSettings {
  /** Context size in tokens for models whose server does not report it. */
  readonly contextLimit: () => number;
  readonly effort: (model: string) => Effort | undefined;
  /** How long Anthropic's cache retains content. */
  readonly cacheLifetime: () => CacheLifetime;
  /** How much GPT models write. `undefined` leaves it to the model. */
  readonly verbosity: () => Verbosity | undefined;
  /** Location of Vertex AI's models and the project that pays. */
  readonly vertex: { readonly project: () => string; readonly location: () => string };
  /** Region of Amazon Bedrock's models. */
  readonly bedrock: { readonly region: () => string };
  /** The organisation's limits. Omitted if there are none. */
  readonly restrictions?: () => Restrictions | undefined;
}

export async function loadProvider(name: ProviderName, choice: ProviderChoice): Promise<ModelProvider> {
  const provider = withFittedMedia(await loaders[name](choice), name, choice.scalePicture);
  return restricted(provider, name, () => choice.restrictions?.());
}

/** Sends only requests that the organisation allows, including those of fallbacks and subagents. */
function restricted(
  provider: ModelProvider,
  name: ProviderName,
  restrictions: () => Restrictions | undefined,
): ModelProvider {
  return {
    load: async model => provider.load?.(model),
    async *stream(request) {
      const refused = restrictions()?.refuseModel(name, request.model);
      if (refused === undefined) yield* provider.stream(request);
      else yield { type: 'end', end: { ok: false, error: notAllowed(refused) } };
    },
    listModels: async signal => {
      const refused = restrictions()?.refuseProvider(name);
      if (refused !== undefined) throw notAllowed(refused);
      const listed = await provider.listModels(signal);
      return restrictions()?.pickModels(name, listed) ?? listed;
    },
  };
}

function notAllowed(sentence: string): ModelError {
  return new ModelError('forbidden', () => sentence, { retryable: false });
}

type Load = (choice: ProviderChoice) => Promise<ModelProvider>;

const loaders: Readonly<Record<ProviderName, Load>> = {
  gemini: async choice => {
    const { createGeminiProvider } = await import('./gemini/geminiProvider.ts');
    return createGeminiProvider(endpointOf('gemini', choice));
  },
  anthropic: async choice => {
    const { createAnthropicProvider } = await import('./anthropic/anthropicProvider.ts');
    const { cacheLifetime } = choice;
    return createAnthropicProvider({ ...endpointOf('anthropic', choice), cacheLifetime });
  },
  openai: async choice => {
    const { createOpenAiProvider } = await import('./openai/openaiProvider.ts');
    return createOpenAiProvider({ ...endpointOf('openai', choice), contextLimit: choice.contextLimit });
  },
  'openai-responses': async choice => {
    const { ResponsesProvider } = await import('./responses/responsesProvider.ts');
    return new ResponsesProvider({
      ...endpointOf('openai-responses', choice),
      contextLimit: choice.contextLimit,
      verbosity: choice.verbosity,
    });
  },
  vertex: async choice => {
    const { createVertexProvider } = await import('./vertex/vertexProvider.ts');
    return createVertexProvider({
      ...endpointOf('vertex', choice),
      ...choice.vertex,
      cacheLifetime: choice.cacheLifetime,
    });
  },
  bedrock: async choice => {
    const { createBedrockProvider } = await import('./bedrock/bedrockProvider.ts');
    const { cacheLifetime, bedrock } = choice;
    return createBedrockProvider({ ...endpointOf('bedrock', choice), ...bedrock, cacheLifetime });
  },
  vscode: async ({ loadVscode }) => {
    if (!loadVscode) throw needsWindow();
    return loadVscode();
  },
};

function endpointOf(provider: ProviderName, { apiKey, baseUrl, newId, transport }: ProviderChoice) {
  return { apiKey: () => apiKey(provider), baseUrl: () => baseUrl(provider), newId, transport };
}

function needsWindow(): ModelError {
  return new ModelError(
    'badRequest',
    () =>
      t("VS Code's models need a VS Code window. Choose another provider with the setting folio.provider."),
    {
      retryable: false,
    },
  );
}
