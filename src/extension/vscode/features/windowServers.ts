import { ConfigurationTarget, Uri, window, workspace } from 'vscode';
import type { McpAction, McpServer } from '../../../protocol/mcp.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ListedCustomization } from '../../core/customizations/customizations.ts';
import type { OutputLog } from '../ports/outputLog.ts';
import type { WindowAdditions } from './windowAdditions.ts';

/** The servers of a window; `mcp/mcpServers.ts` is one. */
export interface Servers {
  readonly onDidChange: Event<void>;
  set(entries: readonly ListedCustomization[]): void;
  list(shorten: (path: string) => string): readonly McpServer[];
  restart(name: string): void;
  /** Gives a sentence when it did not succeed. */
  signIn(name: string): Promise<string | undefined>;
  signOut(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the servers that are configured. What speaks to them is loaded with the first one. */
export class WindowServers<T extends Servers> implements Disposable {
  private readonly additions: WindowAdditions;
  private readonly make: () => Promise<T>;
  private readonly log: OutputLog;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private made: Promise<T> | undefined;
  private ready: T | undefined;
  private closed = false;

  /** Other servers are there, or one of them has another state. */
  readonly onDidChange = this.changed.event;

  constructor(additions: WindowAdditions, make: () => Promise<T>, log: OutputLog) {
    this.additions = additions;
    this.make = make;
    this.log = log;
    this.store.add(additions.onDidChange(() => void this.take()));
  }

  /** Undefined while there are none. */
  get present(): T | undefined {
    return this.ready;
  }

  get list(): readonly McpServer[] {
    return this.ready?.list(path => workspace.asRelativePath(path)) ?? [];
  }

  /** Rejects with a sentence. */
  async act(name: string, action: McpAction): Promise<void> {
    switch (action) {
      case 'enable':
      case 'disable':
        return setDisabled(name, action === 'disable');
      case 'showLog':
        return this.log.show();
      case 'openFile':
        return this.openFile(name);
      case 'restart':
        return this.ready?.restart(name);
      case 'signOut':
        return this.ready?.signOut(name);
      case 'signIn': {
        const trouble = await this.ready?.signIn(name);
        if (trouble !== undefined) void window.showWarningMessage(trouble);
      }
    }
  }

  /** Ends their processes. */
  async close(): Promise<void> {
    this.closed = true;
    this.dispose();
    await (await this.made)?.stop();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async take(): Promise<void> {
    try {
      const { all } = await this.additions.get();
      const entries = all.list.filter(({ item }) => item.kind === 'server');
      if (this.closed || (entries.length === 0 && this.made === undefined)) return;
      this.made ??= this.make();
      const servers = await this.made;
      if (this.closed) return;
      if (this.ready === undefined) {
        this.ready = servers;
        this.store.add(servers.onDidChange(() => this.changed.fire()));
      }
      servers.set(entries);
      this.changed.fire();
    } catch (error) {
      // The next change of the configuration tries again.
      this.made = undefined;
      this.log.error('Servers could not be started', error);
    }
  }

  private async openFile(name: string): Promise<void> {
    const { all } = await this.additions.get();
    const entry = all.list.find(({ item }) => item.kind === 'server' && item.name === name);
    if (entry) await window.showTextDocument(Uri.file(entry.item.path));
  }
}

/** For this workspace where one is open, so that another one still has it. */
async function setDisabled(name: string, disabled: boolean): Promise<void> {
  const settings = workspace.getConfiguration('folio');
  const names = settings.get<readonly string[]>('disabled') ?? [];
  const others = names.filter(each => each !== name);
  const target = workspace.workspaceFolders ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await settings.update('disabled', disabled ? [...others, name] : others, target);
}
