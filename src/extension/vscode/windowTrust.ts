import { commands, Uri, window, workspace } from 'vscode';
import { t } from '../../protocol/language.ts';
import { DisposableOwner } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { workspaceFolders } from './workspaceFolders.ts';

/** Why the folders are not trusted, whatever VS Code says. */
export interface WindowUntrustedReason {
  readonly sentence: string;
  /** Absolute path of the file that says so. */
  readonly file?: string;
}

type FindDistrust = (folders: readonly string[]) => Promise<WindowUntrustedReason | undefined>;

/**
 * Decides whether customizations of the workspace apply: VS Code must trust it, and no settings file may distrust it.
 */
export class WindowTrust extends DisposableOwner {
  private readonly find: FindDistrust;
  private readonly changed = this.store.add(new Emitter<void>());
  private distrust: WindowUntrustedReason | undefined;
  readonly onDidChange = this.changed.event;

  /** @param find never rejects */
  constructor(find: FindDistrust) {
    super();
    this.find = find;
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
    this.store.add(workspace.onDidChangeWorkspaceFolders(() => void this.refresh()));
  }

  get isTrusted(): boolean {
    return workspace.isTrusted && this.distrust === undefined;
  }

  /** Checks again for distrust of these folders, and notifies the user if it is new. */
  async refresh(): Promise<void> {
    const before = this.distrust;
    this.distrust = await this.find(workspaceFolders());
    if (this.distrust?.sentence === before?.sentence) return;
    this.changed.fire();
    if (this.distrust && workspace.isTrusted) void this.notify(this.distrust);
  }

  /** Opens the place where the user can change it. */
  async manage(): Promise<void> {
    if (workspace.isTrusted && this.distrust?.file !== undefined) await openFile(this.distrust.file);
    else await commands.executeCommand('workbench.trust.manage');
  }

  private async notify({ sentence, file }: WindowUntrustedReason): Promise<void> {
    const open = t('Open File');
    const chosen = await window.showWarningMessage(sentence, ...(file === undefined ? [] : [open]));
    if (chosen === open && file !== undefined) await openFile(file);
  }
}

async function openFile(path: string): Promise<void> {
  await window.showTextDocument(Uri.file(path));
}
