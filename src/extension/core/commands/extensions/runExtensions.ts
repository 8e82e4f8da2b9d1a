import { t } from '../../../../protocol/language.ts';
import type { EnablementScope } from '../../../platform/customizations/extensionFolders.ts';
import { CommandError } from '../../commandError.ts';
import { parseManifest } from '../../extensions/manifest.ts';
import type { CommandContext } from '../commands.ts';
import { askToAgree } from './agree.ts';
import { describeInstalled, describeNote } from './describeInstalled.ts';
import { installExtension } from './installExtension.ts';
import { type ExtensionArguments, parseExtensionArguments } from './parseExtensionArguments.ts';
import { runMarketplaceCommand } from './runMarketplaceCommand.ts';
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
  surface: CommandContext,
  verb: ExtensionVerb,
  argument: string,
): Promise<void> {
  const words = parseExtensionArguments(argument);
  const [name] = words.names;
  switch (verb) {
    case 'list':
      return list(surface);
    case 'explore':
      return explore(surface);
    case 'link':
      if (name === undefined) throw new CommandError(t('Add a folder: /extensions link FOLDER.'));
      return installExtension(surface, name, words, 'linked');
    case 'market':
      return runMarketplaceCommand(surface, words);
    case 'update':
      return updateExtensions(surface, words);
    case 'install':
      if (name === undefined) throw new CommandError(whatToInstall());
      return installExtension(surface, name, words);
    case 'enable':
    case 'disable':
      if (name === undefined) throw new CommandError(t('Add a name: /extensions {0} NAME.', verb));
      return switchExtension(surface, name, verb === 'enable' ? 'on' : 'off', words);
    case 'remove':
      if (name === undefined) throw new CommandError(t('Add a name: /extensions remove NAME.'));
      return removeExtension(surface, name, words);
  }
}

function whatToInstall(): string {
  return t(
    'Add what to install: /extensions install SOURCE. SOURCE is a folder, the address of a Git repository, or NAME@MARKET.',
  );
}

/** URLs of public lists, which are never fetched. */
const galleries = ['https://geminicli.com/extensions', 'https://github.com/topics/gemini-cli-extension'];

async function explore(surface: CommandContext): Promise<void> {
  const title = t('Find extensions');
  const how = t('Install one with `/extensions install ADDRESS`. You see what it contains first.');
  const lines = galleries.map(address => `- ${address}`).join('\n');
  await surface.user.show(title, `# ${title}\n\n${lines}\n\n${how}\n`);
  return runMarketplaceCommand(surface, { names: ['list'] });
}

async function list(surface: CommandContext): Promise<void> {
  const access = await surface.installed.extensions();
  await access.additions.refresh();
  await surface.user.show(t('Extensions'), await describeInstalled(await access.folders.list(), access));
}

async function switchExtension(
  surface: CommandContext,
  name: string,
  to: 'on' | 'off',
  { inWorkspace }: ExtensionArguments,
): Promise<void> {
  const { folders, additions } = await surface.installed.extensions();
  const installed = await folders.list();
  if (!installed.some(each => each.name === name)) throw new CommandError(notInstalled(name));
  const [folder] = surface.place().folders;
  if (inWorkspace && folder === undefined)
    throw new CommandError(t('No folder is open. Leave out --workspace.'));
  const scope: EnablementScope =
    inWorkspace && folder !== undefined ? { kind: 'folder', path: folder } : { kind: 'everywhere' };
  await folders.switch(name, to, scope);
  if (to === 'on' && additions.switchedOff.includes(name)) await additions.switch([name], 'on');
  await additions.refresh();
  const entry = additions.all.list.find(({ item }) => item.kind === 'extension' && item.name === name);
  if (to === 'on' && entry?.state === 'disabled')
    throw new CommandError(
      t(
        'The extension {0} is still disabled by the setting folio.disabled. Remove it from that setting in ~/.gemini/settings.json.',
        name,
      ),
    );
  surface.user.answer(inWorkspace ? describeSwitchedHere(name, to) : describeSwitchedEverywhere(name, to));
}

function describeSwitchedHere(name: string, to: 'on' | 'off'): string {
  return to === 'on'
    ? t('The extension {0} is enabled in this workspace.', name)
    : t('The extension {0} is disabled in this workspace.', name);
}

function describeSwitchedEverywhere(name: string, to: 'on' | 'off'): string {
  return to === 'on'
    ? t('The extension {0} is enabled everywhere.', name)
    : t('The extension {0} is disabled everywhere.', name);
}

async function removeExtension(
  surface: CommandContext,
  name: string,
  words: ExtensionArguments,
): Promise<void> {
  const { folders, additions } = await surface.installed.extensions();
  const installed = await folders.list();
  const found = installed.find(each => each.name === name);
  if (!found) throw new CommandError(notInstalled(name));
  const source = describeNote(found.note);
  const question = {
    sentence: t('Remove the extension {0}?', name),
    text:
      found.note?.type === 'link'
        ? t('It is {0}. Only the link is removed. The folder that it leads to stays.', source)
        : t(
            'It is {0}. This deletes its folder and everything in it, including its .env, and the secrets stored for it.',
            source,
          ),
    button: t('Remove'),
  };
  await askToAgree(surface, words, question, t('The extension {0} was not removed.', name));
  await additions.refresh();
  const item = additions.all.list.find(
    each => each.item.kind === 'extension' && each.item.name === name,
  )?.item;
  const manifest = item && parseManifest(item).manifest;
  if (manifest) await additions.extensions.forget(manifest);
  await folders.remove(name);
  await additions.refresh();
  surface.user.answer(t('The extension {0} is removed.', name));
}
