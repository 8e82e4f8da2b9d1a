import {
  type Tab,
  TabInputText,
  TabInputTextDiff,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextEditor,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { headOf } from '../../base/text.ts';
import type { ActiveFile, Editor, EditorContext } from '../../platform/editor.ts';
import { linesOf } from '../lineRange.ts';

const selectionLimit = 16_384;
const editedLimit = 10;
/** Cursor moves come in bursts while a user types. */
const quietMs = 150;

/** VS Code's editors as the user sees them. Only files on disk count, no panels or virtual documents. */
export class VscodeEditor implements Editor, Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  /** Paths in the order of use, newest last. */
  private readonly used = new Set<string>();
  /** Paths of files that the user typed in, newest last. */
  private readonly edited = new Set<string>();
  private readonly writtenByFolio = new Set<TextDocument>();
  /** Documents whose text changed and that are not known to be unsaved. */
  private readonly changedSince = new WeakSet<TextDocument>();
  /** The file whose selected lines the user left out, and the version of its document. */
  private omitted: ReturnType<typeof findActive>;
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.changed.event;

  constructor() {
    this.noteUse(window.activeTextEditor);
    this.store.add(
      window.onDidChangeActiveTextEditor(editor => {
        this.noteUse(editor);
        this.announce();
      }),
    );
    this.store.add(
      window.onDidChangeTextEditorSelection(({ kind }) => {
        // Without a kind, an edit moved or replaced the lines, and they stay left out.
        if (kind === undefined && this.omitted?.path === findActive()?.path) this.omitted &&= findActive();
        else this.withoutOmitted(findActive(), true);
        this.announce();
      }),
    );
    this.store.add(window.tabGroups.onDidChangeTabs(() => this.announce()));
    this.store.add(workspace.onDidChangeTextDocument(event => this.noteChange(event)));
  }

  readContext(): EditorContext {
    const active = this.withoutOmitted(findActive());
    return {
      active,
      open: this.listOpen().filter(path => path !== active?.path),
      edited: [...this.edited].reverse(),
    };
  }

  /** Leaves the selected lines out of the context until others are selected. */
  omitSelection(): void {
    this.omitted = findActive();
    this.changed.fire();
  }

  /** Marks changes of a document during `write` as not typed by the user. */
  async whileFolioWrites<T>(document: TextDocument, write: () => Promise<T>): Promise<T> {
    this.writtenByFolio.add(document);
    this.changedSince.delete(document);
    try {
      return await write();
    } finally {
      this.writtenByFolio.delete(document);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private withoutOmitted(active: ReturnType<typeof findActive>, isChosen = false): ActiveFile | undefined {
    const { omitted } = this;
    if (!omitted) return active;
    // After an edit, the event of the selection is still to come.
    const isEdited = !isChosen && active?.version !== omitted.version;
    // By text, since edits above move the lines.
    const isOmitted = active?.path === omitted.path && (isEdited || active.selection === omitted.selection);
    if (isOmitted) return { ...active, selection: undefined };
    this.omitted = undefined;
    return active;
  }

  private noteUse(editor: TextEditor | undefined): void {
    if (editor?.document.uri.scheme !== 'file') return;
    const path = editor.document.uri.fsPath;
    this.used.delete(path);
    this.used.add(path);
  }

  /**
   * Counts only changes in the active editor, since tools write into other files. A document that changes and stays
   * saved was reloaded after another program wrote it. VS Code reports the first typed letter before it marks the
   * document as unsaved, which is a separate event.
   */
  private noteChange({ document, contentChanges }: TextDocumentChangeEvent): void {
    if (document !== window.activeTextEditor?.document || this.writtenByFolio.has(document)) return;
    if (contentChanges.length > 0) this.changedSince.add(document);
    if (document.isDirty && this.changedSince.delete(document)) this.noteEdit(document);
  }

  private noteEdit(document: TextDocument): void {
    if (document.uri.scheme !== 'file' || !workspace.getWorkspaceFolder(document.uri)) return;
    const path = document.uri.fsPath;
    this.edited.delete(path);
    this.edited.add(path);
    const [oldest] = this.edited;
    if (this.edited.size > editedLimit && oldest !== undefined) this.edited.delete(oldest);
  }

  /** Returns the files in tabs, most recently used first, then those not viewed yet. */
  private listOpen(): readonly string[] {
    const tabs = new Set(window.tabGroups.all.flatMap(group => group.tabs.flatMap(filesOf)));
    for (const path of this.used) if (!tabs.has(path)) this.used.delete(path);
    const recent = [...this.used].reverse();
    return [...new Set([...recent, ...tabs])];
  }

  private announce(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed.fire(), quietMs);
  }
}

function findActive(): (ActiveFile & { readonly version: number }) | undefined {
  const editor = window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  const { document, selection } = editor;
  const cursor = { line: selection.active.line + 1, character: selection.active.character + 1 };
  const selected = selection.isEmpty ? undefined : headOf(document.getText(selection), selectionLimit);
  return {
    path: document.uri.fsPath,
    version: document.version,
    cursor,
    selection: selected,
    selectedLines: selection.isEmpty ? undefined : linesOf(selection),
  };
}

/** The right side of a diff editor can be edited, so it is the active file while the tab is active. */
function filesOf({ input }: Tab): readonly string[] {
  if (input instanceof TabInputText) return fileOf(input.uri);
  return input instanceof TabInputTextDiff ? fileOf(input.modified) : [];
}

function fileOf(uri: Uri): readonly string[] {
  return uri.scheme === 'file' ? [uri.fsPath] : [];
}
