import type { SecretStorage } from 'vscode';
import type { ApiKeyName, ApiKeys } from '../../platform/secrets.ts';

/** Keys that a user stored in VS Code, else those in the environment of VS Code. */
export class VscodeApiKeys implements ApiKeys {
  private readonly storage: SecretStorage;
  private readonly env: Readonly<Record<string, string | undefined>>;
  /** Last known values. VS Code's answers come from the window's renderer, which may be busy for seconds. */
  private known = new Map<ApiKeyName, string | undefined>();
  /** Number of key changes in this window. */
  changes = 0;

  constructor(storage: SecretStorage, env: Readonly<Record<string, string | undefined>>) {
    this.storage = storage;
    this.env = env;
    storage.onDidChange(() => this.forget());
  }

  async read(name: ApiKeyName): Promise<string | undefined> {
    const { stored, variable } = places[name];
    const { known } = this;
    // Not every VS Code reports changes by another window, so each read also refreshes the value for the next.
    const next = Promise.resolve(this.storage.get(stored));
    next.then(
      value => known.set(name, value),
      () => known.delete(name),
    );
    return (known.has(name) ? known.get(name) : await next) || this.env[variable] || undefined;
  }

  async write(name: ApiKeyName, value: string): Promise<void> {
    await this.storage.store(places[name].stored, value);
    this.forget();
    this.changes += 1;
  }

  async clear(name: ApiKeyName): Promise<void> {
    await this.storage.delete(places[name].stored);
    this.forget();
    this.changes += 1;
  }

  /** Returns the environment variable that holds a key, which clearing the stored key does not remove. */
  findVariable(name: ApiKeyName): string | undefined {
    const { variable } = places[name];
    return this.env[variable] ? variable : undefined;
  }

  /** Also invalidates answers under way. */
  private forget(): void {
    this.known = new Map();
  }
}

const places: Readonly<Record<ApiKeyName, { readonly stored: string; readonly variable: string }>> = {
  gemini: { stored: 'folio.key.gemini', variable: 'GEMINI_API_KEY' },
  anthropic: { stored: 'folio.key.anthropic', variable: 'ANTHROPIC_API_KEY' },
  openai: { stored: 'folio.key.openai', variable: 'OPENAI_API_KEY' },
  'openai-responses': { stored: 'folio.key.openai-responses', variable: 'OPENAI_API_KEY' },
  bedrock: { stored: 'folio.key.bedrock', variable: 'AWS_BEARER_TOKEN_BEDROCK' },
};
