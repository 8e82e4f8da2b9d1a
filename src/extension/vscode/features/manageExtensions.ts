/* Extensions of the agent from the palette: picks that end in `/extensions …`. Loaded when it is first done. */

import { commands, type QuickPickItem, window, workspace } from 'vscode';
import { isAbortError } from '../../base/errors.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import { describeNote } from '../../core/commands/extensions/describeInstalled.ts';
import { quoteWord } from '../../core/commands/template/words.ts';
import type { ExtensionFolders, InstalledFolder } from '../../platform/extensionFolders.ts';
import type { PromptCommands } from './promptCommands.ts';

interface Choice extends QuickPickItem {
  /** What stands behind `/extensions`; undefined: the person left. */
  readonly choose: () => Promise<string | undefined>;
}

const title = 'Extensions of the agent';

export async function manageExtensions(
  { run }: Pick<PromptCommands, 'run'>,
  folders: Pick<ExtensionFolders, 'list'>,
): Promise<void> {
  const installed = await folders.list();
  const picked = await window.showQuickPick<Choice>([...general(installed), ...installed.map(toChoice)], {
    title,
    placeHolder: 'Install one, or choose one to update, switch or remove it',
    matchOnDescription: true,
  });
  const words = await picked?.choose();
  if (words === undefined) return;
  try {
    const refusal = await run(`/extensions ${words}`);
    if (refusal !== undefined) void window.showWarningMessage(refusal);
  } catch (error) {
    if (!isAbortError(error)) throw error;
  }
}

function general(installed: readonly InstalledFolder[]): readonly Choice[] {
  const update: Choice = { label: '$(sync) Update all', choose: async () => 'update' };
  return [
    { label: '$(folder) Install from a folder…', choose: pickFolder },
    { label: '$(repo-clone) Install from a Git repository…', choose: enterAddress },
    ...(installed.length > 0 ? [update] : []),
  ];
}

async function pickFolder(): Promise<string | undefined> {
  const [folder] =
    (await window.showOpenDialog({
      title: 'The folder of an extension',
      canSelectFolders: true,
      canSelectFiles: false,
      openLabel: 'Look at it',
    })) ?? [];
  return folder && `install ${quoteWord(folder.fsPath)}`;
}

async function enterAddress(): Promise<string | undefined> {
  const address = await window.showInputBox({
    title: `${title}: address (1 of 2)`,
    prompt:
      'The address of a Git repository. It is fetched and shown to you; nothing of it runs before you agree.',
    placeHolder: 'https://…',
    ignoreFocusOut: true,
  });
  if (!address?.trim()) return undefined;
  const ref = await window.showInputBox({
    title: `${title}: branch, tag or commit (2 of 2)`,
    prompt: 'Left empty, the repository’s own branch counts.',
    ignoreFocusOut: true,
  });
  if (ref === undefined) return undefined;
  const own = `install ${quoteWord(address.trim())}`;
  return ref.trim() === '' ? own : `${own} --ref ${quoteWord(ref.trim())}`;
}

function toChoice(installed: InstalledFolder): Choice {
  const { name, note } = installed;
  return {
    label: oneLine(showHidden(name), 80),
    description: oneLine(showHidden(describeNote(note)), 160),
    choose: () => pickAction(name),
  };
}

async function pickAction(name: string): Promise<string | undefined> {
  const says = (label: string, words: string): Choice => {
    return { label, choose: async () => words };
  };
  const own = quoteWord(name);
  const here = workspace.workspaceFolders
    ? [
        says('Switch off in this workspace', `disable ${own} --workspace`),
        says('Switch on in this workspace', `enable ${own} --workspace`),
      ]
    : [];
  const setUp: Choice = {
    label: 'Enter what it needs to know…',
    choose: async () => void (await commands.executeCommand('folio.setUpExtension')),
  };
  const picked = await window.showQuickPick<Choice>(
    [
      says('Update', `update ${own}`),
      ...here,
      says('Switch off everywhere', `disable ${own}`),
      says('Switch on everywhere', `enable ${own}`),
      setUp,
      says('Remove', `remove ${own}`),
    ],
    { title: oneLine(showHidden(name), 80) },
  );
  return picked?.choose();
}
