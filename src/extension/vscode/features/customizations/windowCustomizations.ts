import { type ConfigurationChangeEvent, workspace } from 'vscode';
import { DisposableOwner } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { once } from '../../../base/once.ts';
import type { LoadedCustomizations } from '../../../core/customizations/loadedCustomizations.ts';
import type { Log } from '../../../platform/log.ts';
import type { SettingValues } from '../../../platform/settings.ts';
import type { WindowTrust } from '../../windowTrust.ts';
import { watchAgentFiles } from './watchAgentFiles.ts';

/** The additions to Folio in this window. Read once the window is open, so that starting costs nothing. */
export class WindowCustomizations extends DisposableOwner {
  private readonly log: Log;
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly refreshed = this.store.add(new Emitter<void>());
  private readonly warned = new Set<string>();
  private known: LoadedCustomizations | undefined;

  /** Fires when other items apply, or wait for the user's decision. */
  readonly onDidChange = this.changed.event;
  /** Fires when everything was read again, including problems. */
  readonly onDidRefresh = this.refreshed.event;
  readonly get: () => Promise<LoadedCustomizations>;

  constructor(make: () => Promise<LoadedCustomizations>, trust: Pick<WindowTrust, 'onDidChange'>, log: Log) {
    super();
    this.get = once(() => this.load(make));
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

  /** `undefined` until it has been loaded. */
  get present(): LoadedCustomizations | undefined {
    return this.known;
  }

  /** Active values of the workspace's settings file. */
  get settings(): Partial<SettingValues> {
    return this.known?.settings ?? {};
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

  private async load(make: () => Promise<LoadedCustomizations>): Promise<LoadedCustomizations> {
    const additions = await make();
    this.store.add(additions.all.onDidChange(() => this.changed.fire()));
    this.store.add(additions.extensions.onDidChange(() => this.changed.fire()));
    this.known = additions;
    return additions;
  }

  private warnOnce(sentence: string): void {
    if (this.warned.has(sentence)) return;
    this.warned.add(sentence);
    this.log.warn(sentence);
  }
}
