import { workspace } from 'vscode';
import type { PendingCustomization } from '../../protocol/panel/customizations.ts';
import type { AnnouncementSettings, Environment } from '../../protocol/panel/messages.ts';
import { DisposableOwner } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { escapeInvisibleText } from '../base/hiddenText.ts';
import type { ConsentItem, ConsentService } from '../core/consent/consentService.ts';
import { formatPathIn } from '../core/folderPaths.ts';
import type { Editor } from '../platform/editor.ts';
import type { Settings } from '../platform/settings.ts';
import type { ModelConnection } from './modelConnection.ts';
import type { WindowTrust } from './windowTrust.ts';
import { workspaceFolders } from './workspaceFolders.ts';

/** Items of the workspace that wait for the user's consent. */
interface WorkspaceConsent {
  readonly consent: Pick<ConsentService, 'unseen' | 'onDidChange'>;
  readonly trust: Pick<WindowTrust, 'isTrusted' | 'onDidChange'>;
}

/** Facts outside of the session that the panel shows, and their changes. */
export class WindowEnvironment extends DisposableOwner {
  private readonly connection: ModelConnection;
  private readonly editor: Editor;
  private readonly brought: WorkspaceConsent;
  private readonly settings: Pick<Settings, 'get' | 'restrictions'>;
  private readonly changed = this.store.add(new Emitter<void>());
  private reported = '';
  readonly onDidChange = this.changed.event;

  constructor(
    connection: ModelConnection,
    editor: Editor,
    brought: WorkspaceConsent,
    settings: Pick<Settings, 'get' | 'restrictions' | 'onDidChange'>,
  ) {
    super();
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
      keyProblem: this.connection.keyProblem,
      trusted: this.brought.trust.isTrusted,
      folders: workspaceFolders(),
      models: this.connection.models,
      activeFile: active && formatPathIn(workspaceFolders()[0], active.path),
      selectedLines: active?.selectedLines,
      isSelectionOmitted: active?.selection === undefined,
      unseen: toUnseen(this.brought.consent.unseen),
      foldFinishedChapters: workspace.getConfiguration('folio').get('foldFinishedChapters') !== false,
      spoken: readSpoken(),
      efforts: this.settings.get('effort'),
      modes: this.settings.restrictions?.modes,
    };
  }

  /** Cursor moves are frequent, so only visible changes are reported. */
  private check(): void {
    const reported = JSON.stringify(this.current);
    if (reported === this.reported) return;
    this.reported = reported;
    this.changed.fire();
  }
}

/** These settings are about VS Code's own chat, and apply to Folio as well. */
function readSpoken(): AnnouncementSettings {
  const settings = workspace.getConfiguration('accessibility');
  return {
    asks: settings.get<{ announcement?: string }>('signals.chatUserActionRequired')?.announcement !== 'off',
    progress: settings.get('verboseChatProgressUpdates') !== false,
    hints: settings.get('verbosity.panelChat') !== false,
  };
}

function toUnseen(waiting: ReadonlyMap<string, ConsentItem>): readonly PendingCustomization[] {
  return [...waiting].map(([id, { kind, name, detail, path }]) => ({
    id,
    kind,
    // Hidden characters in a file may disguise its effect.
    name: escapeInvisibleText(name),
    detail: escapeInvisibleText(detail),
    file: workspace.asRelativePath(path),
  }));
}
