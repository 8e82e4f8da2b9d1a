import { workspace } from 'vscode';
import type { Surroundings } from '../../protocol/messages.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { Editor } from '../platform/editor.ts';
import type { Connection } from './connection.ts';
import type { WindowHooks } from './features/hooks.ts';
import type { WindowAdditions } from './features/windowAdditions.ts';
import type { WindowTrust } from './windowTrust.ts';

/** Absolute paths of the folders that are open. Folders that are not on a disk cannot be worked on. */
export function workspaceFolders(): readonly string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(folder => folder.uri.scheme === 'file').map(folder => folder.uri.fsPath);
}

/** What a workspace brings, what of it waits for the person, and whether it counts. */
export interface Brought {
  readonly hooks: Pick<WindowHooks, 'unseen' | 'onDidChange'>;
  readonly additions: Pick<WindowAdditions, 'unseen' | 'onDidChange'>;
  readonly trust: Pick<WindowTrust, 'isTrusted' | 'onDidChange'>;
}

/** What the panel must know beside the session, and when it changes. */
export class WindowSurroundings implements Disposable {
  private readonly connection: Connection;
  private readonly editor: Editor;
  private readonly brought: Brought;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private told = '';
  readonly onDidChange = this.changed.event;

  constructor(connection: Connection, editor: Editor, brought: Brought) {
    this.connection = connection;
    this.editor = editor;
    this.brought = brought;
    const check = () => this.check();
    this.store.add(connection.onDidChange(check));
    this.store.add(editor.onDidChange(check));
    this.store.add(brought.hooks.onDidChange(check));
    this.store.add(brought.additions.onDidChange(check));
    this.store.add(brought.trust.onDidChange(check));
    this.store.add(workspace.onDidChangeWorkspaceFolders(check));
    this.store.add(workspace.onDidChangeConfiguration(check));
  }

  get current(): Surroundings {
    const active = this.editor.readContext().active?.path;
    return {
      connection: this.connection.kind,
      provider: this.connection.chosen,
      trusted: this.brought.trust.isTrusted,
      folders: workspaceFolders(),
      models: this.connection.models,
      activeFile: active === undefined ? undefined : workspace.asRelativePath(active, false),
      unseenHooks: this.brought.hooks.unseen,
      unseen: this.brought.additions.unseen,
      foldFinishedChapters: workspace.getConfiguration('folio').get('foldFinishedChapters') !== false,
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The cursor moves all the time; the panel hears only of what it shows. */
  private check(): void {
    const told = JSON.stringify(this.current);
    if (told === this.told) return;
    this.told = told;
    this.changed.fire();
  }
}
