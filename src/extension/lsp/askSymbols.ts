/* Outlines of files, symbols of the project, and relations of symbols. */

import type { CodePosition, CodeRange, CodeSymbol, SymbolRelation } from '../platform/languages.ts';
import {
  callHierarchyItemsSchema,
  type DocumentSymbol,
  documentSymbolsSchema,
  type FlatSymbol,
  hasProvider,
  incomingCallsSchema,
  locationsSchema,
  workspaceSymbolsSchema,
} from './answers.ts';
import type { RunningServer } from './languageServer.ts';
import { linesOf, toCodePosition, toLspPosition, toPath } from './places.ts';

/** Returns the symbols of an open file, each before those inside of it; `undefined` if there is no such file. */
export async function requestDocumentSymbols(
  { connection, documents, capabilities }: RunningServer,
  path: string,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[] | undefined> {
  const document = hasProvider(capabilities, 'documentSymbolProvider')
    ? await documents.show(path)
    : undefined;
  if (!document) return undefined;
  const params = { textDocument: { uri: document.uri } };
  const found = await connection.request(
    'textDocument/documentSymbol',
    params,
    documentSymbolsSchema,
    signal,
  );
  return found
    .flatMap(symbol => ('location' in symbol ? [fromFlat(path, symbol)] : flatten(path, symbol, top, 0)))
    .toSorted((a, b) => a.first - b.first);
}

/** Absolute paths of files that declare exactly this name. */
export async function requestDeclaringFiles(
  { connection, capabilities }: RunningServer,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!hasProvider(capabilities, 'workspaceSymbolProvider')) return [];
  const found = await connection.request('workspace/symbol', { query: name }, workspaceSymbolsSchema, signal);
  return found
    .filter(symbol => plainName(symbol.name) === name)
    .flatMap(({ location }) => toPath(location.uri) ?? []);
}

const questions: Readonly<
  Record<Exclude<SymbolRelation, 'callers'>, readonly [method: string, provider: string]>
> = {
  references: ['textDocument/references', 'referencesProvider'],
  definition: ['textDocument/definition', 'definitionProvider'],
  type_definition: ['textDocument/typeDefinition', 'typeDefinitionProvider'],
  implementations: ['textDocument/implementation', 'implementationProvider'],
};

export async function requestRelated(
  server: RunningServer,
  point: CodePosition,
  relation: SymbolRelation,
  signal: AbortSignal,
): Promise<readonly CodeRange[]> {
  const document = await server.documents.show(point.path);
  if (!document) return [];
  const at = { textDocument: { uri: document.uri }, position: toLspPosition(point) };
  if (relation === 'callers') return await askCallers(server, at, signal);
  const [method, provider] = questions[relation];
  if (!hasProvider(server.capabilities, provider)) return [];
  const params = relation === 'references' ? { ...at, context: { includeDeclaration: true } } : at;
  const found = await server.connection.request(method, params, locationsSchema, signal);
  return found.flatMap(({ uri, range }) => {
    const path = toPath(uri);
    return path === undefined ? [] : [{ path, ...linesOf(range) }];
  });
}

/** Items of one name. More would be overloads. */
const maxItems = 20;

async function askCallers(
  { connection, capabilities }: RunningServer,
  at: object,
  signal: AbortSignal,
): Promise<readonly CodeRange[]> {
  if (!hasProvider(capabilities, 'callHierarchyProvider')) return [];
  const items = await connection.request(
    'textDocument/prepareCallHierarchy',
    at,
    callHierarchyItemsSchema,
    signal,
  );
  const found: CodeRange[] = [];
  for (const item of items.slice(0, maxItems)) {
    const calls = await connection.request(
      'callHierarchy/incomingCalls',
      { item },
      incomingCallsSchema,
      signal,
    );
    for (const { from, fromRanges } of calls) {
      const path = toPath(from.uri);
      if (path === undefined) continue;
      const inside = plainName(from.name);
      found.push(...fromRanges.map(range => ({ path, ...linesOf(range), inside })));
    }
  }
  return found;
}

/** Enclosing symbols. */
interface Around {
  readonly container: string;
  readonly isLocal: boolean;
}

const top: Around = { container: '', isLocal: false };
/** No code nests symbols deeper. */
const deepest = 60;

function flatten(path: string, symbol: DocumentSymbol, around: Around, depth: number): readonly CodeSymbol[] {
  const name = plainName(symbol.name);
  const kind = kindOf(symbol.kind);
  const { container, isLocal } = around;
  const at = toCodePosition(path, symbol.selectionRange);
  const own: CodeSymbol = { name, kind, path, ...linesOf(symbol.range), container, isLocal, at };
  const inner: Around = {
    container: container === '' ? name : `${container}.${name}`,
    isLocal: isLocal || functions.has(kind),
  };
  const children = depth < deepest ? (symbol.children ?? []) : [];
  return [own, ...children.flatMap(child => flatten(path, child, inner, depth + 1))];
}

function fromFlat(path: string, { name, kind, location, containerName }: FlatSymbol): CodeSymbol {
  return {
    name: plainName(name),
    kind: kindOf(kind),
    path,
    ...linesOf(location.range),
    container: containerName ?? '',
    isLocal: false,
    at: toCodePosition(path, location.range),
  };
}

/** Some servers append the parameters to the name. */
function plainName(name: string): string {
  return name.replace(/\(.*\)$/, '');
}

function kindOf(kind: number): string {
  return kinds[kind - 1] ?? 'Symbol';
}

const functions: ReadonlySet<string> = new Set(['Function', 'Method', 'Constructor']);

/** Symbol kinds of the protocol, numbered from 1. */
const kinds: readonly string[] = [
  'File',
  'Module',
  'Namespace',
  'Package',
  'Class',
  'Method',
  'Property',
  'Field',
  'Constructor',
  'Enum',
  'Interface',
  'Function',
  'Variable',
  'Constant',
  'String',
  'Number',
  'Boolean',
  'Array',
  'Object',
  'Key',
  'Null',
  'EnumMember',
  'Struct',
  'Event',
  'Operator',
  'TypeParameter',
];
