import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { LocalizedError } from '../../base/errors.ts';
import type {
  ChangedFile,
  ChangedFiles,
  GitEntries,
  GitEntry,
  StagingArea,
  VersionControl,
} from '../../platform/versionControl.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { resolveLinks } from '../files/realPath.ts';
import { ProgramFinder } from '../processes/programs.ts';
import { isInRepository } from '../search/searchRoot.ts';
import {
  type CommittedEntry,
  parseContents,
  parseEntries,
  parseRawDiff,
  parseStatus,
  parseTree,
} from './gitOutput.ts';
import { findGit, type GitResult, gitMissing, runGit } from './runGit.ts';

/** Maximum number of reported changed files. */
const maxEntries = 20_000;
const listLimit = 16 * 1024 * 1024;
const contentLimit = 64 * 1024 * 1024;

/**
 * Version control through the `git` program. Filters of the user's Git configuration run (line endings, large files),
 * so use it only in trusted workspaces. Ignores submodules and nested repositories.
 */
export class GitFiles implements VersionControl, StagingArea {
  private readonly programs: ProgramFinder;
  private readonly timeLimit: number;
  /** By real folder, from the latest initial scan. */
  private readonly kept = new Map<string, Kept>();

  /** @param programs finds git, and what git runs. @param timeLimit milliseconds */
  constructor(programs = new ProgramFinder(() => []), timeLimit = 10_000) {
    this.programs = programs;
    this.timeLimit = timeLimit;
  }

  async changedFiles(
    folder: string,
    signal: AbortSignal,
    since?: string | null,
  ): Promise<ChangedFiles | undefined> {
    signal.throwIfAborted();
    const real = await resolveLinks(folder);
    // Cheaper than three processes with the same result. If the check fails, ask Git.
    if (!(await isInRepository(real).catch(() => true))) return undefined;
    const [above, kept, status] = await Promise.all([
      this.git(real, ['rev-parse', '--show-prefix'], signal),
      this.keptIn(real, since === undefined, signal),
      this.git(real, statusArgs, signal),
    ]);
    if (above.kind === 'failed' || status.kind === 'failed') return undefined;
    const prefix = above.output.toString().replace(/\n$/, '');
    // In an ignored folder git would report no changes at all. The root is never ignored.
    const isBelow = prefix !== '';
    if (isBelow && (await this.git(real, ['check-ignore', '--quiet', real], signal)).kind === 'done')
      return undefined;
    const { commit, entries } = parseStatus(status.output.toString());
    const other =
      since === undefined || since === commit ? [] : await this.between(real, since, commit, signal);
    if (!other || entries.length + other.length > maxEntries) return undefined;
    const place = { folder: real, prefix, ...kept };
    return { commit, files: await toFiles(place, entries, other) };
  }

  async readCommitted(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const real = await resolveLinks(folder);
    const contents = new Map(await this.readMany(real, committed.filter(canBeListed), signal));
    // A file on which git fails ends the output, so the rest are read separately.
    for (const each of committed.filter(name => !contents.has(name))) {
      const [blob, path] = partsOf(each);
      const args = ['cat-file', '--filters', `--path=${path}`, blob];
      const result = await this.git(real, args, signal, { limit: contentLimit });
      if (result.kind === 'done') contents.set(each, result.output);
    }
    return contents;
  }

  async readEntries(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, GitEntries>> {
    const real = await resolveLinks(root);
    const entries = new Map<string, GitEntries>();
    const inGit = (path: string) => relative(real, path).split(sep).join('/');
    for (const some of cutByLength(paths.map(path => [path, inGit(path)] as const))) {
      const names = some.map(([, name]) => name);
      const [index, commit] = await Promise.all([
        this.list(real, ['ls-files', '--stage', '-z', '--', ...names]),
        this.list(real, ['ls-tree', '-z', 'HEAD', '--', ...names]).catch(error => this.noCommit(real, error)),
      ]);
      for (const [path, name] of some)
        entries.set(path, { index: index.get(name) ?? null, commit: commit.get(name) ?? null });
    }
    return entries;
  }

  async readObjectId(path: string): Promise<string | undefined> {
    // Git looks up a path's filters relative to its folder.
    const args = ['hash-object', '--', basename(path)];
    const result = await this.git(dirname(path), args, new AbortController().signal);
    return result.kind === 'done' ? result.output.toString().trim() : undefined;
  }

  private async list(root: string, args: readonly string[]): Promise<ReadonlyMap<string, GitEntry>> {
    const result = await this.git(root, ['--literal-pathspecs', ...args], new AbortController().signal);
    if (result.kind === 'failed') throw new LocalizedError(result.say);
    return parseEntries(result.output.toString());
  }

  /** Before the first commit the list is empty. Rethrows any other error. */
  private async noCommit(root: string, error: unknown): Promise<ReadonlyMap<string, GitEntry>> {
    const head = await this.git(root, ['rev-parse', '--verify', 'HEAD'], new AbortController().signal);
    if (head.kind === 'done') throw error;
    return new Map();
  }

  /** A scan that compares with an earlier one uses the earlier settings. */
  private async keptIn(folder: string, isFirst: boolean, signal: AbortSignal): Promise<Kept> {
    const known = isFirst ? undefined : this.kept.get(folder);
    const kept = known ?? (await this.readKept(folder, signal));
    this.kept.set(folder, kept);
    return kept;
  }

  /** Some file systems have no executable bit and no links, so Git does not compare those there. */
  private async readKept(folder: string, signal: AbortSignal): Promise<Kept> {
    const asked = ['--type=bool', '--get-regexp', '^core\\.(filemode|symlinks)$'];
    const result = await this.git(folder, ['config', ...asked], signal);
    const output = result.kind === 'done' ? result.output.toString() : '';
    return {
      modes: !/^core\.filemode false$/m.test(output),
      links: process.platform !== 'win32' && !/^core\.symlinks false$/m.test(output),
    };
  }

  private async readMany(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    if (committed.length < 2) return new Map();
    const noObject = `none-${randomBytes(16).toString('hex')}`;
    const input = committed.map(each => `${partsOf(each).join(' ')}\n${noObject}\n`).join('');
    const limit = contentLimit;
    const result = await this.git(folder, ['cat-file', '--batch', '--filters'], signal, { input, limit });
    return result.kind === 'done' ? parseContents(result.output, committed, noObject) : new Map();
  }

  /** Differences between two commits, with the content in `since`. */
  private async between(
    folder: string,
    since: string | null,
    commit: string | null,
    signal: AbortSignal,
  ): Promise<readonly CommittedEntry[] | undefined> {
    if (commit !== null && since !== null) {
      const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv'];
      const result = await this.git(folder, [...args, since, commit, '--', '.'], signal);
      return result.kind === 'done' ? parseRawDiff(result.output.toString()) : undefined;
    }
    const tree = commit ?? since;
    if (tree === null) return [];
    const result = await this.git(folder, ['ls-tree', '-r', '-z', '--full-name', tree, '.'], signal);
    if (result.kind === 'failed') return undefined;
    const entries = parseTree(result.output.toString());
    return since === null ? entries.map(entry => ({ ...entry, blob: null })) : entries;
  }

  private async git(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    { input, limit = listLimit }: { readonly input?: string; readonly limit?: number } = {},
  ): Promise<GitResult> {
    const { programs } = this;
    const program = findGit(programs);
    if (program === undefined) return gitMissing();
    return runGit({ program, programs, folder, args, input, timeLimit: this.timeLimit, limit, signal });
  }
}

/** Windows limits a command line to 32,767 characters. */
const maxCharacters = 20_000;

/** Splits into groups that fit in a command line. */
function cutByLength<T extends readonly [string, string]>(all: readonly T[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let length = 0;
  for (const each of all) {
    const more = each[1].length + 3;
    if (groups.length === 0 || length + more > maxCharacters) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)!.push(each);
    length += more;
  }
  return groups;
}

function partsOf(committed: string): readonly [blob: string, path: string] {
  const [, blob = '', path = ''] = /^([0-9a-f]+):(.*)$/s.exec(committed) ?? [];
  return [blob, path];
}

/** In Git's input list a line break ends a path, and leading white space is lost. */
function canBeListed(committed: string): boolean {
  return /^[^\s].*$/.test(partsOf(committed)[1]);
}

const statusArgs = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--no-renames',
  '--untracked-files=all',
  '--ignored=no',
  '--ignore-submodules=all',
  '--',
  '.',
];

interface Place {
  readonly folder: string;
  /** The folder below the repository's root: empty, or with a trailing `/`. */
  readonly prefix: string;
  /** True to compare file modes. */
  readonly modes: boolean;
  /** True to compare symbolic links. */
  readonly links: boolean;
}

type Kept = Pick<Place, 'modes' | 'links'>;

/** Lists each path once. An entry from another commit takes precedence over that of the current one. */
async function toFiles(
  { folder, prefix, modes, links }: Place,
  entries: readonly CommittedEntry[],
  other: readonly CommittedEntry[],
): Promise<readonly ChangedFile[]> {
  const byPath = new Map([...entries, ...other].map(entry => [entry.path, entry]));
  const files: ChangedFile[] = [];
  for (const { path, kind, blob, executable, isLink } of byPath.values()) {
    // A replacement character stands for bytes that are not UTF-8, so the name cannot be used.
    if (kind === 'other' || !path.startsWith(prefix) || path.includes('\ufffd')) continue;
    const absolute = join(folder, path.slice(prefix.length));
    if (isLink && !links) continue;
    if (kind === 'unknown' && !(await isFile(absolute, links))) continue;
    const committed = blob === null ? null : `${blob}:${path}`;
    files.push({ path: absolute, committed, executable: modes ? executable : undefined, isLink });
  }
  return files;
}

/** Git does not report the type of an untracked entry. */
async function isFile(path: string, links: boolean): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isFile() || (links && found.isSymbolicLink());
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, path);
  }
}
