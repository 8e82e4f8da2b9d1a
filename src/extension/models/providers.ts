/* The differences between providers, apart from the way they are asked (chosenProvider.ts). */

import type { ModelInfo } from '../core/model.ts';
import type { SecretName } from '../platform/secrets.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import { findAnthropicContextLimit, knownAnthropicModels, resolveAnthropicName } from './anthropic/models.ts';
import {
  findBedrockCharge,
  findBedrockContextLimit,
  knownBedrockModels,
  resolveBedrockName,
} from './bedrock/bedrockModels.ts';
import { geminiPair, lightGeminiModel, resolveGeminiName } from './gemini/modelNames.ts';
import { findGeminiContextLimit, findGeminiEfforts, knownModels } from './gemini/models.ts';
import { findContextLimit } from './wire/contextLimits.ts';
import { offeredEfforts } from './wire/effort.ts';

interface ProviderFacts {
  /** The name of its key; absent: it takes none. */
  readonly secret?: SecretName;
  /** Where its address is set; absent: it has none. */
  readonly address?: Address;
  /** Its models search the web when they are asked to. */
  readonly searchesWeb: boolean;
  /** Models that can be picked before it was asked. */
  readonly knownModels: readonly ModelInfo[];
  /**
   * The models that a name for `auto` chooses from, and the light ones; absent: it has no models that are known here.
   */
  readonly ownModels?: (auto: string) => RecommendedModels;
  /** The id that a name stands for. `listed`: ids that it offers, empty while they are not known. */
  readonly resolve: (name: string, listed: readonly string[]) => string;
  /** Tokens that fit into a request when it did not say. `otherwise`: what the user set for such a case. */
  readonly contextLimit: (model: string, otherwise: number) => number;
  /** The price of a model; `undefined`: nobody knows what is paid. */
  readonly charge: (model: string) => Charge | undefined;
}

/** The price that the maker of a model lists, so many times over. */
interface Charge {
  readonly model: string;
  readonly times: number;
}

interface RecommendedModels {
  readonly strong: string;
  readonly fast: string;
  /** For questions beside the conversation; undefined: the model itself answers them. */
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

/** The same models at the same prices, whoever sends the bill. */
const geminiModels = {
  searchesWeb: true,
  knownModels: knownModels.map(model => ({
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
    secret: 'gemini',
    address: { setting: 'baseUrl', variable: 'GOOGLE_GEMINI_BASE_URL' },
  },
  anthropic: {
    secret: 'anthropic',
    address: { setting: 'anthropic.baseUrl', variable: 'ANTHROPIC_BASE_URL' },
    searchesWeb: true,
    knownModels: knownAnthropicModels,
    resolve: resolveAnthropicName,
    contextLimit: findAnthropicContextLimit,
    charge: asListed,
  },
  openai: {
    ...foreign,
    secret: 'openai',
    address: { setting: 'openai.baseUrl', variable: 'OPENAI_BASE_URL' },
    contextLimit: limitOrElse,
  },
  'openai-responses': {
    ...foreign,
    searchesWeb: true,
    secret: 'openai-responses',
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
    secret: 'bedrock',
    address: { setting: 'bedrock.baseUrl', variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME' },
    searchesWeb: false,
    knownModels: knownBedrockModels,
    resolve: resolveBedrockName,
    contextLimit: findBedrockContextLimit,
    charge: findBedrockCharge,
  },
  // Before the list came, the least that models of this kind hold.
  vscode: { ...foreign, charge: () => undefined, contextLimit: (_model, otherwise) => otherwise },
};

/**
 * The model that a run works with: an id, or the model that its name stands for. Without a chosen model a service that
 * lacks the usual one works with the first of its list, or of those known here while it has shown none.
 * @param isChosen somebody set the name; else it is the usual one of another provider
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

export type Environment = Readonly<Record<string, string | undefined>>;

/** Empty: the provider's own. */
export function addressOf(provider: ProviderName, settings: Settings, env: Environment): string {
  const { address } = providers[provider];
  return address ? settings.get(address.setting) || env[address.variable] || '' : '';
}

/** Which project at Google Cloud pays, and where its models run. */
export function vertexPlace(settings: Settings, env: Environment) {
  return {
    project: () => settings.get('vertex.project') || env.GOOGLE_CLOUD_PROJECT || '',
    location: () => settings.get('vertex.location') || env.GOOGLE_CLOUD_LOCATION || '',
  };
}

/** Where Amazon Bedrock runs models, by the names that Amazon's own tools read. */
export function bedrockPlace(settings: Settings, env: Environment) {
  return {
    region: () => settings.get('bedrock.region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || '',
  };
}
