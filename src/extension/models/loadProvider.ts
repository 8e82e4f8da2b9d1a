/* Loads the code of a provider and its libraries when it is first asked. */

import { t } from '../../protocol/language.ts';
import { ModelError, type ModelProvider } from '../core/model.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { CacheLifetime, Effort, ProviderName, Verbosity } from '../platform/settings.ts';
import type { ScalePicture } from './media/fitMedia.ts';
import { withFittedMedia } from './media/fittedMedia.ts';

/** Asked for at each request, so that a change counts at once. */
export interface ProviderChoice extends ChosenModelSettings {
  readonly provider: () => ProviderName;
  /** Providers whose models may be named beside those of the chosen one, as `provider:model`. */
  readonly others: () => readonly ProviderName[];
  /** The key of one is never asked for on behalf of another. May reject. */
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty: the provider's own address. */
  readonly baseUrl: (provider: ProviderName) => string;
  readonly newId: () => string;
  readonly transport: HttpTransport;
  readonly scalePicture: ScalePicture;
  /** The models that VS Code offers; absent: there is no VS Code. */
  readonly loadVscode?: () => Promise<ModelProvider>;
}

/** The user's settings of models, read at each request too. */
export interface ChosenModelSettings {
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly contextLimit: () => number;
  /** How hard the user wants a model to think. */
  readonly effort: (model: string) => Effort | undefined;
  /** How long Anthropic's cache keeps what was sent. */
  readonly cacheLifetime: () => CacheLifetime;
  /** How much GPT models write; undefined: as they decide. */
  readonly verbosity: () => Verbosity | undefined;
  /** Where Vertex AI runs models, and which project pays. */
  readonly vertex: { readonly project: () => string; readonly location: () => string };
  /** Where Amazon Bedrock runs models. */
  readonly bedrock: { readonly region: () => string };
  /** Limits of the organisation; absent: none. */
  readonly restrictions?: () => Restrictions | undefined;
}

export async function loadProvider(name: ProviderName, choice: ProviderChoice): Promise<ModelProvider> {
  const provider = withFittedMedia(await loaders[name](choice), name, choice.scalePicture);
  return restricted(provider, name, () => choice.restrictions?.());
}

/** Sends nothing that the organisation does not allow, be it for the agent, a fallback or a subagent. */
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
