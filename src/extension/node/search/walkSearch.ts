import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeRegExp } from '../../base/text.ts';
import {
  type FileMatches,
  type FileQuery,
  type IgnoreOptions,
  type Search,
  SearchError,
  type TextMatches,
  type TextQuery,
} from '../../platform/search.ts';
import { decodeText } from '../files/textBytes.ts';
import { BoundedRegExp } from './boundedRegExp.ts';
import type { CustomIgnoreFiles } from './customIgnoreFiles.ts';
import type { GitEnvironment } from './gitConfig.ts';
import { type GlobMatcher, loadGlob, loadGlobFilter } from './globs.ts';
import {
  type FolderRules,
  type IgnoreSources,
  loadIgnoreRules,
  readIgnoreRules,
  textSearchIgnoreOptions,
} from './ignoreRules.ts';
import { MatchCollector } from './matchCollector.ts';
import { type DecodeFile, guessingDecoder } from './otherEncodings.ts';
import { findSearchRoot, relativeSlashed, type SearchRoot } from './searchRoot.ts';

/** Search without ripgrep. It is slower, uses JavaScript's regular expressions, and skips files above 5 MB. */
export class WalkSearch implements Search {
  private readonly env: GitEnvironment;
  private readonly custom: CustomIgnoreFiles;
  private readonly decode: DecodeFile;

  /**
   * @param env finds the user's Git settings
   * @param custom lists ignore files named in settings
   * @param decode reads files that are not UTF-8
   */
  constructor(
    env: GitEnvironment = process.env,
    custom: CustomIgnoreFiles = () => [],
    decode: DecodeFile = guessingDecoder(),
  ) {
    this.env = env;
    this.custom = custom;
    this.decode = decode;
  }

  private get sources(): IgnoreSources {
    return { env: this.env, custom: this.custom() };
  }

  async findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches> {
    return { paths: await this.list(query, signal) };
  }

  /** Like `findFiles`, but resolves to `undefined` if there are more than `most` folders of ten entries. */
  async findWithin(most: number, query: FileQuery, signal: AbortSignal): Promise<FileMatches | undefined> {
    const budget = { folders: most };
    const paths = await this.list(query, signal, budget);
    return budget.folders < 0 ? undefined : { paths };
  }

  private async list(query: FileQuery, signal: AbortSignal, budget?: Walk['budget']): Promise<string[]> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.folder);
    if (root.file !== undefined) throw new SearchError(`${query.folder} is a file, not a folder.`);
    const matches = await loadGlob(query.pattern, query.caseSensitive === true);
    const choice = { git: query.respectGitIgnore !== false, gemini: query.respectGeminiIgnore !== false };
    const rules = await loadIgnoreRules(root, choice, this.sources);
    const excludes = await loadFilters(query.exclude);
    const paths: string[] = [];
    for await (const path of walk(root.folder, { root, rules, excludes, signal, budget })) {
      if (matches(relativeSlashed(root.folder, path))) paths.push(path);
    }
    return paths;
  }

  async findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches> {
    signal.throwIfAborted();
    const root = await findSearchRoot(query.path);
    const pattern = new BoundedRegExp(
      query.literal ? escapeRegExp(query.pattern) : query.pattern,
      query.caseSensitive ?? false,
    );
    const collector = new MatchCollector(query);
    for await (const files of inBatches(this.candidates(query, root, signal))) {
      const texts = await Promise.all(files.map(path => findSearchable(path, this.decode)));
      signal.throwIfAborted();
      files.forEach((path, index) => {
        const text = texts[index];
        if (text !== undefined && !collector.isFull) collectMatches(collector, path, text, pattern, query);
      });
      if (collector.isFull) break;
    }
    return collector.finish();
  }

  private async *candidates(query: TextQuery, root: SearchRoot, signal: AbortSignal): AsyncGenerator<string> {
    if (root.file !== undefined) {
      yield join(root.folder, root.file);
      return;
    }
    const rules = await loadIgnoreRules(root, textSearchIgnoreOptions(query), this.sources);
    const excludes = await loadFilters(query.exclude);
    const included = query.include === undefined ? undefined : await loadGlobFilter(query.include);
    for await (const path of walk(root.folder, { root, rules, excludes, signal })) {
      if (!included || included(relativeSlashed(root.folder, path))) yield path;
    }
  }

  readIgnoreRules(folder: string, choice: IgnoreOptions = {}) {
    return readIgnoreRules(folder, choice, this.sources);
  }
}

interface Walk {
  readonly root: SearchRoot;
  readonly rules: FolderRules;
  readonly excludes: readonly GlobMatcher[];
  readonly signal: AbortSignal;
  /** Number of folders that may still be read, in parallel; below 0 the walk ends. */
  readonly budget?: { folders: number };
}

/** Files below a folder. Does not follow links, so it always terminates. */
async function* walk(folder: string, context: Walk, reading = readEntries(folder)): AsyncGenerator<string> {
  const { signal, budget } = context;
  const entries = await reading;
  signal.throwIfAborted();
  if (budget) budget.folders -= Math.max(1, entries.length / 10);
  const rules = context.rules.enter(folder, new Set(entries.map(entry => entry.name)));
  const found = entries.flatMap(entry => toFound(folder, entry));
  const kept = found.filter(each => isSearched(each, rules, context));
  const folders = kept.filter(({ kind }) => kind === 'folder');
  if (budget && folders.length > budget.folders) {
    budget.folders = -1;
    return;
  }
  // A file system over a network takes milliseconds for each folder.
  const readings = budget && new Map(folders.map(({ path }) => [path, readEntries(path)]));
  for (const { path, kind } of kept) {
    if (kind === 'folder') yield* walk(path, { ...context, rules }, readings?.get(path));
    else yield path;
  }
}

interface FoundEntry {
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

function toFound(folder: string, entry: Dirent): readonly FoundEntry[] {
  if (entry.name === '.git' || !(entry.isDirectory() || entry.isFile())) return [];
  return [{ path: join(folder, entry.name), kind: entry.isDirectory() ? 'folder' : 'file' }];
}

function isSearched({ path, kind }: FoundEntry, rules: FolderRules, { root, excludes }: Walk): boolean {
  if (rules.findIgnoring(path, kind) !== undefined) return false;
  const inside = relativeSlashed(root.folder, path);
  return !excludes.some(excludes => excludes(inside));
}

async function readEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // The folder is gone or unreadable; keep the others.
    return [];
  }
}

async function loadFilters(globs: readonly string[] = []): Promise<readonly GlobMatcher[]> {
  return await Promise.all(globs.map(loadGlobFilter));
}

/** Files are read in parallel to hide latency. */
const batch = 16;

async function* inBatches(paths: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let waiting: string[] = [];
  for await (const path of paths) {
    waiting.push(path);
    if (waiting.length < batch) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}

const largest = 5 * 1024 * 1024;

/** Resolves to `undefined` if the file is too large, binary or unreadable. */
async function findSearchable(path: string, decode: DecodeFile): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > largest) return undefined;
    const bytes = await readFile(path);
    const text = (decodeText(bytes) ?? (await decode(path, bytes)))?.text;
    if (text !== undefined) return text;
    // The encoding is unknown, but its ASCII part can be searched.
    return bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString('latin1');
  } catch {
    // Skips unreadable files.
    return undefined;
  }
}

function collectMatches(
  collector: MatchCollector,
  path: string,
  text: string,
  pattern: BoundedRegExp,
  query: TextQuery,
): void {
  const lines = text.split('\n').map(line => line.replace(/\r$/, ''));
  // The text after the last line break is no line.
  if (lines.at(-1) === '') lines.pop();
  const isMatch = pattern.testAll(lines);
  if (!isMatch.includes(true)) return;
  collector.startFile(path);
  let next = 0;
  isMatch.forEach((matched, index) => {
    if (!matched || collector.isFull) return;
    const end = Math.min(lines.length, index + (query.after ?? 0) + 1);
    for (let each = Math.max(next, index - (query.before ?? 0)); each < end; each++) {
      collector.addLine(each + 1, lines[each]!, isMatch[each]!);
    }
    next = Math.max(next, end);
  });
}
