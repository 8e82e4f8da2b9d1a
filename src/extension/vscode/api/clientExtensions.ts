import type { Part } from '../../../protocol/events.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { Hook } from '../../core/hooks/hook.ts';
import type { AnyTool } from '../../core/tool.ts';
import type { HookProcesses } from '../../platform/customizations/hooks.ts';
import type { Log } from '../../platform/log.ts';
import { apiError } from './apiError.ts';
import { type ClientContextProvider, readClientContexts } from './clientContexts.ts';
import { type ClientHook, ClientHookProcesses, clientHooks } from './clientHooks.ts';
import { type CheckSchema, clientTool } from './clientTool.ts';
import type { FolioContextProvider, FolioHook, FolioTool } from './folioApi.ts';

/** Contributions of other extensions to Folio in this window, in core types. */
export class ClientExtensions {
  private readonly log: Log;
  private readonly contexts = new Set<ClientContextProvider>();
  private readonly hooksByCommand = new Map<string, ClientHook>();
  /** Replaced on each change, so that holders can compare by identity. */
  private toolList: readonly AnyTool[] = [];

  constructor(log: Log) {
    this.log = log;
  }

  get tools(): readonly AnyTool[] {
    return this.toolList;
  }

  get hooks(): readonly Hook[] {
    return [...this.hooksByCommand.values()].map(({ hook }) => hook);
  }

  /** Wraps the processes of hooks to also call functions of extensions. */
  processes(programs: HookProcesses): HookProcesses {
    return new ClientHookProcesses(programs, command => this.hooksByCommand.get(command));
  }

  /** Never rejects. */
  readContext(prompt: string, signal: AbortSignal): Promise<readonly Part[]> {
    return readClientContexts([...this.contexts], prompt, { signal, log: this.log });
  }

  addTool(extensionId: string, given: FolioTool, check: CheckSchema): Disposable {
    const tool = clientTool(extensionId, given, check);
    if (this.toolList.some(({ name }) => name === tool.name))
      throw apiError('input', `${extensionId} has registered a tool ${given.name} already.`);
    this.toolList = [...this.toolList, tool];
    return toDisposable(() => {
      this.toolList = this.toolList.filter(each => each !== tool);
    });
  }

  addContext(extensionId: string, provider: FolioContextProvider): Disposable {
    const context = { extensionId, provider };
    this.contexts.add(context);
    return toDisposable(() => this.contexts.delete(context));
  }

  /** @param file of the extension, for the user to view */
  addHook(extensionId: string, file: string, given: FolioHook): Disposable {
    const added = clientHooks(extensionId, file, given);
    for (const each of added) this.hooksByCommand.set(each.hook.command, each);
    return toDisposable(() => {
      for (const { hook } of added) this.hooksByCommand.delete(hook.command);
    });
  }
}
