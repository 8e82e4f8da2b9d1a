import * as z from 'zod';
import { plural, t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { formatQuantity } from '../base/text.ts';
import { type CallContext, defineReadTool, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';
import type { Clock } from '../platform/clock.ts';
import { type FileMatches, type Search, SearchError } from '../platform/search.ts';
import { formatListedName } from './files/formatListedName.ts';
import {
  type FolderPorts,
  findIgnoredFolder,
  formatFolderNames,
  readExcludedFolderNames,
} from './files/ignoredFolders.ts';

/** Maximal number of paths for the model. */
const listLimit = 500;
/** Above this, statting every file costs more than the order is worth. */
const datingLimit = 5_000;
const datingAtOnce = 32;
const recentMs = 24 * 60 * 60 * 1000;

export interface GlobPorts extends FolderPorts {
  readonly search: Pick<Search, 'findFiles'>;
  readonly clock: Pick<Clock, 'now'>;
}

const input = lazySchema(() =>
  z.object({
    pattern: z.string().describe('Glob relative to dir_path, e.g. src/**/*.ts'),
    dir_path: z.string().optional().describe('Folder; default: whole workspace'),
    case_sensitive: z.boolean().optional(),
    respect_git_ignore: z.boolean().optional().describe('Default true'),
    respect_gemini_ignore: z.boolean().optional().describe('Default true'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

export function globTool(ports: GlobPorts): Tool<Input, undefined> {
  return defineReadTool({
    name: 'glob',
    description: 'Finds files by name pattern. Files changed in the last 24 h come first, newest on top.',
    input,
    title: ({ pattern, dir_path }) =>
      dir_path ? t('Find {0} in {1}', pattern, dir_path) : t('Find {0}', pattern),
    target: ({ dir_path = '.' }) => ({ kind: 'paths', paths: [dir_path], access: 'read' }),
    run: (query, call) => findByPattern(ports, query, call),
  });
}

async function findByPattern(ports: GlobPorts, query: Input, call: CallContext): Promise<ToolResult> {
  if (query.pattern.trim() === '') throw new ToolFailure(() => t('The pattern is empty.'));
  const folders = await foldersOf(ports, query.dir_path);
  const each = await Promise.all(folders.map(folder => findBelow(ports, folder, query, call.signal)));
  const found = each.flatMap(({ paths }) => paths);
  const where = query.dir_path === undefined ? 'the workspace' : await ports.paths.show(folders[0]!);
  const left = each.flatMap(({ inIgnored }) => inIgnored);
  const without = describeLeftOut(
    left,
    each.reduce((sum, { closed }) => sum + closed, 0),
  );
  if (found.length === 0) return nothing(query.pattern, where, without, left.length > 0);
  const { paths, isDated } = await order(ports, found, call.signal);
  const shown = await Promise.all(
    paths.slice(0, listLimit).map(async path => formatListedName(await ports.paths.show(path))),
  );
  const sorting = isDated ? '' : ', too many to sort by age';
  const head = `${formatQuantity(found.length, 'file')} in ${where} match ${query.pattern}${without}${sorting}:`;
  const rest = found.length - shown.length;
  const tail =
    rest > 0
      ? `\n… ${rest} more. Narrow the pattern or give dir_path, for example the folder that matters.`
      : '';
  const list = shown.join('\n');
  return {
    text: `${head}\n${list}${tail}`,
    display: {
      summary: () => plural(found.length, 'one: {0} file | other: {0} files'),
      detail: { kind: 'text', text: list + tail },
    },
    bounded: true,
  };
}

async function foldersOf(ports: GlobPorts, wanted: string | undefined): Promise<readonly string[]> {
  if (wanted === undefined && ports.paths.all.length > 0) return ports.paths.all;
  const folder = await ports.paths.resolve(wanted ?? '.', 'read');
  const stat = await ports.files.stat(folder);
  if (!stat) throw new ToolFailure(`There is no folder ${wanted}.`, () => t('No such folder'));
  if (stat.kind !== 'directory') throw new ToolFailure(`${wanted} is not a folder.`, () => t('Not a folder'));
  return [folder];
}

interface Below {
  readonly paths: readonly string[];
  /** Names of the ignored folders that contain matches, one per match. */
  readonly inIgnored: readonly string[];
  /** Number of protected files. */
  readonly closed: number;
}

async function findBelow(
  ports: GlobPorts,
  folder: string,
  query: Input,
  signal: AbortSignal,
): Promise<Below> {
  const { paths: matches } = await findIn(ports.search, folder, query, signal);
  const isAllAsked = query.respect_git_ignore === false;
  const names = isAllAsked
    ? new Set<string>()
    : await readExcludedFolderNames(ports, folder, [query.pattern]);
  const wanted: string[] = [];
  const inIgnored: string[] = [];
  for (const path of matches) {
    const name = findIgnoredFolder(names, folder, path);
    if (name === undefined) wanted.push(path);
    else inIgnored.push(name);
  }
  const paths = await ports.paths.unprotected(wanted);
  return { paths, inIgnored, closed: wanted.length - paths.length };
}

function describeLeftOut(inIgnored: readonly string[], closed: number): string {
  const ignored =
    inIgnored.length > 0
      ? ` (${formatQuantity(inIgnored.length, 'more file')} in ${formatFolderNames(inIgnored)} left out)`
      : '';
  return closed > 0 ? `${ignored} (${formatQuantity(closed, 'protected file')} left out)` : ignored;
}

async function findIn(
  search: GlobPorts['search'],
  folder: string,
  query: Input,
  signal: AbortSignal,
): Promise<FileMatches> {
  try {
    return await search.findFiles(
      {
        folder,
        pattern: query.pattern,
        caseSensitive: query.case_sensitive ?? false,
        respectGitIgnore: query.respect_git_ignore ?? true,
        respectGeminiIgnore: query.respect_gemini_ignore ?? true,
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    throw new ToolFailure(`The pattern cannot be used: ${error.message}`, () => t('Wrong pattern'));
  }
}

function nothing(pattern: string, where: string, without: string, isLeftOut: boolean): ToolResult {
  const hint = isLeftOut
    ? ' To see those, name the folder in pattern or dir_path, or set respect_git_ignore to false.'
    : ' Patterns are relative to the folder; start with **/ to look at any depth.';
  return {
    text: `No file in ${where} matches ${pattern}${without}.${hint}`,
    display: { summary: () => t('No files') },
    bounded: true,
  };
}

interface Ordered {
  readonly paths: readonly string[];
  readonly isDated: boolean;
}

/** Files changed in the last day come first, newest first; the rest by name. */
async function order(ports: GlobPorts, found: readonly string[], signal: AbortSignal): Promise<Ordered> {
  const byName = [...found].sort((a, b) => (a < b ? -1 : 1));
  if (byName.length > datingLimit) return { paths: byName, isDated: false };
  const since = ports.clock.now() - recentMs;
  const recent: { path: string; at: number }[] = [];
  const older: string[] = [];
  for (let from = 0; from < byName.length; from += datingAtOnce) {
    signal.throwIfAborted();
    const batch = byName.slice(from, from + datingAtOnce);
    const stats = await Promise.all(batch.map(path => ports.files.stat(path)));
    batch.forEach((path, index) => {
      const at = stats[index]?.modifiedAt ?? 0;
      if (at > since) recent.push({ path, at });
      else older.push(path);
    });
  }
  recent.sort((a, b) => b.at - a.at);
  return { paths: [...recent.map(entry => entry.path), ...older], isDated: true };
}
