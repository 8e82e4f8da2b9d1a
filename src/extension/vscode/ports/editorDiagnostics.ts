import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiagnosticSeverity,
  languages,
  type TextDocument,
  Uri,
  type Diagnostic as VscodeDiagnostic,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Diagnostic, DiagnosticReader } from '../../platform/diagnostics.ts';
import { DiagnosticsSettleEstimator } from './diagnosticsSettleEstimator.ts';
import { openDocument } from './openDocument.ts';

/**
 * Problems from VS Code's language tools. These report neither completion nor the text version, so this observes
 * reports and changes from the start.
 */
export class EditorDiagnostics implements DiagnosticReader, Disposable {
  private readonly pace = new DiagnosticsSettleEstimator();
  /** Files that tools have reported on since they were opened; `true` if also since the last change of their text. */
  private readonly spoken = new Map<string, boolean>();
  private readonly subscriptions: readonly Disposable[];

  constructor() {
    this.subscriptions = [
      languages.onDidChangeDiagnostics(({ uris }) => this.noteReport(uris)),
      workspace.onDidOpenTextDocument(document => this.noteChange(document)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.noteChange(document);
      }),
      workspace.onDidCloseTextDocument(document => this.spoken.delete(document.uri.toString())),
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
    const isSettled = await this.waitUntilSettled(signal, document.languageId);
    return isSettled && this.isSpokenOf(document) ? this.read(path) : undefined;
  }

  async settleAll(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    return await this.waitUntilSettled(signal);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /**
   * True after a report on the file since it changed, or, if it had a report before, on other files since then: its
   * problems are unchanged.
   */
  private isSpokenOf({ uri }: TextDocument): boolean {
    const spoken = this.spoken.get(uri.toString());
    return spoken === true || (spoken === false && this.pace.hasAnswered);
  }

  /** Returns false if the limit came first, or tools are too slow for it. */
  private async waitUntilSettled(signal: AbortSignal, language?: string): Promise<boolean> {
    const end = performance.now() + DiagnosticsSettleEstimator.limit;
    for (;;) {
      const now = performance.now();
      const rest = this.pace.untilSettled(now, language);
      if (rest <= 0) return !this.pace.isSlow;
      if (now >= end) return false;
      await abortable(sleep(Math.min(rest, end - now)), signal);
    }
  }

  private noteChange({ uri, languageId }: TextDocument): void {
    if (uri.scheme !== 'file') return;
    const key = uri.toString();
    if (this.spoken.has(key)) this.spoken.set(key, false);
    this.pace.change(performance.now(), languageId);
  }

  private noteReport(uris: readonly Uri[]): void {
    const reported = new Set(uris.map(uri => uri.toString()));
    const about = workspace.textDocuments.filter(({ uri }) => reported.has(uri.toString()));
    for (const { uri } of about) this.spoken.set(uri.toString(), true);
    this.pace.report(
      performance.now(),
      about.map(({ languageId }) => languageId),
    );
  }
}

/** @param path of a file other than the one that was asked about */
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
