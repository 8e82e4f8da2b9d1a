import type { ApiKeyName, ApiKeys } from '../platform/secrets.ts';

const variables = {
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  'openai-responses': ['OPENAI_API_KEY'],
  bedrock: ['AWS_BEARER_TOKEN_BEDROCK'],
} as const satisfies Record<ApiKeyName, readonly string[]>;

export function keyVariable(name: ApiKeyName): string {
  return variables[name][0];
}

/** Keys from environment variables. Blank ones count as missing. */
export class EnvironmentKeys implements ApiKeys {
  private readonly environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.environment = environment;
  }

  async read(name: ApiKeyName): Promise<string | undefined> {
    for (const variable of variables[name]) {
      const value = this.environment[variable]?.trim();
      if (value) return value;
    }
    return undefined;
  }
}
