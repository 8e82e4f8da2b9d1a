/* Symbol requests that VS Code forwards to language servers. */

import {
  commands,
  type DocumentSymbol,
  type Range,
  type SymbolInformation,
  SymbolKind,
  Uri,
  workspace,
} from 'vscode';
import { abortable } from '../../base/abort.ts';
import type { CodeSymbol } from '../../platform/languages.ts';
import type { SymbolLocation } from '../../platform/workbench.ts';

export async function requestWorkspaceSymbols(
  query: string,
  signal: AbortSignal,
): Promise<readonly SymbolLocation[]> {
  const asking = commands.executeCommand<SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const found = (await abortable(Promise.resolve(asking), signal)) ?? [];
  return found
    .filter(({ location }) => location.uri.scheme === 'file' && workspace.getWorkspaceFolder(location.uri))
    .map(({ name, kind, location }) => ({
      name: plainName(name),
      kind: kindOf(kind),
      path: location.uri.fsPath,
      ...inclusiveLinesOf(location.range),
    }));
}

/** Returns the symbols of a file, each before those inside of it. */
export async function requestOutline(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const asking = commands.executeCommand<(DocumentSymbol | SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    Uri.file(path),
  );
  const outline = (await abortable(Promise.resolve(asking), signal)) ?? [];
  return outline
    .flatMap(symbol => ('children' in symbol ? flatten(path, symbol, top) : [fromFlat(path, symbol)]))
    .toSorted((a, b) => a.first - b.first);
}

/** Enclosing symbols. */
interface Around {
  readonly container: string;
  readonly isLocal: boolean;
}

const top: Around = { container: '', isLocal: false };
const functions: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Constructor,
]);

function flatten(path: string, symbol: DocumentSymbol, around: Around): readonly CodeSymbol[] {
  const name = plainName(symbol.name);
  const { container, isLocal } = around;
  const own: CodeSymbol = {
    name,
    kind: kindOf(symbol.kind),
    path,
    ...inclusiveLinesOf(symbol.range),
    container,
    isLocal,
    at: pointOf(path, symbol.selectionRange),
  };
  const inner: Around = {
    container: container === '' ? name : `${container}.${name}`,
    isLocal: isLocal || functions.has(symbol.kind),
  };
  return [own, ...symbol.children.flatMap(child => flatten(path, child, inner))];
}

function fromFlat(path: string, symbol: SymbolInformation): CodeSymbol {
  return {
    name: plainName(symbol.name),
    kind: kindOf(symbol.kind),
    path,
    ...inclusiveLinesOf(symbol.location.range),
    container: symbol.containerName ?? '',
    isLocal: false,
    at: pointOf(path, symbol.location.range),
  };
}

/** Some servers append the parameters to the name. */
function plainName(name: string): string {
  return name.replace(/\(.*\)$/, '');
}

function kindOf(kind: SymbolKind): string {
  return SymbolKind[kind] ?? 'Symbol';
}

/** From 1, both inclusive. */
export function inclusiveLinesOf({ start, end }: Range): { readonly first: number; readonly last: number } {
  return { first: start.line + 1, last: end.line + 1 };
}

function pointOf(path: string, { start }: Range) {
  return { path, line: start.line + 1, column: start.character + 1 };
}
