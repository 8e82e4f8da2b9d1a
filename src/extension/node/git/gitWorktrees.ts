/*
 * Worktrees of sessions, over the `git` program. They lie beside each other in a folder of the user's home, one folder
 * for each repository, so that no search of a workspace meets them:
 *
 *     <place>/<repository>-<hash of its Git folder>/<name>
 *
 * A worktree begins without a branch. Git's record of it is locked, so that `git worktree prune` passes it by, and a
 * ref keeps the commit that it began with.
 */

import { createHash } from 'node:crypto';
import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  realpath,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { SpokenError } from '../../base/errors.ts';
import type {
  ListedWorktree,
  MergedText,
  Worktree,
  WorktreeRequest,
  WorktreeStart,
  Worktrees,
} from '../../platform/worktrees.ts';
import { isMissing } from '../files/fileErrors.ts';
import { isThere } from '../files/isThere.ts';
import { realOrSame } from '../files/realPath.ts';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';
import type { Programs } from '../processes/programs.ts';
import { PortBlocks } from './portBlocks.ts';
import { findGit, type GitResult, runGit } from './runGit.ts';
import { fillShared, isRealFolder, makeFolderFor } from './sharedFolders.ts';

/** Milliseconds; a checkout of a large repository takes long. */
const timeLimit = 10 * 60_000;
const outputLimit = 64 * 1024 * 1024;

/** Git ends so where the texts are in conflict, up to the number of conflicts. */
const mostConflicts = 127;
/** Git ends so, too, where it takes a text for binary. */
const binaryCode = 255;

/** Names, by Git's patterns, ignored files that a worktree gets, too; other programs read it as well. */
const includeFile = '.worktreeinclude';
const maxCopies = 2000;

/** Holds the commit that a worktree began with: garbage collection passes over refs of other worktrees. */
function baseRef(name: string): string {
  return `refs/folio/worktrees/${name}`;
}

const committer = ['-c', 'user.name=Folio', '-c', 'user.email=folio@localhost'];

interface GitOptions {
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export class GitWorktrees implements Worktrees {
  private readonly place: string;
  private readonly programs: Programs;
  private readonly ports: PortBlocks;

  /** @param place absolute; the folder of all worktrees. @param programs finds git, and what git runs */
  constructor(place: string, programs: Programs) {
    this.place = place;
    this.programs = programs;
    this.ports = new PortBlocks(join(dirname(place), 'ports'));
  }

  async listIncluded(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const root = await this.read(folder, ['rev-parse', '--show-toplevel'], signal);
    const patterns = join(root, includeFile);
    if (!(await isThere(patterns))) return [];
    const list = ['ls-files', '--others', '--ignored', `--exclude-from=${patterns}`, '-z'];
    const named = await this.read(root, list, signal);
    if (named === '') return [];
    // Files that are only untracked are there anyway.
    const ignored = await this.run(root, ['check-ignore', '-z', '--stdin'], signal, { input: named });
    const paths = ignored.kind === 'done' ? ignored.output.toString().split('\0').filter(Boolean) : [];
    if (paths.length > maxCopies)
      throw new SpokenError(() =>
        t(
          '{0} names {1} files, and at most {2} are copied.',
          includeFile,
          String(paths.length),
          String(maxCopies),
        ),
      );
    return paths;
  }

  async create({ folder, name, start, copies }: WorktreeRequest, signal: AbortSignal): Promise<Worktree> {
    const home = await realpath(await this.read(folder, ['rev-parse', '--show-toplevel'], signal));
    const path = join(await this.placeOf(home, signal), name);
    if (await isThere(path))
      throw new SpokenError(() => t('There is a worktree {0} already. Choose another name.', name));
    // A slash would put it below another one.
    await this.expectName(home, name.includes('/') ? '' : baseRef(name), name, signal);
    const base = await this.findBase(home, start, signal);
    await mkdir(dirname(path), { recursive: true });
    const kept = ['--lock', '--reason', 'folio'];
    try {
      await this.read(home, ['worktree', 'add', '--detach', ...kept, path, base], signal);
      await this.read(home, ['update-ref', baseRef(name), base], signal);
      for (const each of copies) await copyInto(home, path, each);
    } catch (error) {
      await this.remove({ path, home }, new AbortController().signal);
      throw error;
    }
    return { name, path: await realpath(path), home, base };
  }

  async share(
    worktree: Worktree,
    folders: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const tracked: string[] = [];
    for (const path of folders.map(each => each.replace(/\/$/, ''))) {
      const isThereToo = await isRealFolder(join(worktree.home, path));
      if (!isThereToo || !(await makeFolderFor(worktree.path, path))) continue;
      const place = join(worktree.path, path);
      await mkdir(place);
      const ignored = await this.run(worktree.path, ['check-ignore', '--quiet', '--', path], signal);
      if (ignored.kind === 'done') await fillShared({ ...worktree, worktree: worktree.path }, path, signal);
      else {
        await rmdir(place);
        tracked.push(path);
      }
    }
    return tracked;
  }

  portBase({ path }: Pick<Worktree, 'path'>): Promise<number> {
    return this.ports.claim(path);
  }

  async list(folder: string, signal: AbortSignal): Promise<readonly ListedWorktree[]> {
    const place = await this.placeOf(folder, signal);
    const listed = await this.read(folder, ['worktree', 'list', '--porcelain', '-z'], signal);
    const own = parseWorktrees(listed).filter(({ path }) => dirname(path) === place);
    const checked = own.map(async each => ({ ...each, isThere: await isThere(each.path) }));
    const names = (await isThere(place)) ? await readdir(place) : [];
    const known = new Set(own.map(({ name }) => name));
    const lost = names.filter(name => !known.has(name));
    return [
      ...(await Promise.all(checked)),
      ...lost.map(name => ({ name, path: join(place, name), isThere: true })),
    ];
  }

  async repair(folder: string, name: string, signal: AbortSignal): Promise<Worktree> {
    const listed = (await this.list(folder, signal)).find(each => each.name === name);
    if (!listed?.isThere) throw new SpokenError(() => t('There are no files of a worktree {0}.', name));
    const home = await realpath(await this.read(folder, ['rev-parse', '--show-toplevel'], signal));
    const { path, commit } = listed;
    const base =
      (await this.findCommit(home, baseRef(name), signal)) ??
      (await this.findBase(home, { kind: 'head' }, signal));
    if (commit !== undefined) await this.run(home, ['worktree', 'repair', path], signal);
    else await this.recordAgain(home, path, base, signal);
    return { name, path, home, base };
  }

  /** Git makes a record for an empty folder, which then takes its place. */
  private async recordAgain(home: string, path: string, base: string, signal: AbortSignal): Promise<void> {
    const name = basename(path);
    await inTemporaryFolder(async folder => {
      const empty = join(folder, name);
      const kept = ['--lock', '--reason', 'folio'];
      await this.read(home, ['worktree', 'add', '--detach', '--no-checkout', ...kept, empty, base], signal);
      await rm(join(path, '.git'), { force: true });
      await copyFile(join(empty, '.git'), join(path, '.git'));
      await this.read(path, ['worktree', 'repair'], signal);
    });
    // The index becomes that of the commit; files stay as they are.
    await this.read(path, ['reset', '--quiet'], signal);
    await this.read(home, ['update-ref', baseRef(name), base], signal);
  }

  async remove({ path, home }: Pick<Worktree, 'path' | 'home'>, signal: AbortSignal): Promise<void> {
    if (dirname(dirname(path)) !== (await realOrSame(this.place)))
      throw new SpokenError(() => t('{0} is no worktree of Folio.', path));
    // Git follows links of some systems into what they lead to; this does not.
    await rm(path, { recursive: true, force: true });
    // Given twice it removes a locked one. One that Git has lost needs nothing, and pruning would forget others, too.
    await this.run(home, ['worktree', 'remove', '--force', '--force', path], signal);
    await this.read(home, ['update-ref', '-d', baseRef(basename(path))], signal);
    await this.ports.release(path);
  }

  async makeBranch(
    { path }: Worktree,
    { name, message }: { readonly name: string; readonly message: string },
    signal: AbortSignal,
  ): Promise<{ readonly commit: string }> {
    const ref = `refs/heads/${name}`;
    await this.expectName(path, name.startsWith('-') ? name : ref, name, signal);
    const commit = await this.commitFiles(path, message, signal);
    // With an empty old value Git refuses a branch that exists.
    await this.read(path, ['update-ref', ref, commit, ''], signal);
    return { commit };
  }

  async readBrought({ home, name, base }: Worktree, signal: AbortSignal): Promise<string> {
    return (await this.findCommit(home, baseRef(name), signal)) ?? base;
  }

  async markBrought(worktree: Worktree, paths: readonly string[], signal: AbortSignal): Promise<void> {
    const { path, home, name } = worktree;
    const before = await this.readBrought(worktree, signal);
    await inTemporaryFolder(async folder => {
      const variables = { GIT_INDEX_FILE: join(folder, 'index') };
      await this.read(path, ['read-tree', before], signal, { variables });
      const input = paths.map(each => `${each}\0`).join('');
      const update = ['update-index', '--add', '--remove', '--ignore-skip-worktree-entries', '-z', '--stdin'];
      await this.read(path, update, signal, { variables, input });
      const tree = await this.read(path, ['write-tree'], signal, { variables });
      const commit = await this.commitTree(path, tree, before, 'brought-home', signal);
      await this.read(home, ['update-ref', baseRef(name), commit, before], signal);
    });
  }

  async merge(
    { base, mine, theirs }: Record<'base' | 'mine' | 'theirs', Uint8Array>,
    signal: AbortSignal,
  ): Promise<MergedText> {
    return await inTemporaryFolder(async folder => {
      const files = { mine, base, theirs };
      for (const [name, bytes] of Object.entries(files))
        await writeFile(join(folder, name), bytes, { mode: 0o600 });
      const args = ['merge-file', '-p', '--quiet', ...Object.keys(files)];
      const merged = await this.run(folder, args, signal);
      if (merged.kind === 'done') return { kind: 'clean', bytes: merged.output };
      const { code } = merged;
      const isConflict = code !== undefined && ((code > 0 && code <= mostConflicts) || code === binaryCode);
      if (isConflict) return { kind: 'conflict' };
      throw new SpokenError(merged.say);
    });
  }

  private async expectName(folder: string, ref: string, name: string, signal: AbortSignal): Promise<void> {
    const checked = await this.run(folder, ['check-ref-format', ref], signal);
    if (checked.kind === 'failed') throw new SpokenError(() => t('Git does not take {0} as a name.', name));
  }

  /** Absolute and real, though nothing may be there yet; the same for each worktree of a repository. */
  private async placeOf(folder: string, signal: AbortSignal): Promise<string> {
    const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
    const common = await realpath(await this.read(folder, args, signal));
    const named = basename(common) === '.git' ? basename(dirname(common)) : basename(common, '.git');
    const hash = createHash('sha256').update(common).digest('hex').slice(0, 8);
    await mkdir(this.place, { recursive: true, mode: 0o700 });
    return join(await realpath(this.place), `${named}-${hash}`);
  }

  private async findBase(home: string, start: WorktreeStart, signal: AbortSignal): Promise<string> {
    if (start.kind === 'seen') return this.commitFiles(home, 'uncommitted', signal);
    const commit = await this.findCommit(home, start.kind === 'ref' ? start.ref : 'HEAD', signal);
    if (commit !== undefined) return commit;
    throw new SpokenError(() =>
      start.kind === 'ref'
        ? t('Git knows no commit {0}.', start.ref)
        : t('The repository has no commit yet.'),
    );
  }

  private async findCommit(folder: string, ref: string, signal: AbortSignal): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    const found = await this.run(folder, args, signal);
    return found.kind === 'done' ? textOf(found.output) : undefined;
  }

  /**
   * Makes a commit of the files as they stand, untracked ones that are not ignored included, on no branch. It is
   * prepared in a copy of the index, so that the user's own stays as it is.
   */
  private async commitFiles(root: string, message: string, signal: AbortSignal): Promise<string> {
    return await inTemporaryFolder(async folder => {
      const index = join(folder, 'index');
      const own = await this.read(
        root,
        ['rev-parse', '--path-format=absolute', '--git-path', 'index'],
        signal,
      );
      await copyFile(own, index).catch(error => {
        // There is none before the first `git add`.
        if (!isMissing(error)) throw error;
      });
      const variables = { GIT_INDEX_FILE: index };
      const safe = ['-c', 'core.splitIndex=false', '-c', 'advice.addEmbeddedRepo=false'];
      await this.read(root, [...safe, 'add', '--all', '--sparse', '--', '.'], signal, { variables });
      const tree = await this.read(root, [...safe, 'write-tree'], signal, { variables });
      const parent = await this.findCommit(root, 'HEAD', signal);
      const isSame = parent !== undefined && tree === (await this.treeOf(root, signal));
      return isSame ? parent : await this.commitTree(root, tree, parent, message, signal);
    });
  }

  private commitTree(
    folder: string,
    tree: string,
    parent: string | undefined,
    message: string,
    signal: AbortSignal,
  ): Promise<string> {
    const parents = parent === undefined ? [] : ['-p', parent];
    return this.read(folder, [...committer, 'commit-tree', tree, ...parents], signal, { input: message });
  }

  private treeOf(root: string, signal: AbortSignal): Promise<string> {
    return this.read(root, ['rev-parse', '--verify', 'HEAD^{tree}'], signal);
  }

  private async read(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options?: GitOptions,
  ): Promise<string> {
    const result = await this.run(folder, args, signal, options);
    if (result.kind === 'failed') throw new SpokenError(result.say);
    return textOf(result.output);
  }

  private async run(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options: GitOptions = {},
  ): Promise<GitResult> {
    const { programs } = this;
    const program = findGit(programs);
    if (program === undefined) return { kind: 'failed', say: () => t('There is no git on PATH.') };
    return runGit({ program, programs, folder, args, timeLimit, limit: outputLimit, signal, ...options });
  }
}

/** Neither links nor what stands there already. */
async function copyInto(home: string, root: string, path: string): Promise<void> {
  const [from, to] = [join(home, path), join(root, path)];
  if (!(await lstat(from)).isFile() || !(await makeFolderFor(root, path))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder('git');
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function textOf(output: Buffer): string {
  return output.toString().replace(/\r?\n$/, '');
}

/** Reads `git worktree list --porcelain -z`: attributes end with a zero byte, worktrees with two. */
function parseWorktrees(output: string): readonly Omit<ListedWorktree, 'isThere'>[] {
  return output.split('\0\0').flatMap(text => {
    const lines = text.split('\0');
    const attribute = (name: string) =>
      lines.find(line => line.startsWith(`${name} `))?.slice(name.length + 1);
    const path = attribute('worktree');
    if (path === undefined) return [];
    const branch = attribute('branch')?.replace(/^refs\/heads\//, '');
    return [{ name: basename(path), path, commit: attribute('HEAD'), branch }];
  });
}
