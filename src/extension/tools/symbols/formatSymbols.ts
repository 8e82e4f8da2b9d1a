/* Formats symbols and locations for a model: limited, sorted, file by file. */

import { inEnglish, plural, t } from '../../../protocol/language.ts';
import { formatQuantity, headOf, oneLine } from '../../base/text.ts';
import { shownResult, type ToolResult } from '../../core/tool.ts';
import { ifReadable } from '../../platform/fileSystem.ts';
import type { CodeRange, CodeSymbol, SymbolRelation } from '../../platform/languages.ts';
import { findIgnoreFileHiding } from '../files/ignoreFiles.ts';
import { compareLocations, type SymbolPorts } from './findDeclarations.ts';

const symbolLimit = 200;
const placeLimit = 100;
/** Characters of a line. */
const lineLimit = 200;
/** Lines of a definition to show, which often saves reading the file. */
const bodyLimit = 30;

export function qualifiedName({ container, name }: CodeSymbol): string {
  return container === '' ? name : `${container}.${name}`;
}

/** `3-9 Class Invoice`, indented by nesting. */
export function formatOutline(file: string, symbols: readonly CodeSymbol[]): ToolResult {
  const seen = symbols.filter(({ isLocal }) => !isLocal);
  if (seen.length === 0) {
    return shownResult(`The language server knows no symbols in ${file}.`, () => t('No symbols'));
  }
  const lines = seen.slice(0, symbolLimit).map(({ first, last, kind, name, container }) => {
    const depth = container === '' ? 0 : container.split('.').length;
    return `${'  '.repeat(depth)}${first}-${last} ${kind} ${name}`;
  });
  const more = seen.length > symbolLimit ? `\n… and ${seen.length - symbolLimit} more` : '';
  return shownResult(`${lines.join('\n')}${more}`, () =>
    plural(seen.length, 'one: {0} symbol | other: {0} symbols'),
  );
}

/** Lists the declarations of a name, with the first lines of each. */
export async function formatSymbols(
  ports: SymbolPorts,
  name: string,
  symbols: readonly CodeSymbol[],
): Promise<ToolResult> {
  const shown = symbols.slice(0, placeLimit);
  const places = shown.map(symbol => ({ ...symbol, inside: `${symbol.kind} ${qualifiedName(symbol)}` }));
  const { text } = await writePlaces(ports, places, shown.length === 1 ? bodyLimit : 1);
  const summary = () => plural(symbols.length, 'one: {0} declaration | other: {0} declarations');
  return shownResult(`${inEnglish(summary)} of ${name}:\n${text}`, summary);
}

/** Lists related locations, with the line of each. */
export async function formatPlaces(
  ports: SymbolPorts,
  relation: SymbolRelation,
  symbol: string,
  places: readonly CodeRange[],
): Promise<ToolResult> {
  const found = withoutTwins(places).toSorted(compareLocations);
  const noun = relation.replace('_', ' ').replace(/s$/, '');
  if (found.length === 0)
    return shownResult(`The language server finds no ${noun} of ${symbol}.`, () => t('Nothing found'));
  const isFew = !relation.endsWith('s') && found.length <= 3;
  const { text, hidden } = await writePlaces(ports, found.slice(0, placeLimit), isFew ? bodyLimit : 1);
  const files = new Set(found.map(({ path }) => path)).size;
  const summary = () =>
    t('{0} in {1}', countOf(relation, found.length), plural(files, 'one: {0} file | other: {0} files'));
  const left = found.length - placeLimit;
  const more = left > 0 ? `\n\n… and ${left} more. Use grep_search with include_pattern to see them.` : '';
  return shownResult(`${inEnglish(summary)} (of ${symbol}):\n${text}${more}${hidden}`, summary);
}

function countOf(relation: SymbolRelation, count: number): string {
  switch (relation) {
    case 'references':
      return plural(count, 'one: {0} reference | other: {0} references');
    case 'definition':
      return plural(count, 'one: {0} definition | other: {0} definitions');
    case 'type_definition':
      return plural(count, 'one: {0} type definition | other: {0} type definitions');
    case 'implementations':
      return plural(count, 'one: {0} implementation | other: {0} implementations');
    case 'callers':
      return plural(count, 'one: {0} caller | other: {0} callers');
  }
}

/** Lists a line once, however often the symbol occurs in it. */
function withoutTwins(places: readonly CodeRange[]): readonly CodeRange[] {
  return [...new Map(places.map(place => [`${place.path}\n${place.first}`, place])).values()];
}

interface Written {
  readonly text: string;
  /** Tells how many locations the model may not read; may be empty. */
  readonly hidden: string;
}

async function writePlaces(
  ports: SymbolPorts,
  places: readonly CodeRange[],
  lines: number,
): Promise<Written> {
  const blocks: string[] = [];
  let hidden = 0;
  for (const path of new Set(places.map(place => place.path))) {
    const own = places.filter(place => place.path === path);
    const text = await readShown(ports, path);
    if (text === 'hidden') hidden += own.length;
    else
      blocks.push(
        [await ports.paths.show(path), ...own.map(place => writePlace(place, text, lines))].join('\n'),
      );
  }
  const note = hidden > 0 ? `\n\n${formatQuantity(hidden, 'place')} in protected files left out.` : '';
  return { text: blocks.join('\n\n'), hidden: note };
}

function writePlace({ first, last, inside }: CodeRange, text: string | undefined, lines: number): string {
  const note = inside === undefined ? '' : ` [${inside}]`;
  if (text === undefined) return `${first}:${note}`;
  const end = Math.min(last, first + lines - 1);
  const body = text.split(/\r?\n/).slice(first - 1, Math.max(first, end));
  if (lines === 1) return `${first}: ${oneLine(body[0] ?? '', lineLimit)}${note}`;
  const shown = body.map((line, index) => `${first + index}: ${headOf(line, lineLimit)}`);
  const left = last - end;
  if (note !== '') shown.unshift(note.trim());
  return left > 0 ? `${shown.join('\n')}\n… to line ${last}` : shown.join('\n');
}

/** Returns `undefined` for files outside of the workspace, of which only the location is shown. */
async function readShown(ports: SymbolPorts, path: string): Promise<string | 'hidden' | undefined> {
  const place = await ports.paths.locate(path, 'read');
  if (place.kind === 'refused') return undefined;
  if (place.protection || (await findIgnoreFileHiding(ports, place.path, 'file')) !== undefined)
    return 'hidden';
  return (await ifReadable(ports.files.readText(place.path)))?.text;
}
