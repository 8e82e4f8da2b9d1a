import { type Diagnostic, DiagnosticSeverity, languages, type Uri, window, workspace } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { FileProblem, SymbolLocation, TerminalCommand, Workbench } from '../../platform/workbench.ts';
import { LastTerminalCommand } from './lastTerminalCommand.ts';
import { requestOutline, requestWorkspaceSymbols } from './requestSymbols.ts';

/** Maximal results of one request to language tools. */
const symbolLimit = 100;
/** Symbols of one name whose full range is requested. */
const definitionLimit = 10;

/** State of the window besides files. Observes terminals from the start, since their output cannot be read later. */
export class VscodeWorkbench implements Workbench, Disposable {
  private readonly terminals = new LastTerminalCommand();

  async findSymbols(query: string, signal: AbortSignal): Promise<readonly SymbolLocation[]> {
    return (await requestWorkspaceSymbols(query, signal)).slice(0, symbolLimit);
  }

  async findDefinitions(name: string, signal: AbortSignal): Promise<readonly SymbolLocation[]> {
    const all = await requestWorkspaceSymbols(name, signal);
    const exact = all.filter(symbol => symbol.name === name).slice(0, definitionLimit);
    return await Promise.all(exact.map(symbol => widen(symbol, signal)));
  }

  listProblems(): readonly FileProblem[] {
    const visible = new Set(window.visibleTextEditors.map(({ document }) => document.uri.toString()));
    const open = new Set(workspace.textDocuments.map(({ uri }) => uri.toString()));
    const nearness = (uri: Uri) => (visible.has(uri.toString()) ? 0 : open.has(uri.toString()) ? 1 : 2);
    return languages
      .getDiagnostics()
      .filter(([uri]) => uri.scheme === 'file' && workspace.getWorkspaceFolder(uri) !== undefined)
      .map(([uri, found]) => ({ nearness: nearness(uri), problems: toProblems(uri, found) }))
      .sort((a, b) => a.nearness - b.nearness)
      .flatMap(({ problems }) => problems);
  }

  lastCommand(): TerminalCommand | undefined {
    return this.terminals.read();
  }

  dispose(): void {
    this.terminals.dispose();
  }
}

function toProblems(uri: Uri, found: readonly Diagnostic[]): readonly FileProblem[] {
  return found
    .filter(({ severity }) => severity <= DiagnosticSeverity.Warning)
    .toSorted((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line)
    .map(({ severity, range, message, source }) => ({
      path: uri.fsPath,
      severity: severity === DiagnosticSeverity.Error ? 'error' : 'warning',
      line: range.start.line + 1,
      message,
      source,
    }));
}

/** Many tools return only the range of the name. The outline of its file has the full range. */
async function widen(symbol: SymbolLocation, signal: AbortSignal): Promise<SymbolLocation> {
  for (const { name, first, last } of await requestOutline(symbol.path, signal)) {
    if (name !== symbol.name || first > symbol.first || last < symbol.first) continue;
    return { ...symbol, first: Math.min(first, symbol.first), last: Math.max(last, symbol.last) };
  }
  return symbol;
}
