import { basename, relative, sep } from 'node:path';
import * as z from 'zod';
import { t } from '../../protocol/language.ts';
import { lazySchema } from '../../protocol/lazySchema.ts';
import { type CallContext, defineReadTool, type Tool, ToolFailure, type ToolResult } from '../core/tool.ts';
import {
  type FileTextMatches,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../platform/search.ts';
import { formatMatches } from './files/grepText.ts';
import {
  type FolderPorts,
  findIgnoredFolder,
  formatFolderNames,
  readExcludedFolderNames,
} from './files/ignoredFolders.ts';
import { type IgnoreRuleFiles, type IgnoreRulePorts, refuseAgentIgnored } from './files/ignoreFiles.ts';

const defaultTotal = 100;
const timeoutSeconds = 30;

export interface GrepPorts extends FolderPorts, IgnoreRulePorts {
  readonly files: IgnoreRuleFiles;
  readonly search: Search;
  /** Returns the timeout of a search in seconds. */
  readonly timeout?: () => number;
}

const count = z.number().int();
const input = lazySchema(() =>
  z.object({
    pattern: z.string().describe('Regular expression'),
    dir_path: z.string().optional().describe('Folder or file; default: workspace'),
    include_pattern: z.string().optional().describe('Glob of files, e.g. *.{ts,tsx}'),
    exclude_pattern: z.string().optional().describe('Regex: drops lines that match'),
    names_only: z.boolean().optional().describe('Only file paths'),
    case_sensitive: z.boolean().optional(),
    fixed_strings: z.boolean().optional().describe('pattern is literal text'),
    context: count.optional().describe('Lines around'),
    after: count.optional(),
    before: count.optional(),
    no_ignore: z.boolean().optional().describe('Also ignored files'),
    max_matches_per_file: count.optional(),
    total_max_matches: count.optional().describe('Default 100'),
  }),
);
type GrepInput = z.infer<ReturnType<typeof input>>;

export function grepSearchTool(ports: GrepPorts): Tool<GrepInput, undefined> {
  return defineReadTool({
    name: 'grep_search',
    description:
      'Searches file contents, ignoring case by default. Few matches come with the lines around them, which often saves reading the file.',
    input,
    title: ({ pattern, dir_path, include_pattern }) =>
      `${dir_path ? t('Search for {0} in {1}', pattern, dir_path) : t('Search for {0}', pattern)}${include_pattern ? ` (${include_pattern})` : ''}`,
    target: ({ dir_path = '.' }) => ({ kind: 'paths', paths: [dir_path], access: 'read' }),
    run: (query, call) => searchText(ports, query, call),
  });
}

async function searchText(ports: GrepPorts, query: GrepInput, call: CallContext): Promise<ToolResult> {
  if (query.pattern === '') throw new ToolFailure(() => t('The pattern is empty.'));
  const places = await placesOf(ports, query.dir_path);
  const seconds = ports.timeout?.() ?? timeoutSeconds;
  const timeout = AbortSignal.timeout(seconds * 1000);
  try {
    const signal = AbortSignal.any([call.signal, timeout]);
    const folders = await Promise.all(places.map(path => readPlace(ports, path, query)));
    const found = await findInAll(ports, folders, query, signal);
    const matches = await addContext(ports.search, found, query, signal);
    // A search that reached its limit need not look elsewhere.
    const leftOut = found.limited ? [] : await findLeftOut(ports.search, folders, signal);
    const where = query.dir_path === undefined ? 'the workspace' : await ports.paths.show(places[0]!);
    return await formatMatches(
      ports.paths,
      query,
      { name: where, leftOut: formatFolderNames(leftOut) },
      matches,
    );
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof SearchError) throw wrongQuery(error, query);
    if (!timeout.aborted) throw error;
    throw new ToolFailure(
      `The search was given up after ${seconds} s. Search a smaller folder with dir_path, or fewer files with include_pattern.`,
      () => t('Took too long'),
    );
  }
}

async function placesOf(ports: GrepPorts, wanted: string | undefined): Promise<readonly string[]> {
  if (wanted === undefined && ports.paths.all.length > 0) return ports.paths.all;
  const place = await ports.paths.resolve(wanted ?? '.', 'read');
  const stat = await ports.files.stat(place);
  if (!stat) throw new ToolFailure(`There is no ${wanted}.`, () => t('No such folder'));
  // Reading a pipe or a device may never end.
  if (stat.kind === 'other') throw new ToolFailure(`${wanted} is not a regular file.`, () => t('Not a file'));
  await refuseAgentIgnored(ports, place, stat.kind);
  return [place];
}

/** A file or folder to search, without subfolders of these names. */
interface SearchPlace {
  readonly path: string;
  readonly ignored: ReadonlySet<string>;
}

async function readPlace(ports: GrepPorts, path: string, query: GrepInput): Promise<SearchPlace> {
  const isFolder = (await ports.files.stat(path))?.kind === 'directory';
  if (query.no_ignore || !isFolder) return { path, ignored: new Set() };
  return { path, ignored: await readExcludedFolderNames(ports, path, [query.include_pattern]) };
}

/** Returns the names of those folders that exist. */
async function findLeftOut(
  search: GrepPorts['search'],
  places: readonly SearchPlace[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path: folder, ignored } of places) {
    if (ignored.size === 0) continue;
    const { paths } = await search.findFiles(
      { folder, pattern: `**/@(${[...ignored].join('|')})/**` },
      signal,
    );
    found.push(...new Set(paths.flatMap(path => findIgnoredFolder(ignored, folder, path) ?? [])));
  }
  return found;
}

async function findInAll(
  ports: GrepPorts,
  places: readonly SearchPlace[],
  query: GrepInput,
  signal: AbortSignal,
): Promise<TextMatches> {
  const limit = within(1, query.total_max_matches) ?? defaultTotal;
  const files: FileTextMatches[] = [];
  let total = 0;
  let limited = false;
  for (const { path, ignored } of places) {
    if (total >= limit) {
      limited = true;
      break;
    }
    const found = await findUnprotected(
      ports,
      {
        ...matchingOf(query),
        path,
        include: query.include_pattern,
        noIgnore: query.no_ignore,
        respectGeminiIgnore: ports.heedsGeminiIgnore?.() !== false,
        before: query.names_only ? 0 : within(0, query.before ?? query.context),
        after: query.names_only ? 0 : within(0, query.after ?? query.context),
        maxPerFile: query.names_only ? 1 : within(1, query.max_matches_per_file),
        maxTotal: limit - total,
        // Excludes the contents of such a folder, but not a file of that name.
        exclude: [...ignored].map(name => `**/${name}/*`),
      },
      signal,
    );
    files.push(...found.files);
    total += found.total;
    limited ||= found.limited;
  }
  return { files, total, limited };
}

/**
 * Hides protected files completely: if some match, the search is repeated without them, so that not even a count
 * reveals their content. A file named explicitly has been asked about.
 */
async function findUnprotected(
  { search, paths, files }: GrepPorts,
  query: TextQuery,
  signal: AbortSignal,
): Promise<TextMatches> {
  const isFolder = (await files.stat(query.path))?.kind === 'directory';
  const exclude = [...(query.exclude ?? [])];
  for (let round = 0; round < maxRounds; round++) {
    const found = await search.findText({ ...query, exclude }, signal);
    if (!isFolder) return found;
    const free = new Set(await paths.unprotected(found.files.map(file => file.path)));
    const closed = found.files.filter(file => !free.has(file.path));
    if (closed.length === 0) return found;
    exclude.push(...closed.map(file => globOf(query.path, file.path)));
  }
  throw new ToolFailure(() => t('Too many protected files match. Search a smaller folder with dir_path.'));
}

const maxRounds = 20;

/** Matches only this file. If its folder has another name, matches every file of that name. */
function globOf(folder: string, path: string): string {
  const inside = relative(folder, path).split(sep);
  const place = inside[0] === '..' ? `**/${basename(path)}` : `./${inside.join('/')}`;
  return place.replace(/[\\*?[\]{}!]/g, letter => (letter === '*' ? '*' : '?'));
}

function matchingOf(query: GrepInput) {
  return {
    pattern: query.pattern,
    literal: query.fixed_strings ?? false,
    caseSensitive: query.case_sensitive ?? false,
    excludeLines: query.exclude_pattern,
  };
}

/** Shows one match with 50 lines of context, two or three with 15: usually the next thing the model would read. */
async function addContext(
  search: GrepPorts['search'],
  found: TextMatches,
  query: GrepInput,
  signal: AbortSignal,
): Promise<TextMatches> {
  const asked = query.context ?? query.before ?? query.after;
  if (asked !== undefined || query.names_only || found.limited || found.total === 0 || found.total > 3)
    return found;
  const around = found.total === 1 ? 50 : 15;
  const files: FileTextMatches[] = [];
  for (const { path, lines } of found.files) {
    const again = await search.findText(
      {
        ...matchingOf(query),
        path,
        noIgnore: true,
        before: around,
        after: around,
        maxPerFile: within(1, query.max_matches_per_file),
        maxTotal: found.total,
      },
      signal,
    );
    files.push(again.files[0] ?? { path, lines });
  }
  return { ...found, files };
}

function wrongQuery(error: SearchError, query: GrepInput): ToolFailure {
  const remedy = query.fixed_strings
    ? 'Correct include_pattern or exclude_pattern.'
    : 'Correct it, or set fixed_strings to true to look for the text as it stands.';
  return new ToolFailure(
    `The search cannot be done: ${error.message.replace(/\.?\s*$/, '.')} ${remedy}`,
    () => t('Wrong pattern'),
  );
}

/** Nobody needs more, and search engines fail on huge numbers. */
const maxLines = 10_000;

function within(least: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(maxLines, Math.max(least, value));
}
