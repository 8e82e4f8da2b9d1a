import { workspace } from 'vscode';
import { type Disposable, DisposableOwner } from '../../../base/disposable.ts';
import type { Event } from '../../../base/emitter.ts';
import type { Hooks } from '../../../core/hooks/hooks.ts';
import type { Log } from '../../../platform/log.ts';
import { registerCommands } from '../commands.ts';
import { watchAgentFiles } from './watchAgentFiles.ts';

/** The hooks of a window. The code that runs them is loaded after activation, so that starting costs nothing. */
export class WindowHooks extends DisposableOwner {
  private readonly make: () => Promise<Hooks>;
  private readonly log: Log;
  private made: Promise<Hooks> | undefined;

  /** @param added fires when contributions of extensions changed. @param trusted fires when workspace trust changed */
  constructor(make: () => Promise<Hooks>, log: Log, added: Event<void>, trusted: Event<void>) {
    super();
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
      // The next call tries again.
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  async close(): Promise<void> {
    this.dispose();
    await (await this.made)?.processes.dispose();
  }

  private async refresh(): Promise<void> {
    try {
      await (await this.get()).refresh();
    } catch (error) {
      this.log.error('Hooks could not be read', error);
    }
  }
}

export function registerHookCommands(hooks: WindowHooks, log: Log): Disposable {
  return registerCommands(log, {
    'folio.showHooks': async () => {
      const { showHooks } = await import('./hookList.ts');
      await showHooks(() => hooks.get());
    },
  });
}
