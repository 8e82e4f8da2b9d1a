import { commands, type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { Event } from '../../../base/emitter.ts';
import { oneLine } from '../../../base/text.ts';
import type { Hooks } from '../../../core/hooks/hooks.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import { type HookAction, type HookChoice, type HookRow, hookChoices, hookRow } from './hookRows.ts';
import { watchAgentFiles } from './watchAgentFiles.ts';

/** The hooks of a window. The code that runs them is loaded after activation, so that starting costs nothing. */
export class WindowHooks implements Disposable {
  private readonly make: () => Promise<Hooks>;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private made: Promise<Hooks> | undefined;

  /** @param added what extensions bring has changed. @param trusted whether the workspace counts has changed */
  constructor(make: () => Promise<Hooks>, log: Log, added: Event<void>, trusted: Event<void>) {
    this.make = make;
    this.log = log;
    const refresh = () => void this.refresh();
    this.store.add(watchAgentFiles(refresh));
    this.store.add(added(refresh));
    this.store.add(trusted(refresh));
    this.store.add(workspace.onDidChangeWorkspaceFolders(refresh));
    setImmediate(refresh);
  }

  /** The hooks themselves, for the agent. */
  get(): Promise<Hooks> {
    this.made ??= this.make().catch(error => {
      // The next who asks tries again.
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  /** Ends those that run. */
  async close(): Promise<void> {
    this.dispose();
    await (await this.made)?.processes.dispose();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async refresh(): Promise<void> {
    try {
      await (await this.get()).refresh();
    } catch (error) {
      this.log.error('Hooks could not be read', error);
    }
  }
}

interface ChoiceItem extends QuickPickItem {
  readonly choose?: () => unknown;
}

/** Lists all hooks with where they come from and whether they run; choosing one tells what can be decided on it. */
export function registerHooks(hooks: WindowHooks, log: Log): Disposable {
  return registerCommands(log, { 'folio.showHooks': () => showHooks(hooks) });
}

async function showHooks(hooks: WindowHooks): Promise<void> {
  const known = await hooks.get();
  await known.refresh();
  const listed = await known.list();
  if (listed.length === 0 && known.problems.length === 0) {
    void window.showInformationMessage(
      'There are no hooks. Name them under "hooks" in ~/.gemini/settings.json or in .gemini/settings.json of the folder.',
    );
    return;
  }
  const decisions = hookChoices(listed).map(choice => itemOf(choice, hooks));
  const rows = listed.map(each => hookRow(each, path => workspace.asRelativePath(path)));
  const choices: readonly ChoiceItem[] = [
    ...decisions,
    ...(decisions.length > 0 ? [{ label: '', kind: QuickPickItemKind.Separator }] : []),
    ...rows.map(row => ({ ...row, choose: () => chooseOn(row, hooks) })),
    ...known.problems.map(sentence => ({ label: `$(warning) ${oneLine(sentence, 300)}` })),
  ];
  const chosen = await window.showQuickPick(choices, {
    title: 'Hooks',
    placeHolder: 'Choose a hook to open the file that names it, or to decide on it',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await chosen?.choose?.();
}

/** A hook of the person can only be looked at. */
async function chooseOn({ label, description, choices }: HookRow, hooks: WindowHooks): Promise<void> {
  const [only, ...others] = choices.map(choice => itemOf(choice, hooks));
  if (others.length === 0) return void (await only?.choose?.());
  const chosen = await window.showQuickPick(only ? [only, ...others] : others, {
    title: `Hook ${label}`,
    placeHolder: description.replace(/\$\([\w-]+\) /, ''),
  });
  await chosen?.choose?.();
}

function itemOf({ label, detail, action }: HookChoice, hooks: WindowHooks): ChoiceItem {
  return { label, detail, choose: () => carryOut(action, hooks) };
}

async function carryOut(action: HookAction, hooks: WindowHooks): Promise<void> {
  const known = await hooks.get();
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
      return showHooks(hooks);
    case 'keepOut':
      await known.consent.decide('refused', action.ids);
      return showHooks(hooks);
  }
}
