import { autoModel } from '../../protocol/routing.ts';
import { messageOf } from '../base/errors.ts';
import { nearestNames } from '../base/similarity.ts';
import { entraScope, readEntraToken } from '../compose/entraToken.ts';
import { type ModelAccess, resolveModelName } from '../compose/modelAccess.ts';
import { scaleInThread } from '../compose/scaleInThread.ts';
import { describeUnlisted } from '../core/commands/matchModelName.ts';
import { ModelError, type ModelInfo, type ModelProvider } from '../core/model.ts';
import { chosenModelSettings, chosenProvider } from '../models/chosenProvider.ts';
import { providerReadinessCheck } from '../models/providerReadiness.ts';
import { configuredAddress, providers } from '../models/providers.ts';
import { noteAddressOption } from '../models/wire/addressAdvice.ts';
import { hasAwsCredentials } from '../node/awsCredentialFiles.ts';
import { AzureCommandLine } from '../node/azureCommandLine.ts';
import { EnvironmentKeys } from '../node/environmentKeys.ts';
import { hasGoogleCredentials } from '../node/googleCredentialFiles.ts';
import { NodeTransport } from '../node/http/nodeTransport.ts';
import { storedKeysOf } from '../node/keyring/storedKeys.ts';
import type { ProgramFinder } from '../node/processes/programs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Machine } from '../platform/machine.ts';
import { otherProviders } from '../platform/modelNames.ts';
import type { ProviderName, Settings } from '../platform/settings.ts';
import { type HeadlessArguments, UsageError } from './arguments.ts';
import { readReplay, withRecording } from './traffic.ts';

/** The machine and clock of the run. */
interface AccessPlace {
  readonly machine: Machine;
  readonly clock: Clock;
  readonly programs: ProgramFinder;
}

/** Reports a model that the provider does not list. */
export async function openModelAccess(
  args: HeadlessArguments,
  place: AccessPlace,
  settings: Settings,
  notify: (sentence: string) => void,
): Promise<ModelAccess> {
  const name = settings.get('provider');
  if (name === 'vscode')
    throw new UsageError("VS Code's own models need a window. Choose another provider with --provider.");
  const chosen = openProvider(name, args.baseUrl, place, settings);
  const provider =
    args.replay === undefined ? await withRecording(chosen, args, notify) : await readReplay(args.replay);
  // Other providers' context sizes are known without a request.
  const isAsked = name.startsWith('openai') || !isKnownModel(name, settings.get('model'));
  const others = otherProviders(settings);
  const access = { name, others, provider, models: isAsked ? await readModels(provider) : [] };
  reportUnlisted(resolveModelName(settings.get('model'), access, settings), access.models, notify);
  return access;
}

/** Returns whether any model could answer: its provider has everything that a request needs. Sends no request. */
export async function isProviderReady(
  { baseUrl, replay }: Pick<HeadlessArguments, 'baseUrl' | 'replay'>,
  place: AccessPlace,
  settings: Settings,
): Promise<boolean> {
  if (replay !== undefined) return true;
  const name = settings.get('provider');
  const { env } = place.machine;
  const addressFor = addressesOf(name, baseUrl, settings, env);
  const isReady = providerReadinessCheck(addressFor, keysOf(place, settings, addressFor), {
    google: () => hasGoogleCredentials(env),
    aws: () => hasAwsCredentials(env),
    vscode: async () => false,
  });
  const ready = await Promise.all([name, ...otherProviders(settings)].map(isReady));
  return ready.some(Boolean);
}

/** A provider with another key, for testing the key. */
export function providerWithKey(
  name: ProviderName,
  key: string,
  { baseUrl }: Pick<HeadlessArguments, 'baseUrl'>,
  { machine, clock, settings }: ProviderPlace,
): ModelProvider {
  return makeProvider(
    { machine, clock, settings },
    {
      provider: () => name,
      others: () => [],
      apiKey: async () => key,
      baseUrl: addressesOf(name, baseUrl, settings, machine.env),
    },
  );
}

type ProviderPlace = Pick<AccessPlace, 'machine' | 'clock'> & { readonly settings: Settings };

function makeProvider(
  { machine, clock, settings }: ProviderPlace,
  chosen: Pick<Parameters<typeof chosenProvider>[0], 'provider' | 'others' | 'apiKey' | 'baseUrl'>,
): ModelProvider {
  return chosenProvider({
    ...chosen,
    newId: () => clock.newId(),
    transport: new NodeTransport(),
    scalePicture: scaleInThread,
    ...chosenModelSettings(settings, machine.env),
  });
}

/** A service's address must not be used with another service's key. */
function addressesOf(
  name: ProviderName,
  address: string | undefined,
  settings: Settings,
  env: Machine['env'],
): (provider: ProviderName) => string {
  return provider => (provider === name && address ? address : configuredAddress(provider, settings, env));
}

function openProvider(
  name: ProviderName,
  address: string | undefined,
  place: AccessPlace,
  settings: Settings,
): ModelProvider {
  const { env } = place.machine;
  if (address) noteAddressOption(address, '--base-url');
  const baseUrl = addressesOf(name, address, settings, env);
  return makeProvider(
    { ...place, settings },
    {
      provider: () => name,
      others: () => otherProviders(settings),
      apiKey: keysOf(place, settings, baseUrl),
      baseUrl,
    },
  );
}

function noKey(error: unknown): never {
  throw new ModelError('auth', () => messageOf(error), { retryable: false, cause: error });
}

/** The key of a provider, or its substitute. */
function keysOf(
  { machine, clock, programs }: AccessPlace,
  settings: Settings,
  baseUrl: (provider: ProviderName) => string,
): (provider: ProviderName) => Promise<string | undefined> {
  const { env } = machine;
  const apiKeys = new EnvironmentKeys(env);
  const stored = storedKeysOf(machine);
  const azure = new AzureCommandLine(() => clock.now(), programs);
  return async provider => {
    if (provider === 'openai-responses' && settings.get('openaiResponses.signIn') === 'entra')
      return readEntraToken({
        env,
        address: () => baseUrl(provider),
        ask: () => azure.read(entraScope),
        advice: () => 'Run "az login", or set AZURE_OPENAI_AD_TOKEN, then retry.',
      });
    const { keyName } = providers[provider];
    return keyName && ((await apiKeys.read(keyName)) ?? (await stored.read(keyName).catch(noKey)));
  };
}

/** The provider is known to have the model, without a request. */
function isKnownModel(provider: ProviderName, model: string): boolean {
  const { resolve, knownModels } = providers[provider];
  const id = resolve(model, []);
  // Google lists only its own models, and at Amazon many users may not list any.
  if (/^(vertex|bedrock)$/.test(provider) && /(^|\.)claude-/.test(id)) return true;
  return id === autoModel || knownModels.some(known => known.id === id);
}

/**
 * Lists are often incomplete, so the run continues. The text after a colon names a variant, which few lists contain.
 */
function reportUnlisted(id: string, listed: readonly ModelInfo[], notify: (sentence: string) => void): void {
  const base = (name: string) => name.split(':')[0];
  if (id === autoModel || listed.length === 0 || listed.some(each => base(each.id) === base(id))) return;
  const near = nearestNames(
    id,
    listed.map(each => each.id),
  );
  notify(describeUnlisted({ kind: 'unlisted', id, near }));
}

/** Only a server's list reports the context size. Without it, the settings apply. */
export async function readModels(provider: ModelProvider): Promise<readonly ModelInfo[]> {
  try {
    return await provider.listModels(AbortSignal.timeout(5000));
  } catch {
    // The first request will report the server's error.
    return [];
  }
}
