import type { SecretStorage } from 'vscode';
import type { SecretName, Secrets } from '../../platform/secrets.ts';

/** Keys that a person stored in VS Code; where there is none, the environment that VS Code was started in. */
export class VscodeSecrets implements Secrets {
  private readonly storage: SecretStorage;
  private readonly env: Readonly<Record<string, string | undefined>>;
  /** How often a key was changed in this window. */
  changes = 0;

  constructor(storage: SecretStorage, env: Readonly<Record<string, string | undefined>>) {
    this.storage = storage;
    this.env = env;
  }

  async read(name: SecretName): Promise<string | undefined> {
    return (await this.storage.get(places[name].stored)) || this.env[places[name].variable] || undefined;
  }

  async write(name: SecretName, value: string): Promise<void> {
    await this.storage.store(places[name].stored, value);
    this.changes += 1;
  }

  async clear(name: SecretName): Promise<void> {
    await this.storage.delete(places[name].stored);
    this.changes += 1;
  }

  /** The variable of the environment that holds a key, which clearing the stored one does not remove. */
  findVariable(name: SecretName): string | undefined {
    const { variable } = places[name];
    return this.env[variable] ? variable : undefined;
  }
}

const places: Readonly<Record<SecretName, { readonly stored: string; readonly variable: string }>> = {
  gemini: { stored: 'folio.key.gemini', variable: 'GEMINI_API_KEY' },
  anthropic: { stored: 'folio.key.anthropic', variable: 'ANTHROPIC_API_KEY' },
  openai: { stored: 'folio.key.openai', variable: 'OPENAI_API_KEY' },
  'openai-responses': { stored: 'folio.key.openai-responses', variable: 'OPENAI_API_KEY' },
  bedrock: { stored: 'folio.key.bedrock', variable: 'AWS_BEARER_TOKEN_BEDROCK' },
};
