import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import {
  type CallContext,
  defineReadTool,
  type Tool,
  ToolFailure,
  type ToolResult,
} from '../../core/tool.ts';
import {
  type CodePosition,
  type CodeRange,
  type CodeSymbol,
  type SymbolRelation,
  symbolRelations,
} from '../../platform/languages.ts';
import { shortPath } from '../files/shortPath.ts';
import {
  convertLanguageErrors,
  findDeclarations,
  findUsesInFile,
  requireLanguages,
  resolveReadable,
  type SymbolPorts,
} from './findDeclarations.ts';
import { formatOutline, formatPlaces, formatSymbols, qualifiedName } from './formatSymbols.ts';
import { ambiguousSymbol, unknownSymbol, withoutIgnored } from './locateSymbol.ts';

const input = lazySchema(() =>
  z.object({
    name: z.string().optional().describe('Name, or Class.name. Absent: the outline of file_path'),
    file_path: z.string().optional().describe('File that declares or uses it'),
    find: z.enum(symbolRelations).optional().describe('Absent: where it is declared'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function findSymbolTool(ports: SymbolPorts): Tool<Input, undefined> {
  return defineReadTool({
    name: 'find_symbol',
    description:
      'Asks the language server about a symbol, by meaning and not by spelling: declaration, who uses it, who calls it.',
    input,
    isOffered: () => ports.languages?.isAvailable ?? false,
    title: describeQuestion,
    target: ({ file_path = '.' }) => ({ kind: 'paths', paths: [file_path], access: 'read' }),
    run: (asked, call) => convertLanguageErrors(answer(ports, asked, call)),
  });
}

function describeQuestion({ name, file_path, find }: Input): string {
  const path = file_path === undefined ? '' : shortPath(file_path);
  if (name === undefined) return path ? t('Outline of {0}', path) : t('Outline');
  const what = find === undefined ? name : saidOf(find, name);
  return path ? t('Find {0} in {1}', what, path) : t('Find {0}', what);
}

function saidOf(relation: SymbolRelation, name: string): string {
  switch (relation) {
    case 'references':
      return t('references of {0}', name);
    case 'definition':
      return t('definition of {0}', name);
    case 'type_definition':
      return t('type definition of {0}', name);
    case 'implementations':
      return t('implementations of {0}', name);
    case 'callers':
      return t('callers of {0}', name);
  }
}

function words(relation: SymbolRelation): string {
  return relation.replace('_', ' ');
}

async function answer(ports: SymbolPorts, asked: Input, call: CallContext): Promise<ToolResult> {
  const { name, file_path, find } = asked;
  if (name === undefined || name === '') return await outline(ports, file_path, call);
  const found = await findDeclarations(ports, name, file_path, call.signal);
  call.signal.throwIfAborted();
  if (found.length === 0 && file_path !== undefined)
    return await askWhereUsed(ports, name, file_path, find, call);
  if (found.length === 0) throw unknownSymbol(name);
  if (find === undefined) return await formatSymbols(ports, name, found);
  const open = await withoutIgnored(ports, found);
  if (open.length > 1) throw await ambiguousSymbol(ports, name, open);
  const [symbol] = open as [CodeSymbol];
  const places = await requireLanguages(ports).follow(symbol.at, find, call.signal);
  return await formatRelation(ports, find, { name: qualifiedName(symbol), point: symbol.at }, places);
}

async function outline(
  ports: SymbolPorts,
  file: string | undefined,
  { signal }: CallContext,
): Promise<ToolResult> {
  if (file === undefined)
    throw new ToolFailure('Give a name, a file_path or both.', () => t('No name or file given'));
  const path = await resolveReadable(ports, file);
  const symbols = await requireLanguages(ports).outline(path, signal);
  return formatOutline(file, symbols);
}

/** The file only uses the symbol. The server resolves each use. */
async function askWhereUsed(
  ports: SymbolPorts,
  name: string,
  file: string,
  find: SymbolRelation | undefined,
  { signal }: CallContext,
): Promise<ToolResult> {
  const relation = find ?? 'definition';
  for (const point of await findUsesInFile(ports, name, file, signal)) {
    const places = await requireLanguages(ports).follow(point, relation, signal);
    if (places.length > 0) return await formatRelation(ports, relation, { name, point }, places);
  }
  throw new ToolFailure(
    `The language server finds no ${find === undefined ? 'symbol' : `${words(find)} of a symbol`} ${name} in ${file}. Without file_path the whole workspace is looked through.`,
    () => t('Not found'),
  );
}

async function formatRelation(
  ports: SymbolPorts,
  relation: SymbolRelation,
  symbol: { readonly name: string; readonly point: CodePosition },
  places: readonly CodeRange[],
): Promise<ToolResult> {
  const where = `${await ports.paths.show(symbol.point.path)}:${symbol.point.line}`;
  return await formatPlaces(ports, relation, `${symbol.name} (${where})`, places);
}
