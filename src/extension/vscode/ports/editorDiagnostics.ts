import { DiagnosticSeverity, languages, Uri, type Diagnostic as VscodeDiagnostic, workspace } from 'vscode';
import { abortable } from '../../base/abort.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Diagnostic, Diagnostics } from '../../platform/diagnostics.ts';
import { openDocument } from './openDocument.ts';

/** Milliseconds. Tools report in several rounds (syntax, then types): it has settled when none came for `quiet`. */
const quiet = 400;
const limit = 2_500;
/** When no tool for a language has ever been heard of here, an edit should not wait long. */
const limitOfUnheard = 700;

/**
 * Problems from VS Code's language tools. They do not say when they are done, so this listens from the start, and
 * remembers for each file up to which version of the document a tool has spoken.
 */
export class EditorDiagnostics implements Diagnostics, Disposable {
  private readonly spoken = new Map<string, number>();
  private readonly heard = new Set<string>();
  private readonly spoke = new Emitter<void>();
  private readonly subscriptions: readonly Disposable[];

  constructor() {
    this.subscriptions = [
      languages.onDidChangeDiagnostics(change => {
        for (const uri of change.uris) this.note(uri);
      }),
      workspace.onDidCloseTextDocument(document => this.spoken.delete(document.uri.toString())),
      this.spoke,
    ];
  }

  async read(path: string): Promise<readonly Diagnostic[]> {
    const own = languages.getDiagnostics(Uri.file(path)).flatMap(found => toDiagnostic(found));
    const others = languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === 'file' && uri.fsPath !== path && workspace.getWorkspaceFolder(uri))
      .flatMap(([uri, found]) => found.flatMap(each => toDiagnostic(each, workspace.asRelativePath(uri))));
    return [...own, ...others];
  }

  async settle(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    signal.throwIfAborted();
    const document = await openDocument(path);
    if (!document) return undefined;
    const key = document.uri.toString();
    const isCurrent = () => this.spoken.get(key) === document.version;
    const patience = this.heard.has(document.languageId) ? limit : limitOfUnheard;
    const calm = this.waitForCalm(isCurrent, patience, signal);
    try {
      await abortable(calm.done, signal);
    } finally {
      calm.dispose();
    }
    return isCurrent() ? this.read(path) : undefined;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private note(uri: Uri): void {
    const key = uri.toString();
    const document = workspace.textDocuments.find(candidate => candidate.uri.toString() === key);
    if (document) {
      this.heard.add(document.languageId);
      this.spoken.set(key, document.version);
    }
    this.spoke.fire();
  }

  /** Done once a tool has spoken of the present version and all were quiet then, or when patience has run out. */
  private waitForCalm(
    isCurrent: () => boolean,
    patience: number,
    signal: AbortSignal,
  ): Disposable & { readonly done: Promise<void> } {
    const timers: { end?: NodeJS.Timeout; calm?: NodeJS.Timeout } = {};
    const store = new DisposableStore();
    store.add(toDisposable(() => clearTimeout(timers.end)));
    store.add(toDisposable(() => clearTimeout(timers.calm)));
    const done = new Promise<void>(resolve => {
      const restart = () => {
        clearTimeout(timers.calm);
        if (isCurrent() && !signal.aborted) timers.calm = setTimeout(resolve, quiet);
      };
      timers.end = setTimeout(resolve, patience);
      store.add(this.spoke.event(restart));
      restart();
    });
    return { done, dispose: () => store.dispose() };
  }
}

/** @param path of a file that is not the one that was asked about */
function toDiagnostic(found: VscodeDiagnostic, path?: string): readonly Diagnostic[] {
  const { severity, range, message, source } = found;
  if (severity !== DiagnosticSeverity.Error && severity !== DiagnosticSeverity.Warning) return [];
  return [
    {
      path,
      severity: severity === DiagnosticSeverity.Error ? 'error' : 'warning',
      line: range.start.line + 1,
      message,
      source,
    },
  ];
}
