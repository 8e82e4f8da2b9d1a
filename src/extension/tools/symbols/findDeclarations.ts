import { t } from '../../../protocol/language.ts';
import { escapeRegExp } from '../../base/text.ts';
import { ToolFailure } from '../../core/tool.ts';
import {
  type CodePosition,
  type CodeSymbol,
  LanguageError,
  type Languages,
} from '../../platform/languages.ts';
import type { Search } from '../../platform/search.ts';
import { describeMissingFile } from '../files/describeMissingFile.ts';
import type { FilePorts } from '../files/editableFile.ts';
import { type AgentIgnorePorts, refuseAgentIgnored } from '../files/ignoreFiles.ts';

export interface SymbolPorts extends FilePorts, AgentIgnorePorts {
  readonly search: Pick<Search, 'findText'>;
  /** Absent without language servers. */
  readonly languages?: Languages;
}

/** Files whose outlines are read to find a name that no server has indexed yet. */
const fileLimit = 10;
/** Uses of a name to try in a file that does not declare it. */
const pointLimit = 10;

/** Finds the declarations that a model means. `Invoice.total` is a `total` in an `Invoice`. */
export async function findDeclarations(
  ports: SymbolPorts,
  name: string,
  file: string | undefined,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const languages = requireLanguages(ports);
  const { own, container } = splitName(name);
  const means = (symbol: CodeSymbol) =>
    symbol.name === name || (symbol.name === own && `.${symbol.container}`.endsWith(container));
  const paths =
    file === undefined
      ? await findFiles(ports, languages, own, signal)
      : [await resolveReadable(ports, file)];
  const found: CodeSymbol[] = [];
  for (const path of paths) found.push(...(await languages.outline(path, signal)).filter(means));
  return withoutOverloads(found).toSorted(compareLocations);
}

/** Finds uses of a name in a file that does not declare it. */
export async function findUsesInFile(
  { search, paths }: SymbolPorts,
  name: string,
  file: string,
  signal: AbortSignal,
): Promise<readonly CodePosition[]> {
  const path = await paths.resolve(file, 'read');
  const { own } = splitName(name);
  const word = wordOf(own);
  const { files } = await search.findText(
    { path, pattern: word, caseSensitive: true, noIgnore: true, maxTotal: pointLimit },
    signal,
  );
  return files.flatMap(({ lines }) =>
    lines.map(({ number, text }) => ({
      path,
      line: number,
      column: text.search(new RegExp(word)) + 1,
    })),
  );
}

export function requireLanguages({ languages }: SymbolPorts): Languages {
  if (languages?.isAvailable) return languages;
  throw new ToolFailure('No language server answers here. Use grep_search.', () => t('No language server'));
}

/** Turns a server that ended or stopped responding into a sentence for the model. */
export async function convertLanguageErrors<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof LanguageError) throw new ToolFailure(error.message, () => t('No answer'));
    throw error;
  }
}

/** Returns the real path of a file that may be read. */
export async function resolveReadable(ports: SymbolPorts, file: string): Promise<string> {
  const path = await ports.paths.resolve(file, 'read');
  const stat = await ports.files.stat(path);
  if (!stat) throw await describeMissingFile(ports, path);
  if (stat.kind !== 'file') throw new ToolFailure(`${file} is not a file.`, () => t('Not a file'));
  await refuseAgentIgnored(ports, path, 'file');
  return path;
}

/** A server that is still indexing knows few names, so files are also searched as text. */
async function findFiles(
  ports: SymbolPorts,
  languages: Languages,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const known = await languages.findDeclaringFiles(name, signal);
  const free = known.length > 0 ? known : await findWord(ports, name, signal);
  return await ports.paths.unprotected(free);
}

async function findWord(
  { search, paths }: SymbolPorts,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths.all) {
    const query = { path, pattern: wordOf(name), caseSensitive: true, maxPerFile: 1, maxTotal: fileLimit };
    const { files } = await search.findText(query, signal);
    found.push(...files.map(file => file.path));
  }
  return found.toSorted().slice(0, fileLimit);
}

function wordOf(name: string): string {
  const plain = escapeRegExp(name);
  return `${/^\w/.test(name) ? '\\b' : ''}${plain}${/\w$/.test(name) ? '\\b' : ''}`;
}

function splitName(name: string): { readonly own: string; readonly container: string } {
  const [own = name, ...around] = name.split(/\.|::|#/).reverse();
  return around.length === 0 ? { own, container: '' } : { own, container: `.${around.reverse().join('.')}` };
}

/** Overloads and merged declarations count as one symbol. The first represents all. */
function withoutOverloads(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const seen = new Set<string>();
  return symbols.filter(({ path, container, name }) => {
    const key = [path, container, name].join('\n');
    return !seen.has(key) && seen.add(key);
  });
}

export function compareLocations(
  a: { readonly path: string; readonly first: number },
  b: { readonly path: string; readonly first: number },
): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.first - b.first;
}
