/* Manages Folio's extensions from the palette, by picks that end in `/extensions …`. Loaded on first use. */

import { commands, type QuickPickItem, QuickPickItemKind, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { isAbortError } from '../../../base/errors.ts';
import { escapeInvisibleText } from '../../../base/hiddenText.ts';
import { oneLine } from '../../../base/text.ts';
import type { ExtensionAccess } from '../../../core/commands/commands.ts';
import {
  describeListedExtension,
  enabledNamesOf,
  listContents,
} from '../../../core/commands/extensions/describeInstalled.ts';
import { quoteWord } from '../../../core/commands/template/words.ts';
import type { LoadedCustomizations } from '../../../core/customizations/loadedCustomizations.ts';
import type { InstalledExtensionFolder } from '../../../platform/customizations/extensionFolders.ts';
import type { PromptCommands } from './promptCommands.ts';

interface Choice extends QuickPickItem {
  /** Asks for the arguments of `/extensions`; `undefined` if the user left. */
  readonly choose: () => Promise<string | undefined>;
}

const title = () => t('Extensions of the agent');

export async function manageExtensions(
  promptCommands: Pick<PromptCommands, 'run'>,
  access: ExtensionAccess,
): Promise<void> {
  const { additions, folders } = access;
  await additions.refresh();
  const [installed, names] = await Promise.all([folders.list(), enabledNamesOf(access)]);
  const choices = [...general(installed), ...installed.map(each => toChoice(each, additions, names))];
  const picked = await window.showQuickPick<Choice>(choices, {
    title: title(),
    placeHolder: t('Install one, or choose one to update, enable, disable or remove it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const words = await picked?.choose();
  if (words === undefined) return;
  try {
    const refusal = await promptCommands.run(`/extensions ${words}`);
    if (refusal !== undefined) void window.showWarningMessage(refusal);
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

function general(installed: readonly InstalledExtensionFolder[]): readonly Choice[] {
  const update: Choice = { label: `$(sync) ${t('Update all')}`, choose: async () => 'update' };
  const heading: Choice = {
    label: t('Installed'),
    kind: QuickPickItemKind.Separator,
    choose: async () => undefined,
  };
  return [
    { label: `$(folder) ${t('Install from a folder…')}`, choose: pickFolder },
    { label: `$(repo-clone) ${t('Install from a Git repository…')}`, choose: enterAddress },
    ...(installed.length > 0 ? [update, heading] : []),
  ];
}

async function pickFolder(): Promise<string | undefined> {
  const [folder] =
    (await window.showOpenDialog({
      title: t('The folder of an extension'),
      canSelectFolders: true,
      canSelectFiles: false,
      openLabel: t('Review'),
    })) ?? [];
  return folder && `install ${quoteWord(folder.fsPath)}`;
}

async function enterAddress(): Promise<string | undefined> {
  const address = await window.showInputBox({
    title: t('{0}: address (1 of 2)', title()),
    prompt: t(
      'The address of a Git repository. Folio fetches it and shows its contents. Nothing runs before you agree.',
    ),
    placeHolder: 'https://…',
    ignoreFocusOut: true,
  });
  if (!address?.trim()) return undefined;
  const ref = await window.showInputBox({
    title: t('{0}: branch, tag or commit (2 of 2)', title()),
    prompt: t('Leave it empty to use the default branch of the repository.'),
    ignoreFocusOut: true,
  });
  if (ref === undefined) return undefined;
  const own = `install ${quoteWord(address.trim())}`;
  return ref.trim() === '' ? own : `${own} --ref ${quoteWord(ref.trim())}`;
}

function toChoice(
  installed: InstalledExtensionFolder,
  additions: LoadedCustomizations,
  names: Awaited<ReturnType<typeof enabledNamesOf>>,
): Choice {
  const { name } = installed;
  return {
    label: `$(extensions) ${oneLine(escapeInvisibleText(name), 80)}`,
    description: oneLine(escapeInvisibleText(describeListedExtension(installed, additions).join(' · ')), 160),
    detail: oneLine(escapeInvisibleText(listContents(installed, additions, names)), 400),
    choose: () => pickAction(name, additions),
  };
}

async function pickAction(
  name: string,
  { all, extensions }: LoadedCustomizations,
): Promise<string | undefined> {
  const own = quoteWord(name);
  const state = all.list.find(({ item }) => item.kind === 'extension' && item.name === name)?.state;
  const asks = extensions.list.some(({ manifest }) => manifest.name === name && manifest.settings.length > 0);
  const setUp: Choice = {
    label: `$(settings) ${t('Enter what it needs to know…')}`,
    choose: async () => void (await commands.executeCommand('folio.setUpExtension', name)),
  };
  const picked = await window.showQuickPick<Choice>(
    [
      says(`$(sync) ${t('Update')}`, `update ${own}`),
      ...(state === 'disabled' ? switches('on', `enable ${own}`) : switches('off', `disable ${own}`)),
      ...(asks ? [setUp] : []),
      says(`$(trash) ${t('Remove')}`, `remove ${own}`),
    ],
    { title: oneLine(escapeInvisibleText(name), 80), placeHolder: t('What to do with it') },
  );
  return picked?.choose();
}

function switches(to: 'on' | 'off', words: string): readonly Choice[] {
  const icon = to === 'on' ? 'check' : 'circle-slash';
  const everywhere = says(
    `$(${icon}) ${to === 'on' ? t('Enable everywhere') : t('Disable everywhere')}`,
    words,
  );
  if (!workspace.workspaceFolders) return [everywhere];
  return [
    says(
      `$(${icon}) ${to === 'on' ? t('Enable in this workspace') : t('Disable in this workspace')}`,
      `${words} --workspace`,
    ),
    everywhere,
  ];
}

function says(label: string, words: string): Choice {
  return { label, choose: async () => words };
}
