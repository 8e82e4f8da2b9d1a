/** Keys of services. Never written to settings, journal, log or webview. */
export interface Secrets {
  read(name: SecretName): Promise<string | undefined>;
}

export type SecretName = 'gemini' | 'openai';
