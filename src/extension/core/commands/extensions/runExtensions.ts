/* What the words behind `/extensions` do. */

import { ExtensionTrouble } from '../../../platform/customizations/extensionFolders.ts';
import { type CommandSurface, type Refusal, refuse } from '../commands.ts';
import { describeInstalled } from './describeInstalled.ts';
import { installExtension } from './installExtension.ts';
import { parseWords, type Words } from './parseWords.ts';
import { removeExtension } from './removeExtension.ts';
import { runMarket } from './runMarket.ts';
import { switchExtension } from './switchExtension.ts';
import { updateExtensions } from './updateExtensions.ts';

export type ExtensionVerb = 'list' | 'install' | 'update' | 'enable' | 'disable' | 'remove' | 'market';

export async function runExtensions(
  surface: CommandSurface,
  verb: ExtensionVerb,
  argument: string,
): Promise<Refusal | undefined> {
  const words = parseWords(argument);
  if ('sentence' in words) return words;
  try {
    return await carryOut(surface, verb, words);
  } catch (error) {
    if (error instanceof ExtensionTrouble) return refuse(error.message);
    throw error;
  }
}

async function carryOut(
  surface: CommandSurface,
  verb: ExtensionVerb,
  words: Words,
): Promise<Refusal | undefined> {
  const [name] = words.names;
  switch (verb) {
    case 'list':
      return list(surface);
    case 'market':
      return runMarket(surface, words);
    case 'update':
      return updateExtensions(surface, words);
    case 'install':
      return name === undefined ? refuse(whatToInstall) : installExtension(surface, name, words);
    case 'enable':
    case 'disable':
      if (name === undefined) return refuse(`Say which: /extensions ${verb} NAME.`);
      return switchExtension(surface, name, verb === 'enable' ? 'on' : 'off', words);
    case 'remove':
      return name === undefined
        ? refuse('Say which: /extensions remove NAME.')
        : removeExtension(surface, name, words);
  }
}

const whatToInstall =
  'Say what to install: /extensions install SOURCE, a folder, the address of a Git repository, or NAME@MARKET.';

async function list(surface: CommandSurface): Promise<undefined> {
  const { folders, additions } = await surface.extensions();
  await additions.refresh();
  await surface.show('Extensions', describeInstalled(await folders.list(), additions));
}
