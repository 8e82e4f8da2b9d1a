import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';
import type { UnseenItem } from '../../../protocol/customizations.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { oneLine, plural } from '../../base/text.ts';
import type { Additions } from '../../core/customizations/additions.ts';
import { toUnseen } from '../../core/customizations/customization.ts';
import type { CustomizationState, ListedCustomization } from '../../core/customizations/customizations.ts';
import type { Log } from '../../platform/log.ts';
import { registerCommands } from './commands.ts';

/** Where a workspace's own files stand. */
const watched = '**/{.gemini,.claude,.agents,.vscode}/**/*.{json,toml,md}';

/** What is added to Folio in this window. It is read once the window stands, so that starting costs nothing. */
export class WindowAdditions implements Disposable {
  private readonly make: () => Promise<Additions>;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private made: Promise<Additions> | undefined;
  private waiting: readonly UnseenItem[] = [];

  /** Other things wait for the person's decision, or other ones count. */
  readonly onDidChange = this.changed.event;

  constructor(make: () => Promise<Additions>, log: Log) {
    this.make = make;
    this.log = log;
    const refresh = () => void this.refresh();
    const watcher = this.store.add(workspace.createFileSystemWatcher(watched));
    this.store.add(watcher.onDidChange(refresh));
    this.store.add(watcher.onDidCreate(refresh));
    this.store.add(watcher.onDidDelete(refresh));
    this.store.add(workspace.onDidGrantWorkspaceTrust(refresh));
    this.store.add(workspace.onDidChangeWorkspaceFolders(refresh));
    setImmediate(refresh);
  }

  get unseen(): readonly UnseenItem[] {
    return this.waiting;
  }

  /** For the agent. */
  get(): Promise<Additions> {
    this.made ??= this.make().then(
      additions => {
        this.store.add(additions.all.onDidChange(() => this.tell(additions)));
        return additions;
      },
      error => {
        // The next who asks tries again.
        this.made = undefined;
        throw error;
      },
    );
    return this.made;
  }

  /** Of all that wait now. */
  async decide(allowed: boolean): Promise<void> {
    const additions = await this.get();
    await additions.all.decide(allowed ? 'allowed' : 'refused');
    await additions.refresh();
  }

  async refresh(): Promise<void> {
    try {
      await (await this.get()).refresh();
    } catch (error) {
      this.log.error('What is added to Folio could not be read', error);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private tell({ all }: Additions): void {
    const relative = (path: string) => workspace.asRelativePath(path);
    this.waiting = [...all.unseen.values()]
      .map(item => toUnseen(item, relative))
      // What stands in a file may hide what it does.
      .map(item => ({ ...item, name: showHidden(item.name), detail: showHidden(item.detail) }));
    this.changed.fire();
  }
}

interface AdditionChoice extends QuickPickItem {
  readonly choose?: () => unknown;
}

/** Lists all that is added with where it comes from and whether it counts; choosing one opens its file. */
export function registerAdditions(additions: WindowAdditions, log: Log): Disposable {
  const show = async () => {
    const known = await additions.get();
    await known.refresh();
    const { list, unseen } = known.all;
    if (list.length === 0 && known.problems.length === 0) {
      void window.showInformationMessage(
        'Nothing is added to Folio. Servers, commands, agents and skills are looked for in ~/.gemini and ~/.claude, and in the same folders of the workspace.',
      );
      return;
    }
    const choices = [
      ...decisions(additions, unseen.size),
      ...list.map(describe),
      ...known.problems.map(asProblem),
    ];
    const chosen = await window.showQuickPick(choices, {
      title: 'What is added to Folio',
      placeHolder: 'Choose one to open the file that names it',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    await chosen?.choose?.();
  };
  return registerCommands(log, { 'folio.showAdditions': show });
}

const states: Readonly<Record<CustomizationState, string>> = {
  enabled: '$(check) counts',
  waiting: '$(question) waits for your decision',
  refused: '$(circle-slash) does not count: you refused it',
  disabled: '$(circle-slash) switched off by a setting',
};

function decisions(additions: WindowAdditions, waiting: number): readonly AdditionChoice[] {
  if (waiting === 0) return [];
  const what = plural(waiting, 'thing');
  return [
    { label: `$(check) Let ${what} of this workspace count`, choose: () => additions.decide(true) },
    { label: `$(circle-slash) Keep ${what} of this workspace out`, choose: () => additions.decide(false) },
    { label: '', kind: QuickPickItemKind.Separator },
  ];
}

function describe({ item, state }: ListedCustomization): AdditionChoice {
  const { kind, name, detail, path } = item;
  return {
    label: oneLine(showHidden(name), 80),
    description: `${kind} · ${states[state]}`,
    detail: oneLine(`${showHidden(detail)} · ${workspace.asRelativePath(path)}`, 300),
    choose: () => window.showTextDocument(Uri.file(path)),
  };
}

function asProblem(sentence: string): AdditionChoice {
  return { label: `$(warning) ${oneLine(sentence, 300)}` };
}
