import {
  commands,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  languages,
  type SymbolInformation,
  SymbolKind,
  Uri,
  window,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { FileProblem, SymbolPlace, TerminalCommand, Workbench } from '../../platform/workbench.ts';
import { LastTerminalCommand } from './lastTerminalCommand.ts';

/** Of one question to language tools. */
const symbolLimit = 100;
/** Symbols of one name whose whole range is asked for. */
const definitionLimit = 10;

/** What VS Code's window knows beside files. Terminals are listened to from the start, since none repeats itself. */
export class VscodeWorkbench implements Workbench, Disposable {
  private readonly terminals = new LastTerminalCommand();

  async findSymbols(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[]> {
    return (await askWorkspace(query, signal)).slice(0, symbolLimit);
  }

  async findDefinitions(name: string, signal: AbortSignal): Promise<readonly SymbolPlace[]> {
    const all = await askWorkspace(name, signal);
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

async function askWorkspace(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[]> {
  const asking = commands.executeCommand<SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const found = (await abortable(Promise.resolve(asking), signal)) ?? [];
  return found
    .filter(({ location }) => location.uri.scheme === 'file' && workspace.getWorkspaceFolder(location.uri))
    .map(({ name, kind, location }) => ({
      // Some tools write the parameters behind the name.
      name: name.replace(/\(.*\)$/, ''),
      kind: SymbolKind[kind] ?? 'Symbol',
      path: location.uri.fsPath,
      first: location.range.start.line + 1,
      last: location.range.end.line + 1,
    }));
}

/** Many tools give the place of the name alone; the outline of its file knows where the whole ends. */
async function widen(symbol: SymbolPlace, signal: AbortSignal): Promise<SymbolPlace> {
  const asking = commands.executeCommand<(DocumentSymbol | SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    Uri.file(symbol.path),
  );
  const outline = (await abortable(Promise.resolve(asking), signal)) ?? [];
  for (const { name, first, last } of outline.flatMap(flatten)) {
    if (name !== symbol.name || first > symbol.first || last < symbol.first) continue;
    return { ...symbol, first: Math.min(first, symbol.first), last: Math.max(last, symbol.last) };
  }
  return symbol;
}

function flatten(
  symbol: DocumentSymbol | SymbolInformation,
): readonly { readonly name: string; readonly first: number; readonly last: number }[] {
  const range = 'children' in symbol ? symbol.range : symbol.location.range;
  const own = { name: symbol.name, first: range.start.line + 1, last: range.end.line + 1 };
  return 'children' in symbol ? [own, ...symbol.children.flatMap(flatten)] : [own];
}
