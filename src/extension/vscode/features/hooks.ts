import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import type { UnseenHook } from '../../../protocol/hooks.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { oneLine, plural } from '../../base/text.ts';
import type { Hooks, ListedHook } from '../../core/hooks/hooks.ts';
import type { Log } from '../../platform/log.ts';
import { registerCommands } from './commands.ts';

/** The hooks of a window. What is needed to run them is loaded after activation, so that starting costs nothing. */
export class WindowHooks implements Disposable {
  private readonly make: () => Promise<Hooks>;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private made: Promise<Hooks> | undefined;
  private unseenHooks: readonly UnseenHook[] = [];

  /** Other hooks wait for the person's decision. */
  readonly onDidChange = this.changed.event;

  /** @param added what extensions bring has changed */
  constructor(make: () => Promise<Hooks>, log: Log, added: Event<void>) {
    this.make = make;
    this.log = log;
    const refresh = () => void this.refresh();
    const watcher = this.store.add(workspace.createFileSystemWatcher('**/.{gemini,claude}/settings.json'));
    this.store.add(watcher.onDidChange(refresh));
    this.store.add(watcher.onDidCreate(refresh));
    this.store.add(watcher.onDidDelete(refresh));
    this.store.add(added(refresh));
    this.store.add(workspace.onDidGrantWorkspaceTrust(refresh));
    this.store.add(workspace.onDidChangeWorkspaceFolders(refresh));
    setImmediate(refresh);
  }

  get unseen(): readonly UnseenHook[] {
    return this.unseenHooks;
  }

  /** The hooks themselves, for the agent. */
  get(): Promise<Hooks> {
    this.made ??= this.make().then(
      hooks => {
        this.store.add(hooks.onDidChange(() => this.tell(hooks)));
        return hooks;
      },
      error => {
        // The next who asks tries again.
        this.made = undefined;
        throw error;
      },
    );
    return this.made;
  }

  /** @param ids of those that were shown */
  async decide(allowed: boolean, ids: readonly string[]): Promise<void> {
    await (await this.get()).decide(allowed ? 'allowed' : 'refused', ids);
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

  private tell(hooks: Hooks): void {
    this.unseenHooks = [...hooks.unseen].map(([id, { event, command, file }]) => ({
      ...{ id, event },
      // What stands in a file may hide what it does.
      command: showHidden(command),
      file: workspace.asRelativePath(file),
    }));
    this.changed.fire();
  }
}

interface HookChoice extends QuickPickItem {
  readonly choose?: () => unknown;
}

/** Lists all hooks with where they come from and whether they run; choosing one opens its file. */
export function registerHooks(hooks: WindowHooks, log: Log): Disposable {
  const show = async () => {
    const known = await hooks.get();
    await known.refresh();
    const listed = await known.list();
    if (listed.length === 0 && known.problems.length === 0) {
      void window.showInformationMessage(
        'There are no hooks. Name them under "hooks" in ~/.gemini/settings.json or in .gemini/settings.json of the folder.',
      );
      return;
    }
    const choices = [
      ...decisions(hooks, [...known.unseen.keys()]),
      ...listed.map(describe),
      ...known.problems.map(asProblem),
    ];
    const chosen = await window.showQuickPick(choices, {
      title: 'Hooks',
      placeHolder: 'Choose a hook to open the file that names it',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    await chosen?.choose?.();
  };
  return registerCommands(log, { 'folio.showHooks': show });
}

const states: Readonly<Record<ListedHook['state'], string>> = {
  enabled: '$(check) runs',
  waiting: '$(question) waits for your decision',
  refused: '$(circle-slash) does not run: you refused it',
  disabled: '$(circle-slash) switched off by a setting',
};

function decisions(hooks: WindowHooks, shown: readonly string[]): readonly HookChoice[] {
  if (shown.length === 0) return [];
  const what = plural(shown.length, 'hook');
  return [
    { label: `$(check) Let ${what} of this workspace run`, choose: () => hooks.decide(true, shown) },
    {
      label: `$(circle-slash) Keep ${what} of this workspace from running`,
      choose: () => hooks.decide(false, shown),
    },
    { label: '', kind: QuickPickItemKind.Separator },
  ];
}

function describe({ hook, state }: ListedHook): HookChoice {
  const { event, matcher, name, command, file, description } = hook;
  const when = matcher === undefined ? event : `${event} · ${matcher}`;
  const about = description ? `${description} · ` : '';
  return {
    label: oneLine(showHidden(name), 80),
    description: `${when} · ${states[state]}`,
    detail: oneLine(`${about}${showHidden(command)} · ${workspace.asRelativePath(file)}`, 300),
    choose: () => window.showTextDocument(Uri.file(file)),
  };
}

function asProblem(sentence: string): HookChoice {
  return { label: `$(warning) ${oneLine(sentence, 300)}` };
}
