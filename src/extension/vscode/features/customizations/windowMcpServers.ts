import { homedir } from 'node:os';
import { join } from 'node:path';
import { window, workspace } from 'vscode';
import type { McpAction, McpServer } from '../../../../protocol/panel/mcp.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { ListedCustomization } from '../../../core/customizations/customizations.ts';
import { extensionOf } from '../../../platform/customizations/customFiles.ts';
import type { OutputLog } from '../../ports/outputLog.ts';
import { openDefiningFile } from '../openDefiningFile.ts';
import type { WindowCustomizations } from './windowCustomizations.ts';

/** The MCP servers of a window, implemented by `mcp/mcpServers.ts`. */
interface McpServersPort {
  readonly onDidChange: Event<void>;
  set(entries: readonly ListedCustomization[]): void;
  list(shorten: (path: string) => string): readonly McpServer[];
  restart(name: string): void;
  /** Returns a sentence if it failed. */
  signIn(name: string): Promise<string | undefined>;
  signOut(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the configured servers. The client code is loaded with the first one. */
export class WindowMcpServers<T extends McpServersPort> implements Disposable {
  private readonly additions: WindowCustomizations;
  private readonly make: () => Promise<T>;
  private readonly log: OutputLog;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private made: Promise<T> | undefined;
  private ready: T | undefined;
  private closed = false;

  /** Fires when the set of servers, or the state of one, changes. */
  readonly onDidChange = this.changed.event;

  constructor(additions: WindowCustomizations, make: () => Promise<T>, log: OutputLog) {
    this.additions = additions;
    this.make = make;
    this.log = log;
    this.store.add(additions.onDidChange(() => void this.startServers()));
  }

  /** `undefined` while there are none. */
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

  /** Asks again about a server that the user refused. The panel shows what it would do. */
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
    // Prefers the running one, which the page shows.
    const entry = named.findLast(({ state }) => state === 'enabled') ?? named.at(-1);
    if (entry) await openDefiningFile(entry.item.path);
  }
}

/** Shortens a path relative to the workspace or home folder. */
function shorten(path: string): string {
  const short = workspace.asRelativePath(path);
  const home = join(homedir(), '/');
  return short === path && path.startsWith(home) ? join('~', path.slice(home.length)) : short;
}
