import type { ModelProvider } from '../core/model.ts';
import { chosenProvider } from '../models/chosenProvider.ts';
import { addressOf, providers, vertexPlace } from '../models/providers.ts';
import { hasGoogleCredentials } from '../node/googleCredentialFiles.ts';
import type { ProviderName } from '../platform/settings.ts';
import { Connection } from '../vscode/connection.ts';
import { readiness } from '../vscode/languageModels/readiness.ts';
import type { Ports } from './ports.ts';

export function composeConnection(ports: Ports): Connection {
  const { log, settings, secrets, keyless, clock, env: environment } = ports;
  const newId = () => clock.newId();
  const baseUrl = (provider: ProviderName) => addressOf(provider, settings, environment);
  const apiKey = async (provider: ProviderName) => {
    const { secret } = providers[provider];
    return secret && !keyless.is(baseUrl(provider)) ? secrets.read(secret) : undefined;
  };
  return new Connection({
    log,
    baseUrl,
    apiKey,
    provider: () => settings.get('provider'),
    isReady: readiness({
      baseUrl,
      apiKey,
      hasGoogleCredentials: () => hasGoogleCredentials(environment),
    }),
    knownModels: provider => providers[provider].knownModels,
    createProvider: endpoint =>
      chosenProvider({
        ...endpoint,
        newId,
        contextLimit: () => settings.get('openai.contextLimit'),
        vertex: vertexPlace(settings, environment),
        loadVscode: () => loadLanguageModels(newId),
      }),
    startRehearsal: async () => (await import('../rehearsal/rehearsal.ts')).startRehearsal(),
  });
}

/** The models that other extensions offer. */
async function loadLanguageModels(newId: () => string): Promise<ModelProvider> {
  const { createLanguageModelProvider } = await import('../vscode/languageModels/languageModelProvider.ts');
  const { vscodeLanguageModels } = await import('../vscode/languageModels/vscodeLanguageModels.ts');
  return createLanguageModelProvider(vscodeLanguageModels, newId);
}
