import { homedir } from 'node:os';
import { join } from 'node:path';
import { window, workspace } from 'vscode';
import type { McpAction, McpServer } from '../../../../protocol/panel/mcp.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { ListedCustomization } from '../../../core/customizations/customizations.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import type { OutputLog } from '../../ports/outputLog.ts';
import { openSource } from '../openSource.ts';
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

/** Starts the servers that are configured. The code that speaks to them is loaded with the first one. */
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
    this.store.add(additions.onDidChange(() => void this.startServers()));
  }

  /** Undefined while there are none. */
  get present(): T | undefined {
    return this.ready;
  }

  get list(): readonly McpServer[] {
    return this.ready?.list(shorten) ?? [];
  }

  /** Rejects with a sentence. */
  async act(name: string, action: McpAction): Promise<void> {
    switch (action) {
      case 'enable':
        return this.enable(name);
      case 'disable':
        return (await this.additions.get()).switch([name], 'off');
      case 'showLog':
        return this.log.show();
      case 'openFile':
        return this.openFile(name);
      case 'restart':
        return this.ready?.restart(name);
      case 'signOut':
        return this.ready?.signOut(name);
      case 'signIn': {
        const problem = await this.ready?.signIn(name);
        if (problem !== undefined) void window.showWarningMessage(problem);
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

  private async startServers(): Promise<void> {
    try {
      const entries = await (await this.additions.get()).readServers();
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

  /** One that the user refused is shown to them again: what it would do stands there and not here. */
  private async enable(name: string): Promise<void> {
    const additions = await this.additions.get();
    const { all } = additions;
    const refused = all.list.flatMap(({ item, id, state }) =>
      state === 'refused' && id !== undefined && item.kind === 'server' && item.name === name ? [id] : [],
    );
    await all.consent.reopen(refused);
    const disabled = all.list.find(
      ({ item, state }) => state === 'disabled' && item.kind === 'server' && item.name === name,
    );
    if (!disabled) return;
    const owner = extensionOf(disabled.item.origin)?.name;
    await additions.switch(owner === undefined ? [name] : [name, owner], 'on');
  }

  private async openFile(name: string): Promise<void> {
    const { all } = await this.additions.get();
    const named = all.list.filter(({ item }) => item.kind === 'server' && item.name === name);
    // The one that runs, as the page shows it.
    const entry = named.findLast(({ state }) => state === 'enabled') ?? named.at(-1);
    if (entry) await openSource(entry.item.path);
  }
}

/** As a user writes it: from the workspace, or from their home. */
function shorten(path: string): string {
  const short = workspace.asRelativePath(path);
  const home = join(homedir(), '/');
  return short === path && path.startsWith(home) ? join('~', path.slice(home.length)) : short;
}
