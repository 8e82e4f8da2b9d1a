/* The subcommands of `/extensions`. */

import { t } from '../../../../protocol/language.ts';
import { ExtensionError, type SwitchScope } from '../../../platform/customizations/extensionFolders.ts';
import type { CommandSurface } from '../commands.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { describeInstalled } from './describeInstalled.ts';
import { installExtension } from './installExtension.ts';
import { parseWords, type Words } from './parseWords.ts';
import { removeExtension } from './removeExtension.ts';
import { runMarket } from './runMarket.ts';
import { notInstalled, updateExtensions } from './updateExtensions.ts';

export type ExtensionVerb =
  | 'list'
  | 'install'
  | 'link'
  | 'update'
  | 'enable'
  | 'disable'
  | 'remove'
  | 'market'
  | 'explore';

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
    if (error instanceof ExtensionError) return refuse(error.message);
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
    case 'explore':
      return explore(surface);
    case 'link':
      return name === undefined
        ? refuse(t('Say which folder: /extensions link FOLDER.'))
        : installExtension(surface, name, words, 'linked');
    case 'market':
      return runMarket(surface, words);
    case 'update':
      return updateExtensions(surface, words);
    case 'install':
      return name === undefined ? refuse(whatToInstall()) : installExtension(surface, name, words);
    case 'enable':
    case 'disable':
      if (name === undefined) return refuse(t('Say which: /extensions {0} NAME.', verb));
      return switchExtension(surface, name, verb === 'enable' ? 'on' : 'off', words);
    case 'remove':
      return name === undefined
        ? refuse(t('Say which: /extensions remove NAME.'))
        : removeExtension(surface, name, words);
  }
}

function whatToInstall(): string {
  return t(
    'Say what to install: /extensions install SOURCE, a folder, the address of a Git repository, or NAME@MARKET.',
  );
}

/** Addresses of lists that others keep; nothing is fetched from there. */
const galleries = ['https://geminicli.com/extensions', 'https://github.com/topics/gemini-cli-extension'];

async function explore(surface: CommandSurface): Promise<Refusal | undefined> {
  const title = t('Find extensions');
  const how = t('Install one by `/extensions install ADDRESS`: what it brings is shown to you first.');
  const lines = galleries.map(address => `- ${address}`).join('\n');
  await surface.user.show(title, `# ${title}\n\n${lines}\n\n${how}\n`);
  return runMarket(surface, { names: ['list'] });
}

async function list(surface: CommandSurface): Promise<undefined> {
  const access = await surface.installed.extensions();
  await access.additions.refresh();
  await surface.user.show(t('Extensions'), await describeInstalled(await access.folders.list(), access));
}

async function switchExtension(
  surface: CommandSurface,
  name: string,
  to: 'on' | 'off',
  { inWorkspace }: Words,
): Promise<Refusal | undefined> {
  const { folders, additions } = await surface.installed.extensions();
  const installed = await folders.list();
  if (!installed.some(each => each.name === name)) return refuse(notInstalled(name));
  const [folder] = surface.place().folders;
  if (inWorkspace && folder === undefined)
    return refuse(t('No folder is open that it could be switched in. Leave --workspace out.'));
  const scope: SwitchScope =
    inWorkspace && folder !== undefined ? { kind: 'folder', path: folder } : { kind: 'everywhere' };
  await folders.switch(name, to, scope);
  if (to === 'on' && additions.switchedOff.includes(name)) await additions.switch([name], 'on');
  await additions.refresh();
  const entry = additions.all.list.find(({ item }) => item.kind === 'extension' && item.name === name);
  if (to === 'on' && entry?.state === 'disabled')
    return refuse(
      t(
        'The extension {0} still does not count: the setting folio.disabled names it. Take it out of ~/.gemini/settings.json.',
        name,
      ),
    );
  surface.user.answer(inWorkspace ? describeSwitchedHere(name, to) : describeSwitchedEverywhere(name, to));
  return undefined;
}

function describeSwitchedHere(name: string, to: 'on' | 'off'): string {
  return to === 'on'
    ? t('The extension {0} is switched on in this workspace.', name)
    : t('The extension {0} is switched off in this workspace.', name);
}

function describeSwitchedEverywhere(name: string, to: 'on' | 'off'): string {
  return to === 'on'
    ? t('The extension {0} is switched on everywhere.', name)
    : t('The extension {0} is switched off everywhere.', name);
}
