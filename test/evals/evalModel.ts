import { join } from 'node:path';
import type { EvalModel } from './evalSession.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where there is no key, it says which one to set. */
export type FoundModel =
  | { readonly kind: 'found'; readonly model: EvalModel }
  | { readonly kind: 'missing'; readonly sentence: string };

/**
 * What the environment has for a provider. The runs have a home folder of their own, so credentials are named.
 * @param address of a server that speaks chat completions, in place of the environment's
 */
export function findEvalModel(
  provider: string,
  model: string | undefined,
  env: Environment,
  address?: string,
): FoundModel {
  const given = (...names: readonly string[]) => pick(env, names);
  switch (provider) {
    case 'gemini': {
      const baseUrl = env.GOOGLE_GEMINI_BASE_URL?.trim() || undefined;
      const key = given('GEMINI_API_KEY', 'GOOGLE_API_KEY');
      if (Object.keys(key).length === 0) return missing('GEMINI_API_KEY');
      return { kind: 'found', model: { provider, model: model ?? 'gemini-2.5-flash', baseUrl, env: key } };
    }
    case 'anthropic': {
      const baseUrl = env.ANTHROPIC_BASE_URL?.trim() || undefined;
      const key = given('ANTHROPIC_API_KEY');
      if (Object.keys(key).length === 0) return missing('ANTHROPIC_API_KEY');
      return named({ provider, baseUrl, env: key }, model);
    }
    case 'openai-responses': {
      const baseUrl = env.OPENAI_BASE_URL?.trim() || undefined;
      const key = given('OPENAI_API_KEY');
      if (Object.keys(key).length === 0) return missing('OPENAI_API_KEY');
      return named({ provider, baseUrl, env: key }, model);
    }
    case 'openai': {
      const baseUrl = address ?? (env.OPENAI_BASE_URL?.trim() || undefined);
      const key = given('OPENAI_API_KEY');
      // A server on this machine mostly takes no key.
      if (baseUrl === undefined && Object.keys(key).length === 0)
        return missing('OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own,');
      return named({ provider, baseUrl, env: key }, model);
    }
    case 'vertex': {
      const baseUrl = env.GOOGLE_VERTEX_BASE_URL?.trim() || undefined;
      const project = given(
        'GOOGLE_CLOUD_PROJECT',
        'GOOGLE_CLOUD_LOCATION',
        'GOOGLE_APPLICATION_CREDENTIALS',
      );
      if (project.GOOGLE_CLOUD_PROJECT === undefined) return missing('GOOGLE_CLOUD_PROJECT');
      const folder = env.CLOUDSDK_CONFIG ?? join(env.HOME ?? '', '.config', 'gcloud');
      return named({ provider, baseUrl, env: { ...project, CLOUDSDK_CONFIG: folder } }, model);
    }
    case 'bedrock': {
      const baseUrl = env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME?.trim() || undefined;
      const access = given(
        'AWS_REGION',
        'AWS_BEARER_TOKEN_BEDROCK',
        'AWS_ACCESS_KEY_ID',
        'AWS_SECRET_ACCESS_KEY',
        'AWS_SESSION_TOKEN',
      );
      if (access.AWS_REGION === undefined) return missing('AWS_REGION');
      if (!access.AWS_BEARER_TOKEN_BEDROCK && !access.AWS_ACCESS_KEY_ID)
        return missing('AWS_BEARER_TOKEN_BEDROCK');
      return named({ provider, baseUrl, env: access }, model);
    }
    default:
      throw new Error(
        `There is no provider "${provider}" here: choose gemini, anthropic, openai-responses, openai, vertex or bedrock.`,
      );
  }
}

function named(found: Omit<EvalModel, 'model'>, model: string | undefined): FoundModel {
  if (model === undefined) throw new Error(`Name a model of ${found.provider} with --model.`);
  return { kind: 'found', model: { ...found, model } };
}

function missing(variable: string): FoundModel {
  return {
    kind: 'missing',
    sentence: `The evals were skipped, because there is no key: set ${variable} to run them.`,
  };
}

function pick(env: Environment, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap(name => (env[name]?.trim() ? [[name, env[name]!.trim()]] : [])));
}
