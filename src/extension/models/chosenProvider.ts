import { t } from '../../protocol/language.ts';
import { messageOf } from '../base/errors.ts';
import { ModelError, type ModelProvider } from '../core/model.ts';
import type { HttpTransport } from '../platform/http/httpTransport.ts';
import { placeOfModel } from '../platform/modelPlace.ts';
import {
  type CacheLifetime,
  type Effort,
  effortOf,
  type ProviderName,
  type Settings,
  type Verbosity,
} from '../platform/settings.ts';
import { bedrockPlace, type Environment, vertexPlace } from './providers.ts';

/** Asked for at each request, so that a change counts at once. */
interface ProviderChoice extends ChosenModelSettings {
  readonly provider: () => ProviderName;
  /** Providers whose models may be named beside those of the chosen one, as `provider:model`. */
  readonly others: () => readonly ProviderName[];
  /** The key of one is never asked for on behalf of another. May reject. */
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  /** Empty: the provider's own address. */
  readonly baseUrl: (provider: ProviderName) => string;
  readonly newId: () => string;
  readonly transport: HttpTransport;
  /** The models that VS Code offers; absent: there is no VS Code. */
  readonly loadVscode?: () => Promise<ModelProvider>;
}

/** The person's settings of models, read at each request too. */
interface ChosenModelSettings {
  /** Tokens that fit into a request of a model whose server does not say. */
  readonly contextLimit: () => number;
  /** How hard the person wants a model to think. */
  readonly effort: (model: string) => Effort | undefined;
  /** How long Anthropic's cache keeps what was sent. */
  readonly cacheLifetime: () => CacheLifetime;
  /** How much GPT models write; undefined: as they decide. */
  readonly verbosity: () => Verbosity | undefined;
  /** Where Vertex AI runs models, and which project pays. */
  readonly vertex: { readonly project: () => string; readonly location: () => string };
  /** Where Amazon Bedrock runs models. */
  readonly bedrock: { readonly region: () => string };
}

export function chosenModelSettings(settings: Settings, env: Environment): ChosenModelSettings {
  return {
    contextLimit: () => settings.get('openai.contextLimit'),
    effort: model => effortOf(model, settings),
    cacheLifetime: () => settings.get('anthropic.cacheLifetime'),
    verbosity: () => settings.get('openaiResponses.verbosity') || undefined,
    vertex: vertexPlace(settings, env),
    bedrock: bedrockPlace(settings, env),
  };
}

/** The provider of the person's choice. Each is loaded when it is first asked. */
export function chosenProvider(choice: ProviderChoice): ModelProvider {
  const loaded = new Map<ProviderName, Promise<ModelProvider>>();
  const choose = (name = choice.provider()) => {
    const provider = loaded.get(name) ?? loaders[name](choice);
    loaded.set(name, provider);
    // A load that failed is tried again with the next request.
    provider.catch(() => loaded.delete(name));
    return provider;
  };
  return {
    async *stream(request) {
      const place = placeOfModel(request.model, choice.provider(), choice.others());
      let provider: ModelProvider;
      try {
        provider = await choose(place.provider);
      } catch (error) {
        yield { type: 'end', end: { ok: false, error: missingPart(error) } };
        return;
      }
      yield* provider.stream({ ...request, model: place.id, effort: choice.effort(place.id) });
    },
    listModels: async signal => {
      const provider = await choose().catch(error => {
        throw missingPart(error);
      });
      return provider.listModels(signal);
    },
  };
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
      t(
        "VS Code's own models need a window of VS Code. Choose another provider with the setting folio.provider.",
      ),
    {
      retryable: false,
    },
  );
}

function missingPart(cause: unknown): ModelError {
  if (cause instanceof ModelError) return cause;
  const say = () => t('A part of Folio could not be loaded ({0}). Install Folio again.', messageOf(cause));
  return new ModelError('unknown', say, { retryable: false, cause });
}
