/*
 * Creates worktrees for sessions with the `git` program. They are in a folder of the user's home, grouped by
 * repository, so that no search of a workspace finds them:
 *
 *     <place>/<repository>-<hash of its Git folder>/<name>
 *
 * A worktree starts without a branch. Git's record of it is locked, so that `git worktree prune` skips it, and a ref
 * preserves its start commit.
 */

import { createHash } from 'node:crypto';
import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type {
  BranchRequest,
  FileState,
  ListedWorktree,
  MergedText,
  UnbranchedWork,
  Worktree,
  WorktreeMetadata,
  WorktreeRequest,
  WorktreeStart,
  Worktrees,
} from '../../platform/worktrees.ts';
import { isMissing } from '../files/fileErrors.ts';
import { fileExists } from '../files/fileExists.ts';
import { realPathOrSame } from '../files/realPath.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { commitBranch, committerArgs, findUnbranchedWork, uncommittedSubject } from './branchCommits.ts';
import { GitObjects, withTemporaryFolder } from './gitObjects.ts';
import { PortBlocks } from './portBlocks.ts';
import { fillSharedFolder, isRealFolder, makeSharedFolder } from './sharedFolders.ts';

/** Highest exit code of `git merge-file` for conflicts: the number of conflicts. */
const mostConflicts = 127;
/** Exit code of `git merge-file` for a text that it considers binary. */
const binaryCode = 255;

/** Lists Git patterns of ignored files to copy into a worktree. Other programs read it too. */
const includeFile = '.worktreeinclude';
const maxCopies = 2000;

/** Refers to the worktree's start commit, because garbage collection ignores refs of other worktrees. */
function baseRef(name: string): string {
  return `refs/folio/worktrees/${name}`;
}

/** Git does not prune a locked record. */
const locked = ['--lock', '--reason', 'folio'];

export class GitWorktrees implements Worktrees {
  private readonly place: string;
  private readonly objects: GitObjects;
  private readonly ports: PortBlocks;

  /** @param place absolute path of the folder of all worktrees. @param programs finds git, and what git runs */
  constructor(place: string, programs: ProgramFinder) {
    this.place = place;
    this.objects = new GitObjects(programs);
    this.ports = new PortBlocks(join(dirname(place), 'ports'));
  }

  async listIncluded(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const root = await this.rootOf(folder, signal);
    const patterns = join(root, includeFile);
    if (!(await fileExists(patterns))) return [];
    const list = ['ls-files', '--others', '--ignored', `--exclude-from=${patterns}`, '-z'];
    const named = await this.objects.read(root, list, signal);
    if (named === '') return [];
    // Untracked files that are not ignored are copied anyway.
    const ignored = await this.objects.ask(root, ['check-ignore', '-z', '--stdin'], signal, { input: named });
    const paths = ignored?.toString().split('\0').filter(Boolean) ?? [];
    if (paths.length > maxCopies)
      throw new LocalizedError(() =>
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
    const home = await realpath(await this.rootOf(folder, signal));
    const path = join(await this.placeOf(home, signal), name);
    if (await fileExists(path))
      throw new LocalizedError(() => t('A worktree {0} already exists. Choose another name.', name));
    // A slash would nest it in another worktree.
    await this.expectName(home, name.includes('/') ? '' : baseRef(name), name, signal);
    const base = await this.findBase(home, start, signal);
    await mkdir(dirname(path), { recursive: true });
    try {
      await this.objects.read(home, ['worktree', 'add', '--detach', ...locked, path, base], signal);
      await this.objects.read(home, ['update-ref', baseRef(name), base], signal);
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
      if (!isThereToo || !(await makeSharedFolder(worktree.path, path))) continue;
      const place = join(worktree.path, path);
      await mkdir(place);
      const ignored = await this.objects.run(worktree.path, ['check-ignore', '--quiet', '--', path], signal);
      if (ignored.kind === 'done')
        await fillSharedFolder({ ...worktree, worktree: worktree.path }, path, signal);
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
    const listed = await this.objects.read(folder, ['worktree', 'list', '--porcelain', '-z'], signal);
    const own = parseWorktrees(listed).filter(({ path }) => dirname(path) === place);
    const checked = own.map(async each => ({ ...each, isThere: await fileExists(each.path) }));
    const names = (await fileExists(place)) ? await readdir(place) : [];
    const known = new Set(own.map(({ name }) => name));
    const lost = names.filter(name => !known.has(name));
    return [
      ...(await Promise.all(checked)),
      ...lost.map(name => ({ name, path: join(place, name), isThere: true })),
    ];
  }

  async repair(folder: string, name: string, signal: AbortSignal): Promise<Worktree> {
    const listed = (await this.list(folder, signal)).find(each => each.name === name);
    if (!listed?.isThere) throw new LocalizedError(() => t('The worktree {0} has no files.', name));
    const home = await realpath(await this.rootOf(folder, signal));
    const { path, commit } = listed;
    const base =
      (await this.objects.findCommit(home, baseRef(name), signal)) ??
      (await this.findBase(home, { kind: 'head' }, signal));
    if (commit !== undefined) await this.objects.run(home, ['worktree', 'repair', path], signal);
    else await this.recordAgain(home, path, base, signal);
    return { name, path, home, base };
  }

  /** Git creates a record only for an empty folder. Its `.git` file is then copied to the worktree. */
  private async recordAgain(home: string, path: string, base: string, signal: AbortSignal): Promise<void> {
    const name = basename(path);
    await withTemporaryFolder(async folder => {
      const empty = join(folder, name);
      const add = ['worktree', 'add', '--detach', '--no-checkout', ...locked, empty, base];
      await this.objects.read(home, add, signal);
      await rm(join(path, '.git'), { force: true });
      await copyFile(join(empty, '.git'), join(path, '.git'));
      await this.objects.read(path, ['worktree', 'repair'], signal);
    });
    // Sets the index to the commit without changing files.
    await this.objects.read(path, ['reset', '--quiet'], signal);
    await this.objects.read(home, ['update-ref', baseRef(name), base], signal);
  }

  async remove({ path, home }: Pick<Worktree, 'path' | 'home'>, signal: AbortSignal): Promise<void> {
    if (dirname(dirname(path)) !== (await realPathOrSame(this.place)))
      throw new LocalizedError(() => t('{0} is not a worktree of Folio.', path));
    // On some systems Git follows links when it deletes; this does not.
    await rm(path, { recursive: true, force: true });
    // `--force` twice also removes a locked worktree. Pruning would drop other worktrees too.
    const forget = ['worktree', 'remove', '--force', '--force', path];
    const removed = await this.objects.run(home, forget, signal);
    if (removed.kind === 'failed') await this.objects.run(home, forget, signal);
    await this.objects.read(home, ['update-ref', '-d', baseRef(basename(path))], signal);
    await this.ports.release(path);
  }

  async makeBranch(
    worktree: Worktree,
    wanted: BranchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly commit: string; readonly count: number }> {
    const { path } = worktree;
    const ref = `refs/heads/${wanted.name}`;
    await this.expectName(path, ref, wanted.name, signal);
    const tip = await this.objects.findCommit(path, ref, signal);
    if (tip) await this.expectUnused(path, ref, wanted.name, signal);
    const { commit: before } = await this.readNotes(worktree, signal);
    const there = tip ? { name: wanted.name, commit: tip, made: before } : undefined;
    const made = await commitBranch(this.objects, worktree, wanted, there, signal);
    // Git refuses if the branch was created or moved in the meantime. The empty old value means that it must not exist.
    await this.objects.read(path, ['update-ref', ref, made.commit, tip ?? ''], signal);
    await this.addNotes(worktree, { branch: wanted.name, commit: made.commit, address: '' }, signal);
    return made;
  }

  async readNotes({ path }: Pick<Worktree, 'path'>, signal: AbortSignal): Promise<WorktreeMetadata> {
    return await readNotes(await this.notesOf(path, signal));
  }

  async addNotes(
    { path }: Pick<Worktree, 'path'>,
    notes: WorktreeMetadata,
    signal: AbortSignal,
  ): Promise<void> {
    const place = await this.notesOf(path, signal);
    await writeNotes(place, { ...(await readNotes(place)), ...notes });
  }

  async listRemotes(
    { path }: Pick<Worktree, 'path'>,
    signal: AbortSignal,
  ): Promise<readonly { readonly name: string; readonly url: string }[]> {
    const listed = await this.objects.read(path, ['remote', '-v'], signal);
    return [...listed.matchAll(/^(\S+)\t(.+) \(push\)$/gm)].map(([, name = '', url = '']) => ({ name, url }));
  }

  async findUnbranchedWork(worktree: Worktree, signal: AbortSignal): Promise<UnbranchedWork> {
    const begun = await this.readTransferBase(worktree, signal);
    return await findUnbranchedWork(this.objects, worktree, begun, signal);
  }

  async readTransferBase({ home, name, base }: Worktree, signal: AbortSignal): Promise<string> {
    return (await this.objects.findCommit(home, baseRef(name), signal)) ?? base;
  }

  async markTransferred(worktree: Worktree, files: readonly FileState[], signal: AbortSignal): Promise<void> {
    const before = await this.readTransferBase(worktree, signal);
    const tree = await this.objects.treeWith(worktree.path, before, files, signal);
    await this.moveBase(worktree, before, tree, signal);
  }

  async resetTransferBase(worktree: Worktree, commit: string, signal: AbortSignal): Promise<void> {
    const before = await this.readTransferBase(worktree, signal);
    await this.moveBase(worktree, before, await this.objects.treeOf(worktree.path, commit, signal), signal);
  }

  async merge(
    { base, mine, theirs }: Record<'base' | 'mine' | 'theirs', Uint8Array>,
    sides: { readonly mine: string; readonly theirs: string },
    signal: AbortSignal,
  ): Promise<MergedText> {
    return await withTemporaryFolder(async folder => {
      const files = { mine, base, theirs };
      for (const [name, bytes] of Object.entries(files))
        await writeFile(join(folder, name), bytes, { mode: 0o600 });
      const labels = [sides.mine, 'base', sides.theirs].flatMap(label => ['-L', label]);
      const args = ['merge-file', '-p', '--quiet', ...labels, ...Object.keys(files)];
      const merged = await this.objects.run(folder, args, signal);
      if (merged.kind === 'done') return { kind: 'clean', bytes: merged.output };
      const { code, output } = merged;
      if (code === binaryCode) return { kind: 'conflict' };
      if (code !== undefined && code > 0 && code <= mostConflicts)
        return { kind: 'conflict', marked: output };
      throw new LocalizedError(merged.say);
    });
  }

  private rootOf(folder: string, signal: AbortSignal): Promise<string> {
    return this.objects.read(folder, ['rev-parse', '--show-toplevel'], signal);
  }

  /** Git's folder of this worktree. */
  private notesOf(path: string, signal: AbortSignal): Promise<string> {
    return this.objects.read(
      path,
      ['rev-parse', '--path-format=absolute', '--git-path', 'folio-notes'],
      signal,
    );
  }

  /** Keeps earlier commits as ancestors, so that none is garbage-collected. */
  private async moveBase(
    { path, home, name }: Worktree,
    parent: string,
    tree: string,
    signal: AbortSignal,
  ): Promise<void> {
    const made = { tree, parent, message: 'brought-home' };
    const commit = await this.objects.commitTree(path, made, signal, committerArgs);
    await this.objects.read(home, ['update-ref', baseRef(name), commit, parent], signal);
  }

  /** The files of a working tree would not follow its branch. */
  private async expectUnused(folder: string, ref: string, name: string, signal: AbortSignal): Promise<void> {
    const place = await this.objects.read(folder, ['for-each-ref', '--format=%(worktreepath)', ref], signal);
    if (place)
      throw new LocalizedError(() =>
        t('{0} is checked out in {1}. Choose another name for the branch.', name, place),
      );
  }

  private async expectName(folder: string, ref: string, name: string, signal: AbortSignal): Promise<void> {
    const isOption = name.startsWith('-');
    if (isOption || !(await this.objects.ask(folder, ['check-ref-format', ref], signal)))
      throw new LocalizedError(() => t('{0} is not a valid branch name in Git.', name));
  }

  /** Absolute path with links resolved, which may not exist yet. Same for all worktrees of a repository. */
  private async placeOf(folder: string, signal: AbortSignal): Promise<string> {
    const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
    const common = await realpath(await this.objects.read(folder, args, signal));
    const named = basename(common) === '.git' ? basename(dirname(common)) : basename(common, '.git');
    const hash = createHash('sha256').update(common).digest('hex').slice(0, 8);
    await mkdir(this.place, { recursive: true, mode: 0o700 });
    return join(await realpath(this.place), `${named}-${hash}`);
  }

  private async findBase(home: string, start: WorktreeStart, signal: AbortSignal): Promise<string> {
    if (start.kind === 'seen') return this.commitFiles(home, uncommittedSubject, signal);
    const commit = await this.objects.findCommit(home, start.kind === 'ref' ? start.ref : 'HEAD', signal);
    if (commit !== undefined) return commit;
    throw new LocalizedError(() =>
      start.kind === 'ref' ? t('Git has no commit {0}.', start.ref) : t('The repository has no commit yet.'),
    );
  }

  /** Commits the current files without a branch. */
  private async commitFiles(root: string, message: string, signal: AbortSignal): Promise<string> {
    const tree = await this.objects.treeOfFiles(root, signal);
    const parent = await this.objects.findCommit(root, 'HEAD', signal);
    const isSame = parent !== undefined && tree === (await this.objects.treeOf(root, parent, signal));
    return isSame
      ? parent
      : await this.objects.commitTree(root, { tree, parent, message }, signal, committerArgs);
  }
}

/** Skips links and existing files. */
async function copyInto(home: string, root: string, path: string): Promise<void> {
  const [from, to] = [join(home, path), join(root, path)];
  if (!(await lstat(from)).isFile() || !(await makeSharedFolder(root, path))) return;
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

/** Parses `git worktree list --porcelain -z`: attributes end with a zero byte, worktrees with two. */
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

/** Parses one note per line: name, space, value. */
async function readNotes(place: string): Promise<WorktreeMetadata> {
  const text = await readFile(place, 'utf8').catch(error => {
    if (isMissing(error)) return '';
    throw error;
  });
  const find = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
  return { branch: find('branch'), commit: find('commit'), address: find('address') };
}

/** Atomic, so a kill leaves the previous notes. */
async function writeNotes(place: string, notes: WorktreeMetadata): Promise<void> {
  const lines = Object.entries(notes).flatMap(([name, value]) => (value ? [`${name} ${value}\n`] : []));
  await writeFile(`${place}.new`, lines.join(''));
  await rename(`${place}.new`, place);
}
