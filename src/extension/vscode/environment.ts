import { workspace } from 'vscode';
import type { UnseenItem } from '../../protocol/panel/customizations.ts';
import type { AnnouncementSettings, Environment } from '../../protocol/panel/messages.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { showHidden } from '../base/hiddenText.ts';
import type { Brought, Consent } from '../core/consent/consent.ts';
import { showIn } from '../core/folderPaths.ts';
import type { Editor } from '../platform/editor.ts';
import type { Settings } from '../platform/settings.ts';
import type { Connection } from './connection.ts';
import type { WindowTrust } from './windowTrust.ts';
import { workspaceFolders } from './workspaceFolders.ts';

/** The workspace's things that wait for the user, and whether any of them counts. */
interface WorkspaceConsent {
  readonly consent: Pick<Consent, 'unseen' | 'onDidChange'>;
  readonly trust: Pick<WindowTrust, 'isTrusted' | 'onDidChange'>;
}

/** Facts that the panel needs beside the session, and news of their changes. */
export class WindowEnvironment implements Disposable {
  private readonly connection: Connection;
  private readonly editor: Editor;
  private readonly brought: WorkspaceConsent;
  private readonly settings: Pick<Settings, 'get' | 'restrictions'>;
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  private reported = '';
  readonly onDidChange = this.changed.event;

  constructor(
    connection: Connection,
    editor: Editor,
    brought: WorkspaceConsent,
    settings: Pick<Settings, 'get' | 'restrictions' | 'onDidChange'>,
  ) {
    this.connection = connection;
    this.editor = editor;
    this.brought = brought;
    this.settings = settings;
    const check = () => this.check();
    this.store.add(connection.onDidChange(check));
    this.store.add(editor.onDidChange(check));
    this.store.add(brought.consent.onDidChange(check));
    this.store.add(brought.trust.onDidChange(check));
    this.store.add(workspace.onDidChangeWorkspaceFolders(check));
    this.store.add(workspace.onDidChangeConfiguration(check));
    this.store.add(settings.onDidChange(check));
  }

  get current(): Environment {
    const { active } = this.editor.readContext();
    return {
      connection: this.connection.kind,
      provider: this.connection.chosen,
      trusted: this.brought.trust.isTrusted,
      folders: workspaceFolders(),
      models: this.connection.models,
      activeFile: active && showIn(workspaceFolders()[0], active.path),
      selectedLines: active?.selectedLines,
      unseen: toUnseen(this.brought.consent.unseen),
      foldFinishedChapters: workspace.getConfiguration('folio').get('foldFinishedChapters') !== false,
      spoken: readSpoken(),
      efforts: this.settings.get('effort'),
      modes: this.settings.restrictions?.modes,
    };
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The cursor moves all the time; the panel hears only of what it shows. */
  private check(): void {
    const reported = JSON.stringify(this.current);
    if (reported === this.reported) return;
    this.reported = reported;
    this.changed.fire();
  }
}

/** The settings are about VS Code's own chat; a user who wants less of that wants less here. */
function readSpoken(): AnnouncementSettings {
  const settings = workspace.getConfiguration('accessibility');
  return {
    asks: settings.get<{ announcement?: string }>('signals.chatUserActionRequired')?.announcement !== 'off',
    progress: settings.get('verboseChatProgressUpdates') !== false,
    hints: settings.get('verbosity.panelChat') !== false,
  };
}

function toUnseen(waiting: ReadonlyMap<string, Brought>): readonly UnseenItem[] {
  return [...waiting].map(([id, { kind, name, detail, path }]) => ({
    id,
    kind,
    // Hidden characters in a file may disguise what it does.
    name: showHidden(name),
    detail: showHidden(detail),
    file: workspace.asRelativePath(path),
  }));
}
