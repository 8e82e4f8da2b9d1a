/** Keys of services. Never written to settings, journal, log or webview. */
export interface Secrets {
  read(name: SecretName): Promise<string | undefined>;
}

export type SecretName = 'gemini' | 'anthropic' | 'openai' | 'openai-responses' | 'bedrock';

/** Secrets of others that were entrusted to Folio, such as tokens of servers, by name. Kept as keys are. */
export interface KeptSecrets {
  find(name: string): Promise<string | undefined>;
  keep(name: string, value: string): Promise<void>;
  drop(name: string): Promise<void>;
}
