/* `/extensions`: what is installed, and how it is changed. */

import { oneLine } from '../../../base/text.ts';
import { ExtensionTrouble } from '../../../platform/extensionFolders.ts';
import { type CommandSurface, type Refusal, refuse } from '../commands.ts';
import { describeInstalled } from './describeInstalled.ts';
import { installExtension } from './installExtension.ts';
import { parseWords, type Words } from './parseWords.ts';
import { removeExtension } from './removeExtension.ts';
import { runMarket } from './runMarket.ts';
import { switchExtension } from './switchExtension.ts';
import { updateExtensions } from './updateExtensions.ts';

export async function runExtensions(surface: CommandSurface, argument: string): Promise<Refusal | undefined> {
  const words = parseWords(argument);
  if ('sentence' in words) return words;
  try {
    return await carryOut(surface, words);
  } catch (error) {
    if (error instanceof ExtensionTrouble) return refuse(error.message);
    throw error;
  }
}

async function carryOut(surface: CommandSurface, words: Words): Promise<Refusal | undefined> {
  const [name] = words.names;
  switch (words.verb) {
    case '':
    case 'list':
      return list(surface);
    case 'install':
      return name === undefined
        ? refuse(
            'Say what to install: /extensions install SOURCE, a folder, the address of a Git repository, or NAME@MARKET.',
          )
        : installExtension(surface, name, words);
    case 'market':
      return runMarket(surface, words);
    case 'update':
      return updateExtensions(surface, words);
    case 'enable':
    case 'disable':
    case 'remove':
      if (name === undefined) return refuse(`Say which: /extensions ${words.verb} NAME.`);
      if (words.verb === 'remove') return removeExtension(surface, name, words);
      return switchExtension(surface, name, words.verb === 'enable' ? 'on' : 'off', words);
    default:
      return refuse(
        `/extensions does not know “${oneLine(words.verb, 40)}”: use list, install SOURCE, update, enable, disable or remove NAME, or market.`,
      );
  }
}

async function list(surface: CommandSurface): Promise<undefined> {
  const { folders, additions } = await surface.extensions();
  await additions.refresh();
  await surface.show('Extensions', describeInstalled(await folders.list(), additions));
}
