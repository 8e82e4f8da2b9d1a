import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { SpokenError } from '../../base/errors.ts';
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
import { Programs } from '../processes/programs.ts';
import { isInRepository } from '../search/searchRoot.ts';
import {
  type CommittedEntry,
  parseContents,
  parseEntries,
  parseRawDiff,
  parseStatus,
  parseTree,
} from './gitOutput.ts';
import { findGit, type GitResult, noGit, runGit } from './runGit.ts';

/** More changed files than this are not told. */
const maxEntries = 20_000;
const listLimit = 16 * 1024 * 1024;
const contentLimit = 64 * 1024 * 1024;

/**
 * Version control over the `git` program. Filters of the user's git configuration do run (line endings, large
 * files), so it is not for workspaces that nobody trusts. Submodules and repositories inside of a repository are
 * not looked into.
 */
export class GitFiles implements VersionControl, StagingArea {
  private readonly programs: Programs;
  private readonly timeLimit: number;
  /** By real folder, as of the newest scan that began something. */
  private readonly kept = new Map<string, Kept>();

  /** @param programs finds git, and what git runs. @param timeLimit milliseconds */
  constructor(programs = new Programs(() => []), timeLimit = 10_000) {
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
    // Three processes would find out the same. Where it cannot be seen, Git is asked.
    if (!(await isInRepository(real).catch(() => true))) return undefined;
    const [above, kept, status] = await Promise.all([
      this.git(real, ['rev-parse', '--show-prefix'], signal),
      this.keptIn(real, since === undefined, signal),
      this.git(real, statusArgs, signal),
    ]);
    if (above.kind === 'failed' || status.kind === 'failed') return undefined;
    const prefix = above.output.toString().replace(/\n$/, '');
    // In a folder that is ignored as a whole git would take every change for none. The root is never ignored.
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
    // One that git fails at ends a list, so the others are then read separately.
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

  async readName(path: string): Promise<string | undefined> {
    // Git finds the filters of a path that it is given relative to its folder.
    const args = ['hash-object', '--', basename(path)];
    const result = await this.git(dirname(path), args, new AbortController().signal);
    return result.kind === 'done' ? result.output.toString().trim() : undefined;
  }

  private async list(root: string, args: readonly string[]): Promise<ReadonlyMap<string, GitEntry>> {
    const result = await this.git(root, ['--literal-pathspecs', ...args], new AbortController().signal);
    if (result.kind === 'failed') throw new SpokenError(result.say);
    return parseEntries(result.output.toString());
  }

  /** Nothing is listed before the first commit; any other error stands. */
  private async noCommit(root: string, error: unknown): Promise<ReadonlyMap<string, GitEntry>> {
    const head = await this.git(root, ['rev-parse', '--verify', 'HEAD'], new AbortController().signal);
    if (head.kind === 'done') throw error;
    return new Map();
  }

  /** A scan that compares with an earlier one takes what held then. */
  private async keptIn(folder: string, isFirst: boolean, signal: AbortSignal): Promise<Kept> {
    const known = isFirst ? undefined : this.kept.get(folder);
    const kept = known ?? (await this.readKept(folder, signal));
    this.kept.set(folder, kept);
    return kept;
  }

  /** On some file systems all files can be run, and there are no links: Git does not check that there. */
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

  /** The differences between two commits, with the content in `since`. */
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
    if (program === undefined) return noGit();
    return runGit({ program, programs, folder, args, input, timeLimit: this.timeLimit, limit, signal });
  }
}

/** Windows allows 32,767 characters in a command line. */
const maxCharacters = 20_000;

/** In groups that fit in a command line. */
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

/** In a list a line ends a path, and white space at its beginning is lost. */
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
  /** The folder below the repository's root, empty or with `/` at its end. */
  readonly prefix: string;
  /** Modes and symbolic links are told apart. */
  readonly modes: boolean;
  readonly links: boolean;
}

type Kept = Pick<Place, 'modes' | 'links'>;

/** Each path once; what another commit held of a file counts more than what the present one holds. */
async function toFiles(
  { folder, prefix, modes, links }: Place,
  entries: readonly CommittedEntry[],
  other: readonly CommittedEntry[],
): Promise<readonly ChangedFile[]> {
  const byPath = new Map([...entries, ...other].map(entry => [entry.path, entry]));
  const files: ChangedFile[] = [];
  for (const { path, kind, blob, executable, isLink } of byPath.values()) {
    // A replacement character stands for bytes that are no UTF-8, so the name cannot be given back.
    if (kind === 'other' || !path.startsWith(prefix) || path.includes('\ufffd')) continue;
    const absolute = join(folder, path.slice(prefix.length));
    if (isLink && !links) continue;
    if (kind === 'unknown' && !(await isFile(absolute, links))) continue;
    const committed = blob === null ? null : `${blob}:${path}`;
    files.push({ path: absolute, committed, executable: modes ? executable : undefined, isLink });
  }
  return files;
}

/** Git does not say what an untracked entry is. */
async function isFile(path: string, links: boolean): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isFile() || (links && found.isSymbolicLink());
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, path);
  }
}
