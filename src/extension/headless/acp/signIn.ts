/* Stores the key of a model service in the system's keyring, for headless runs. */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { messageOf } from '../../base/errors.ts';
import { detectKeyFormat } from '../../base/keyForms.ts';
import { NodeServerFiles } from '../../node/customizations/nodeServerFiles.ts';
import { keyVariable } from '../../node/environmentKeys.ts';
import { openKeyring, storedKeysOf } from '../../node/keyring/storedKeys.ts';
import type { StoredSecrets } from '../../platform/secrets.ts';
import { type HeadlessArguments, RunRefusal } from '../arguments.ts';
import type { Printer } from '../output.ts';
import { providerWithKey } from '../runModels.ts';
import { type HeadlessPorts, makeHeadlessPorts } from '../runPlace.ts';

const checkLimitMs = 15_000;

const services = {
  gemini: 'Gemini (aistudio.google.com/apikey)',
  anthropic: 'Claude (platform.claude.com/settings/keys)',
  'openai-responses': 'GPT models (platform.openai.com/api-keys)',
} as const;

type ServiceName = keyof typeof services;

/** Asks for a key in the terminal, tests it, and stores it. Throws `RunRefusal` if anything prevents that. */
export async function signIn(args: HeadlessArguments, printer: Printer, signal: AbortSignal): Promise<void> {
  const place = await makeHeadlessPorts(args, { interactive: true, notify: printer.error });
  try {
    const keyring = await expectKeyring(place);
    if (!process.stdin.isTTY) throw new RunRefusal('--sign-in asks for a key in a terminal: run it in one.');
    const { key, name } = await askKey(signal);
    await tryKey(name, key, args, place);
    await storedKeysOf(place.machine)
      .keep(keyring, name, key)
      .catch((error: unknown) => {
        throw notStored(`${messageOf(error)}. Set the variable ${keyVariable(name)} instead.`);
      });
    printer.out(`The key for ${services[name]} is stored in the keyring of this system.\n`);
    await useProvider(name, args, place, printer);
  } finally {
    await closePlace(place);
  }
}

/** Removes every stored key. */
export async function signOut(args: HeadlessArguments, printer: Printer): Promise<void> {
  const place = await makeHeadlessPorts(args, { interactive: true, notify: printer.error });
  try {
    const names = await storedKeysOf(place.machine).dropAll(await expectKeyring(place));
    printer.out(names.length > 0 ? `Removed: ${names.join(', ')}.\n` : 'No key is stored.\n');
  } finally {
    await closePlace(place);
  }
}

async function closePlace({ containers, processes, observers }: HeadlessPorts): Promise<void> {
  await Promise.all([containers.dispose(), processes.dispose(), observers.close()]);
}

async function expectKeyring({ machine }: HeadlessPorts): Promise<StoredSecrets> {
  const keyring = await openKeyring(machine.platform);
  if (keyring) return keyring;
  const how =
    machine.platform === 'linux' ? ' Install secret-tool (package libsecret-tools), or set' : ' Set';
  throw new RunRefusal(`Folio knows no keyring on this system.${how} a variable such as GEMINI_API_KEY.`);
}

/** Hides the typed key. */
async function askKey(signal: AbortSignal): Promise<{ readonly key: string; readonly name: ServiceName }> {
  const { stdin, stdout } = process;
  let isHidden = true;
  const output = outputUnless(() => isHidden);
  const lines = createInterface({ input: stdin, output, terminal: true });
  const left = new AbortController();
  lines.once('SIGINT', () => left.abort()).once('close', () => left.abort());
  const ask = async (question: string) => {
    const both = AbortSignal.any([signal, left.signal]);
    const answer = await lines.question(question, { signal: both }).catch(() => '');
    if (answer.trim() === '') throw new RunRefusal('Nothing was stored.');
    return answer.trim();
  };
  try {
    stdout.write(`Folio takes API keys for ${Object.values(services).join(', ')}.\nKey (it is not shown): `);
    const key = await ask('');
    stdout.write('\n');
    isHidden = false;
    const name = serviceOf(key) ?? (await ask(`Whose key is it (${Object.keys(services).join(', ')})? `));
    if (!isService(name)) throw new RunRefusal(`Folio knows no service called ${name}. Nothing was stored.`);
    return { key, name };
  } finally {
    lines.close();
  }
}

function outputUnless(isHidden: () => boolean): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => (isHidden() ? done() : void process.stdout.write(chunk, () => done())),
  });
}

function isService(name: string): name is ServiceName {
  return Object.hasOwn(services, name);
}

/** Detects the service by the key's form. Returns `undefined` if it is ambiguous. */
function serviceOf(key: string): ServiceName | undefined {
  const owner = detectKeyFormat(key);
  if (owner === 'bedrock')
    throw new RunRefusal(
      'A key for Amazon Bedrock is read from the variable AWS_BEARER_TOKEN_BEDROCK alone.',
    );
  return owner === 'openai' ? 'openai-responses' : owner;
}

async function tryKey(
  name: ServiceName,
  key: string,
  args: HeadlessArguments,
  place: HeadlessPorts,
): Promise<void> {
  try {
    await providerWithKey(name, key, args, place).listModels(AbortSignal.timeout(checkLimitMs));
  } catch (error) {
    throw notStored(messageOf(error));
  }
}

function notStored(reason: string): RunRefusal {
  return new RunRefusal(`The key was not stored. ${reason}`);
}

/** Reports settings that take precedence over it. */
async function useProvider(
  name: ServiceName,
  args: HeadlessArguments,
  { settings, files, machine, folders }: HeadlessPorts,
  printer: Printer,
): Promise<void> {
  if (machine.env[keyVariable(name)]) printer.out(`${keyVariable(name)} counts before it.\n`);
  if (settings.get('provider') === name) return;
  if (args.provider !== undefined || settings.managedNames.includes('provider'))
    return printer.out(`To use it, run with --provider ${name}.\n`);
  const own = new NodeServerFiles(files, { home: machine.home, folders: () => folders });
  await own.put('person', ['folio', 'provider'], name).catch((error: unknown) => {
    throw new RunRefusal(`To use it, run with --provider ${name}. ${messageOf(error)}`);
  });
  printer.out(`New sessions use it: folio.provider in ${own.path('person')} is "${name}" now.\n`);
}
