import { type ConfigurationChangeEvent, workspace } from 'vscode';
import type { UnseenItem } from '../../../protocol/customizations.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { showHidden } from '../../base/hiddenText.ts';
import type { Additions } from '../../core/customizations/additions.ts';
import { toUnseen } from '../../core/customizations/customization.ts';
import type { Log } from '../../platform/log.ts';
import type { SettingValues } from '../../platform/settings.ts';
import type { WindowTrust } from '../windowTrust.ts';
import { registerCommands } from './commands.ts';
import { watchAgentFiles } from './watchAgentFiles.ts';

/** What is added to Folio in this window. It is read once the window stands, so that starting costs nothing. */
export class WindowAdditions implements Disposable {
  private readonly make: () => Promise<Additions>;
  private readonly log: Log;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly refreshed = this.store.add(new Emitter<void>());
  private readonly warned = new Set<string>();
  private made: Promise<Additions> | undefined;
  private known: Additions | undefined;
  private waiting: readonly UnseenItem[] = [];

  /** Other things wait for the person's decision, or other ones count. */
  readonly onDidChange = this.changed.event;
  /** All of it was read again, problems too. */
  readonly onDidRefresh = this.refreshed.event;

  constructor(make: () => Promise<Additions>, trust: Pick<WindowTrust, 'onDidChange'>, log: Log) {
    this.make = make;
    this.log = log;
    const refresh = () => void this.refresh();
    this.store.add(watchAgentFiles(refresh));
    this.store.add(trust.onDidChange(refresh));
    this.store.add(workspace.onDidChangeWorkspaceFolders(refresh));
    const isMeant = (change: ConfigurationChangeEvent) =>
      ['folio.disabled', 'folio.mcpServers'].some(each => change.affectsConfiguration(each));
    this.store.add(workspace.onDidChangeConfiguration(change => isMeant(change) && refresh()));
    setImmediate(refresh);
  }

  get unseen(): readonly UnseenItem[] {
    return this.waiting;
  }

  /** Undefined until it has been loaded. */
  get present(): Additions | undefined {
    return this.known;
  }

  /** What the workspace's settings file sets, as far as it counts now. */
  get settings(): Partial<SettingValues> {
    return this.known?.settings ?? {};
  }

  /** For the agent. */
  get(): Promise<Additions> {
    this.made ??= this.make().then(
      additions => {
        this.store.add(additions.all.onDidChange(() => this.tell(additions)));
        this.store.add(additions.extensions.onDidChange(() => this.tell(additions)));
        this.known = additions;
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

  /** @param ids of those that were shown */
  async decide(allowed: boolean, ids: readonly string[]): Promise<void> {
    const additions = await this.get();
    await additions.all.decide(allowed ? 'allowed' : 'refused', ids);
    await additions.refresh();
  }

  async refresh(): Promise<void> {
    try {
      const additions = await this.get();
      await additions.refresh();
      for (const sentence of additions.problems) this.warnOnce(sentence);
      this.refreshed.fire();
    } catch (error) {
      this.log.error('What is added to Folio could not be read', error);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private warnOnce(sentence: string): void {
    if (this.warned.has(sentence)) return;
    this.warned.add(sentence);
    this.log.warn(sentence);
  }

  private tell({ all }: Additions): void {
    const relative = (path: string) => workspace.asRelativePath(path);
    this.waiting = [...all.unseen]
      .map(([id, item]) => toUnseen(id, item, relative))
      // What stands in a file may hide what it does.
      .map(item => ({ ...item, name: showHidden(item.name), detail: showHidden(item.detail) }));
    this.changed.fire();
  }
}

/** Lists all that is added. */
export function registerAdditions(additions: WindowAdditions, log: Log): Disposable {
  return registerCommands(log, {
    'folio.showAdditions': async () => (await import('./showAdditions.ts')).showAdditions(additions),
    'folio.setUpExtension': async (name?: unknown) =>
      (await import('./setUpExtension.ts')).setUpExtension(additions, name),
  });
}
