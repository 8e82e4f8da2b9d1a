import { commands, type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { oneLine } from '../../../base/text.ts';
import type { Hooks } from '../../../core/hooks/hooks.ts';
import { type HookAction, type HookChoice, type HookRow, hookChoices, hookRow } from './hookRows.ts';

type ReadHooks = () => Promise<Hooks>;

interface ChoiceItem extends QuickPickItem {
  readonly choose?: () => unknown;
}

/** Lists all hooks with their origin and state. Choosing one shows the possible decisions. */
export async function showHooks(read: ReadHooks): Promise<void> {
  const known = await read();
  await known.refresh();
  const listed = await known.list();
  if (listed.length === 0 && known.problems.length === 0) {
    void window.showInformationMessage(
      t(
        'There are no hooks. Name them under "hooks" in ~/.gemini/settings.json or in .gemini/settings.json of the folder.',
      ),
    );
    return;
  }
  const decisions = hookChoices(listed).map(choice => itemOf(choice, read));
  const rows = listed.map(each => hookRow(each, path => workspace.asRelativePath(path)));
  const choices: readonly ChoiceItem[] = [
    ...decisions,
    ...(decisions.length > 0 ? [{ label: '', kind: QuickPickItemKind.Separator }] : []),
    ...rows.map(row => ({ ...row, choose: () => chooseOn(row, read) })),
    ...known.problems.map(sentence => ({ label: `$(warning) ${oneLine(sentence, 300)}` })),
  ];
  const chosen = await window.showQuickPick(choices, {
    title: t('Hooks'),
    placeHolder: t('Choose a hook to open its file, or to allow or refuse it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await chosen?.choose?.();
}

/** The user's own hooks can only be viewed. */
async function chooseOn({ label, description, choices }: HookRow, read: ReadHooks): Promise<void> {
  const [only, ...others] = choices.map(choice => itemOf(choice, read));
  if (others.length === 0) return void (await only?.choose?.());
  const chosen = await window.showQuickPick(only ? [only, ...others] : others, {
    title: t('Hook {0}', label),
    placeHolder: description.replace(/\$\([\w-]+\) /, ''),
  });
  await chosen?.choose?.();
}

function itemOf({ label, detail, action }: HookChoice, read: ReadHooks): ChoiceItem {
  return { label, detail, choose: () => carryOut(action, read) };
}

async function carryOut(action: HookAction, read: ReadHooks): Promise<void> {
  const known = await read();
  switch (action.kind) {
    case 'open':
      await window.showTextDocument(Uri.file(action.file));
      return;
    case 'look':
      await commands.executeCommand('folio.focusPanel');
      return;
    case 'reopen':
      await known.consent.reopen(action.ids);
      await commands.executeCommand('folio.focusPanel');
      return;
    case 'withdraw':
      await known.consent.withdraw(action.ids);
      return showHooks(read);
    case 'keepOut':
      await known.consent.decide('refused', action.ids);
      return showHooks(read);
  }
}
