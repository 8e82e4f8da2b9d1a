/* Authentication methods for the user of a client. */

import { type AuthMethod, type ClientCapabilities, RequestError } from '@agentclientprotocol/sdk';
import { ModelError } from '../../core/model.ts';
import { findHome } from '../../node/homeFolder.ts';
import { storedKeysOf } from '../../node/keyring/storedKeys.ts';
import { SystemKeyring } from '../../node/keyring/systemKeyring.ts';
import type { HeadlessArguments } from '../arguments.ts';
import { isProviderReady, openModelAccess } from '../runModels.ts';
import { type HeadlessPorts, makeHeadlessPorts, type RunOptions } from '../runPlace.ts';

const checkLimitMs = 15_000;

const environmentMethod: AuthMethod = {
  id: 'environment',
  name: 'API key in the environment',
  description:
    "Set GEMINI_API_KEY, ANTHROPIC_API_KEY (with --provider anthropic) or OPENAI_API_KEY (with --provider openai-responses) where your editor configures Folio's command, then start Folio again.",
};

const terminalMethod = {
  id: 'sign-in',
  name: 'Store an API key',
  description: "Asks for a key in a terminal, tries it, and stores it in this system's keyring.",
};
const terminalArgs = ['--sign-in'];

/** Offers a terminal to clients that support it, if there is a keyring. */
export function authMethods({ auth, _meta }: ClientCapabilities): AuthMethod[] {
  const hasTerminal = auth?.terminal || _meta?.['terminal-auth'] === true;
  if (!hasTerminal || !SystemKeyring.open(process.platform)) return [environmentMethod];
  // Older clients take the whole command from here.
  const [program = ''] = process.argv.slice(1);
  const command = { label: terminalMethod.name, command: process.execPath, args: [program, ...terminalArgs] };
  const terminal: AuthMethod = auth?.terminal
    ? { ...terminalMethod, type: 'terminal', args: terminalArgs }
    : { ...terminalMethod, _meta: { 'terminal-auth': command } };
  return [terminal, environmentMethod];
}

/** Keeps keys in the environment, which belong to the client. */
export async function logOut(): Promise<void> {
  const [home, { platform }] = [findHome(), process];
  const keyring = SystemKeyring.open(platform);
  if (home !== undefined && keyring) await storedKeysOf({ home, platform }).dropAll(keyring);
}

/** Throws the protocol error that makes a client offer the methods. */
export async function assertModelAvailable(
  args: HeadlessArguments,
  place: HeadlessPorts,
  notify: RunOptions['notify'],
): Promise<void> {
  if (!(await isProviderReady(args, place, place.settings))) await expectKey(args, place, notify);
}

/** Rejects with a protocol error if a key is missing, or its service rejects it. */
export async function authenticate(
  args: HeadlessArguments,
  methodId: string,
  notify: RunOptions['notify'],
): Promise<void> {
  // Some clients also request the terminal method after their terminal has run.
  if (![environmentMethod, terminalMethod].some(({ id }) => id === methodId))
    throw RequestError.invalidParams(undefined, `There is no way to sign in called ${methodId}.`);
  const place = await makeHeadlessPorts(args, { interactive: false, notify });
  try {
    await expectKey(args, place, notify);
  } finally {
    await Promise.all([place.containers, place.processes].map(each => each.dispose()));
    await place.observers.close();
  }
}

/** Accepts the key if its service is unreachable. */
async function expectKey(
  args: HeadlessArguments,
  place: HeadlessPorts,
  notify: RunOptions['notify'],
): Promise<void> {
  const { provider } = await openModelAccess(args, place, place.settings, notify);
  try {
    await provider.listModels(AbortSignal.timeout(checkLimitMs));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // The message is user-facing, since clients show nothing else.
    if (error.kind === 'auth')
      throw new RequestError(RequestError.authRequired().code, error.message, { kind: error.kind });
  }
}
