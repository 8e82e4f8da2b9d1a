/* Resolves the name that a model gave to one symbol, and describes missing or ambiguous ones. */

import { t } from '../../../protocol/language.ts';
import { formatQuantity } from '../../base/text.ts';
import { ToolFailure } from '../../core/tool.ts';
import type { CodePosition, CodeSymbol } from '../../platform/languages.ts';
import { findIgnoreFileHiding } from '../files/ignoreFiles.ts';
import { findDeclarations, findUsesInFile, requireLanguages, type SymbolPorts } from './findDeclarations.ts';
import { qualifiedName } from './formatSymbols.ts';

/** Returns the declaration, else a use in the given file. */
export async function locateSymbol(
  ports: SymbolPorts,
  name: string,
  file: string | undefined,
  signal: AbortSignal,
): Promise<CodePosition> {
  const found = await withoutIgnored(ports, await findDeclarations(ports, name, file, signal));
  signal.throwIfAborted();
  if (found.length > 1) throw await ambiguousSymbol(ports, name, found);
  const [symbol] = found;
  if (symbol) return symbol.at;
  if (file === undefined) throw unknownSymbol(name);
  for (const point of await findUsesInFile(ports, name, file, signal)) {
    const meant = await requireLanguages(ports).follow(point, 'definition', signal);
    if (meant.length > 0) return point;
  }
  throw new ToolFailure(`The language server knows no symbol ${name} in ${file}.`, () => t('Not found'));
}

/** Leaves out files hidden from agents. If all are, throws the refusal of the first. */
export async function withoutIgnored(
  ports: SymbolPorts,
  found: readonly CodeSymbol[],
): Promise<readonly CodeSymbol[]> {
  if (found.length < 2) return found;
  const ignored = await Promise.all(found.map(({ path }) => findIgnoreFileHiding(ports, path, 'file')));
  const left = found.filter((_, at) => ignored[at] === undefined);
  return left.length > 0 ? left : found.slice(0, 1);
}

export function unknownSymbol(name: string): ToolFailure {
  return new ToolFailure(
    `No file of the workspace is known to declare ${name}. Give file_path of a file that uses it, or use grep_search.`,
    () => t('Not found'),
  );
}

/** Lists the candidates for the next call. */
export async function ambiguousSymbol(
  { paths }: SymbolPorts,
  name: string,
  found: readonly CodeSymbol[],
): Promise<ToolFailure> {
  const lines = await Promise.all(
    found
      .slice(0, 20)
      .map(
        async symbol =>
          `${qualifiedName(symbol)} (${symbol.kind}) ${await paths.show(symbol.path)}:${symbol.at.line}`,
      ),
  );
  if (found.length > lines.length) lines.push(`… and ${found.length - lines.length} more`);
  return new ToolFailure(
    `${name} means ${formatQuantity(found.length, 'symbol')}. Say which by file_path or by Class.name:\n${lines.join('\n')}`,
    () => t('{0} symbols of this name', found.length),
  );
}
