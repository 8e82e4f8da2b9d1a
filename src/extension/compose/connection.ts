import { authentication, lm } from 'vscode';
import { t } from '../../protocol/language.ts';
import type { ModelProvider } from '../core/model.ts';
import { chosenModelSettings, chosenProvider } from '../models/chosenProvider.ts';
import { providerReadinessCheck } from '../models/providerReadiness.ts';
import { configuredAddress, providers } from '../models/providers.ts';
import { hasAwsCredentials } from '../node/awsCredentialFiles.ts';
import { hasGoogleCredentials } from '../node/googleCredentialFiles.ts';
import { otherProviders } from '../platform/modelNames.ts';
import type { ProviderName } from '../platform/settings.ts';
import { type Endpoint, ModelConnection, type ModelConnectionParts } from '../vscode/modelConnection.ts';
import { FetchTransport } from '../vscode/ports/fetchTransport.ts';
import type { WindowPorts } from './ports.ts';
import { scaleInThread } from './scaleInThread.ts';

export function composeConnection(ports: WindowPorts): ModelConnection {
  const { log, settings, apiKeys, keyless, env } = ports;
  const baseUrl = (provider: ProviderName) => configuredAddress(provider, settings, env);
  const apiKey = async (provider: ProviderName) => {
    if (provider === 'openai-responses' && settings.get('openaiResponses.signIn') === 'entra')
      return microsoftToken(env, () => baseUrl(provider));
    const { keyName } = providers[provider];
    return keyName && !keyless.is(baseUrl(provider)) ? apiKeys.read(keyName) : undefined;
  };
  return new ModelConnection({
    log,
    baseUrl,
    apiKey,
    provider: () => settings.get('provider'),
    others: () => otherProviders(settings),
    isReady: providerReadinessCheck(baseUrl, apiKey, credentialsOf(env)),
    knownModels: provider => {
      const { knownModels } = providers[provider];
      return settings.restrictions?.pickModels(provider, knownModels) ?? knownModels;
    },
    loadPrices: () => loadPrices(ports),
    createProvider: endpoint => createProvider(endpoint, ports),
    startRehearsal: async () => (await import('../rehearsal/rehearsal.ts')).startRehearsal(),
  });
}

async function loadPrices({ settings, clock }: WindowPorts): ReturnType<ModelConnectionParts['loadPrices']> {
  const { PriceCalculator } = await import('../models/prices.ts');
  const prices = new PriceCalculator(() => settings.get('prices'), clock);
  return (provider, models) => prices.withPrices(provider, models);
}

function credentialsOf(env: WindowPorts['env']) {
  return {
    google: () => hasGoogleCredentials(env),
    aws: () => hasAwsCredentials(env),
    vscode: async () => (await lm.selectChatModels()).length > 0,
  };
}

/** VS Code stores the account and renews the token. It asks the user once. */
export async function microsoftToken(env: WindowPorts['env'], address: () => string): Promise<string> {
  const { entraScope, readEntraToken } = await import('./entraToken.ts');
  const ask = async () => {
    const session = await authentication.getSession('microsoft', [entraScope], { createIfNone: true });
    return session.accessToken;
  };
  const advice = () =>
    t('Sign in to Microsoft with the account menu of VS Code, or set AZURE_OPENAI_AD_TOKEN, then retry.');
  return readEntraToken({ env, address, ask, advice });
}

function createProvider(endpoint: Endpoint, { clock, settings, env }: WindowPorts): ModelProvider {
  const newId = () => clock.newId();
  return chosenProvider({
    ...endpoint,
    newId,
    transport: new FetchTransport(),
    scalePicture: scaleInThread,
    ...chosenModelSettings(settings, env),
    // A rehearsal contacts no provider.
    restrictions: () => (endpoint.isRehearsal?.() ? undefined : settings.restrictions),
    loadVscode: () => loadLanguageModels(newId),
  });
}

async function loadLanguageModels(newId: () => string): Promise<ModelProvider> {
  const { createLanguageModelProvider } = await import('../vscode/languageModels/languageModelProvider.ts');
  const { vscodeLanguageModels } = await import('../vscode/languageModels/vscodeLanguageModels.ts');
  return createLanguageModelProvider(vscodeLanguageModels, newId);
}
