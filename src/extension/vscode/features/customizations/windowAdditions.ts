import { type ConfigurationChangeEvent, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Additions } from '../../../core/customizations/additions.ts';
import type { Log } from '../../../platform/log.ts';
import type { SettingValues } from '../../../platform/settings.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import { registerCommands } from '../commands.ts';
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

  /** Other things count, or wait for the person's decision. */
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
        this.store.add(additions.all.onDidChange(() => this.changed.fire()));
        this.store.add(additions.extensions.onDidChange(() => this.changed.fire()));
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
}

/** Lists all that is added. */
export function registerAdditions(additions: WindowAdditions, log: Log): Disposable {
  return registerCommands(log, {
    'folio.showAdditions': async () => (await import('./showAdditions.ts')).showAdditions(additions),
    'folio.setUpExtension': async (name?: unknown) =>
      (await import('./setUpExtension.ts')).setUpExtension(additions, name),
  });
}
