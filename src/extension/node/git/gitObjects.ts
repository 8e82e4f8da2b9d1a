/* Trees and commits, made beside a repository's own index and working tree. */

import { chmod, copyFile, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SpokenError } from '../../base/errors.ts';
import type { FileState } from '../../platform/worktrees.ts';
import { isMissing } from '../files/fileErrors.ts';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';
import type { Programs } from '../processes/programs.ts';
import { findGit, type GitResult, noGit, runGit } from './runGit.ts';

/** Milliseconds; a checkout of a large repository takes long. */
const timeLimit = 10 * 60_000;
const outputLimit = 64 * 1024 * 1024;

interface GitOptions {
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Methods reject with a `SpokenError` that has Git's reason, and with the signal's reason on abort. */
export class GitObjects {
  private readonly programs: Programs;

  /** @param programs finds git, and what git runs */
  constructor(programs: Programs) {
    this.programs = programs;
  }

  /** The commit that a name stands for. */
  async findCommit(folder: string, ref: string, signal: AbortSignal): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    const found = await this.ask(folder, args, signal);
    return found && textOf(found);
  }

  /** A commit is its own ancestor. */
  async isAncestor(folder: string, commit: string, of: string, signal: AbortSignal): Promise<boolean> {
    return (await this.ask(folder, ['merge-base', '--is-ancestor', commit, of], signal)) !== undefined;
  }

  treeOf(folder: string, commit: string, signal: AbortSignal): Promise<string> {
    return this.read(folder, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], signal);
  }

  /**
   * The tree of the files as they stand, untracked ones that are not ignored included. It is prepared in a copy of the
   * index, so that the user's own stays as it is.
   */
  async treeOfFiles(root: string, signal: AbortSignal): Promise<string> {
    return await inTemporaryFolder(async folder => {
      const index = join(folder, 'index');
      const args = ['rev-parse', '--path-format=absolute', '--git-path', 'index'];
      await copyIndex(await this.read(root, args, signal), index);
      const variables = { GIT_INDEX_FILE: index };
      const safe = ['-c', 'core.splitIndex=false', '-c', 'advice.addEmbeddedRepo=false'];
      await this.read(root, [...safe, 'add', '--all', '--sparse', '--', '.'], signal, { variables });
      return await this.read(root, [...safe, 'write-tree'], signal, { variables });
    });
  }

  /** A tree in which these files stand as given, whatever the working tree holds by now. */
  async treeWith(
    root: string,
    before: string,
    files: readonly FileState[],
    signal: AbortSignal,
  ): Promise<string> {
    return await inTemporaryFolder(async folder => {
      const tree = join(folder, 'tree');
      await mkdir(tree);
      const variables = { GIT_INDEX_FILE: join(folder, 'index'), GIT_WORK_TREE: tree };
      await this.read(root, ['read-tree', before], signal, { variables });
      for (const file of files) await putFile(tree, file);
      const input = files.map(({ path }) => `${path}\0`).join('');
      const update = ['update-index', '--add', '--remove', '--replace', '--ignore-skip-worktree-entries'];
      await this.read(root, [...update, '-z', '--stdin'], signal, { variables, input });
      return await this.read(root, ['write-tree'], signal, { variables });
    });
  }

  /** @param as whose name it has; absent: the user's, as Git knows them */
  async commitTree(
    folder: string,
    {
      tree,
      parent,
      message,
    }: { readonly tree: string; readonly parent?: string | undefined; readonly message: string },
    signal: AbortSignal,
    as: readonly string[] = [],
  ): Promise<string> {
    const parents = parent === undefined ? [] : ['-p', parent];
    return await this.read(folder, [...as, 'commit-tree', tree, ...parents], signal, {
      input: `${message}\n`,
    });
  }

  async read(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options?: GitOptions,
  ): Promise<string> {
    const result = await this.run(folder, args, signal, options);
    if (result.kind === 'failed') throw new SpokenError(result.say);
    return textOf(result.output);
  }

  /** For a question that Git answers by its exit code: `undefined` is a no, and every other failure rejects. */
  async ask(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options?: GitOptions,
  ): Promise<Buffer | undefined> {
    const result = await this.run(folder, args, signal, options);
    if (result.kind === 'done') return result.output;
    if (result.code === 1) return undefined;
    throw new SpokenError(result.say);
  }

  async run(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options: GitOptions = {},
  ): Promise<GitResult> {
    const { programs } = this;
    const program = findGit(programs);
    if (program === undefined) return noGit();
    return runGit({ program, programs, folder, args, timeLimit, limit: outputLimit, signal, ...options });
  }
}

/**
 * Git reads a file of the same size again only where it changed no earlier than the index, in whole seconds: a copy
 * keeps the time of its original.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  } catch (error) {
    // There is none before the first `git add`.
    if (!isMissing(error)) throw error;
  }
}

async function putFile(root: string, { path, bytes, executable }: FileState): Promise<void> {
  if (bytes === null) return;
  const place = join(root, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, bytes, { mode: 0o600 });
  if (executable) await chmod(place, 0o700);
}

export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
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
