/* The differences between providers, apart from their protocol (chosenProvider.ts). */

import type { ModelInfo } from '../core/model.ts';
import type { ApiKeyName } from '../platform/secrets.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import { findAnthropicContextLimit, knownAnthropicModels, resolveAnthropicName } from './anthropic/models.ts';
import {
  findBedrockCharge,
  findBedrockContextLimit,
  knownBedrockModels,
  resolveBedrockName,
} from './bedrock/bedrockModels.ts';
import { geminiPair, lightGeminiModel, resolveGeminiName } from './gemini/modelNames.ts';
import { findGeminiContextLimit, findGeminiEfforts, knownGeminiModels } from './gemini/models.ts';
import { findContextLimit } from './wire/contextLimits.ts';
import { offeredEfforts } from './wire/effort.ts';

interface ProviderFacts {
  /** Name of the stored key. Omitted if it takes none. */
  readonly keyName?: ApiKeyName;
  /** Where its address is set. Omitted if it has none. */
  readonly address?: Address;
  /** Its models can search the web on request. */
  readonly searchesWeb: boolean;
  /** Models offered before the service's list is loaded. */
  readonly knownModels: readonly ModelInfo[];
  /** The models that an `auto` name chooses from, and the small ones. Omitted if none are known here. */
  readonly ownModels?: (auto: string) => RecommendedModels;
  /** Resolves a name to a model id. `listed`: ids that the service offers, empty while unknown. */
  readonly resolve: (name: string, listed: readonly string[]) => string;
  /** Context size in tokens if the service does not report it. `otherwise`: the user's setting for that case. */
  readonly contextLimit: (model: string, otherwise: number) => number;
  /** The price of a model, or `undefined` if unknown. */
  readonly charge: (model: string) => Charge | undefined;
}

/** A multiple of the vendor's list price. */
interface Charge {
  readonly model: string;
  readonly times: number;
}

interface RecommendedModels {
  readonly strong: string;
  readonly fast: string;
  /** The model for side queries. `undefined` means the model itself. */
  readonly lightOf: (model: string) => string | undefined;
}

interface Address {
  readonly setting:
    | 'baseUrl'
    | `${'openai' | 'openaiResponses' | 'anthropic' | 'vertex' | 'bedrock'}.baseUrl`;
  /** The name of an environment variable. */
  readonly variable: string;
}

function asListed(model: string): Charge {
  return { model, times: 1 };
}

/** Both Gemini providers have the same models and prices. */
const geminiModels = {
  searchesWeb: true,
  knownModels: knownGeminiModels.map(model => ({
    ...model,
    efforts: offeredEfforts(findGeminiEfforts(model.id)),
  })),
  ownModels: (auto: string) => ({ ...geminiPair(auto), lightOf: lightGeminiModel }),
  resolve: resolveGeminiName,
  contextLimit: findGeminiContextLimit,
  charge: asListed,
} as const;

const foreign = {
  searchesWeb: false,
  knownModels: [],
  charge: asListed,
  resolve: (name: string) => name,
} as const;

function limitOrElse(model: string, otherwise: number): number {
  return findContextLimit(model) ?? otherwise;
}

export const providers: Readonly<Record<ProviderName, ProviderFacts>> = {
  gemini: {
    ...geminiModels,
    keyName: 'gemini',
    address: { setting: 'baseUrl', variable: 'GOOGLE_GEMINI_BASE_URL' },
  },
  anthropic: {
    keyName: 'anthropic',
    address: { setting: 'anthropic.baseUrl', variable: 'ANTHROPIC_BASE_URL' },
    searchesWeb: true,
    knownModels: knownAnthropicModels,
    resolve: resolveAnthropicName,
    contextLimit: findAnthropicContextLimit,
    charge: asListed,
  },
  openai: {
    ...foreign,
    keyName: 'openai',
    address: { setting: 'openai.baseUrl', variable: 'OPENAI_BASE_URL' },
    contextLimit: limitOrElse,
  },
  'openai-responses': {
    ...foreign,
    searchesWeb: true,
    keyName: 'openai-responses',
    address: { setting: 'openaiResponses.baseUrl', variable: 'OPENAI_BASE_URL' },
    contextLimit: limitOrElse,
  },
  vertex: {
    ...geminiModels,
    contextLimit: model =>
      model.startsWith('claude-') ? findAnthropicContextLimit(model) : findGeminiContextLimit(model),
    address: { setting: 'vertex.baseUrl', variable: 'GOOGLE_VERTEX_BASE_URL' },
  },
  bedrock: {
    keyName: 'bedrock',
    address: { setting: 'bedrock.baseUrl', variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME' },
    searchesWeb: false,
    knownModels: knownBedrockModels,
    resolve: resolveBedrockName,
    contextLimit: findBedrockContextLimit,
    charge: findBedrockCharge,
  },
  // Until the list is loaded, assume the smallest context of such models.
  vscode: { ...foreign, charge: () => undefined, contextLimit: (_model, otherwise) => otherwise },
};

/**
 * Resolves the model of a run: an id, or an alias. Without a chosen model, a service that lacks the default uses the
 * first of its list, or of the known models while it has no list.
 * @param isChosen the name was set explicitly; otherwise it is another provider's default
 */
export function resolveModel(
  provider: ProviderName,
  { name, isChosen }: { readonly name: string; readonly isChosen: boolean },
  listed: readonly string[],
): string {
  const { knownModels, resolve } = providers[provider];
  const [first] = listed.length > 0 ? listed : knownModels.map(({ id }) => id);
  const isForeign = /^(openai|openai-responses|anthropic|bedrock)$/.test(provider);
  if (isForeign && !isChosen && first !== undefined && !listed.includes(name)) return first;
  return resolve(name, listed);
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Empty for the provider's own address. */
export function configuredAddress(
  provider: ProviderName,
  settings: Settings,
  env: EnvironmentVariables,
): string {
  const { address } = providers[provider];
  return address ? settings.get(address.setting) || env[address.variable] || '' : '';
}

/** The Google Cloud project that pays for Vertex AI, and the location of its models. */
export function vertexProjectAndLocation(settings: Settings, env: EnvironmentVariables) {
  return {
    project: () => settings.get('vertex.project') || env.GOOGLE_CLOUD_PROJECT || '',
    location: () => settings.get('vertex.location') || env.GOOGLE_CLOUD_LOCATION || '',
  };
}

/** The region of Amazon Bedrock, from the variables that Amazon's own tools read. */
export function bedrockRegion(settings: Settings, env: EnvironmentVariables) {
  return {
    region: () => settings.get('bedrock.region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || '',
  };
}
