import type { ProviderName } from '../platform/settings.ts';

/** Returns whether a provider has everything that a request needs. Loads none of the provider's code. */
export function providerReadinessCheck(
  baseUrl: (provider: ProviderName) => string,
  apiKey: (provider: ProviderName) => Promise<string | undefined>,
  has: Readonly<Record<'google' | 'aws' | 'vscode', () => Promise<boolean>>>,
) {
  return async (provider: ProviderName): Promise<boolean> => {
    switch (provider) {
      case 'gemini':
        return (await apiKey(provider)) !== undefined;
      case 'anthropic':
      case 'openai':
      case 'openai-responses':
        // A self-hosted server may need no key.
        return baseUrl(provider) !== '' || (await apiKey(provider)) !== undefined;
      case 'vertex':
        return has.google();
      case 'bedrock':
        return (await apiKey(provider)) !== undefined || has.aws();
      case 'vscode':
        return has.vscode();
    }
  };
}
