import { lm } from 'vscode';
import type { ProviderName } from '../../platform/settings.ts';

export interface ReadinessParts {
  readonly apiKey: (provider: ProviderName) => Promise<string | undefined>;
  readonly baseUrl: (provider: ProviderName) => string;
  readonly hasGoogleCredentials: () => Promise<boolean>;
}

/** Whether there is what a provider's request needs. Loads none of their code. */
export function readiness({ apiKey, baseUrl, hasGoogleCredentials }: ReadinessParts) {
  return async (provider: ProviderName): Promise<boolean> => {
    switch (provider) {
      case 'gemini':
        return (await apiKey(provider)) !== undefined;
      case 'openai':
        // A server of one's own may need no key.
        return baseUrl(provider) !== '' || (await apiKey(provider)) !== undefined;
      case 'vertex':
        return hasGoogleCredentials();
      case 'vscode':
        return (await lm.selectChatModels()).length > 0;
    }
  };
}
