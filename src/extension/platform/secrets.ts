/** The API keys of model services. Never written to settings, journal, log or webview. */
export interface ApiKeys {
  read(name: ApiKeyName): Promise<string | undefined>;
}

export type ApiKeyName = 'gemini' | 'anthropic' | 'openai' | 'openai-responses' | 'bedrock';

/** Secrets that Folio stores for other programs, by name, such as tokens of MCP servers. Stored like API keys. */
export interface StoredSecrets {
  find(name: string): Promise<string | undefined>;
  keep(name: string, value: string): Promise<void>;
  drop(name: string): Promise<void>;
}
