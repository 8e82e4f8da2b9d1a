/* Creates trees and commits without touching the repository's index and working tree. */

import { chmod, copyFile, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LocalizedError } from '../../base/errors.ts';
import type { FileState } from '../../platform/worktrees.ts';
import { isMissing } from '../files/fileErrors.ts';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';
import type { ProgramFinder } from '../processes/programs.ts';
import { findGit, type GitResult, gitMissing, runGit } from './runGit.ts';

/** Milliseconds. Checking out a large repository takes long. */
const timeLimit = 10 * 60_000;
const outputLimit = 64 * 1024 * 1024;

interface GitOptions {
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Methods reject with a `LocalizedError` that contains Git's message, or with the signal's reason on abort. */
export class GitObjects {
  private readonly programs: ProgramFinder;

  /** @param programs finds git, and what git runs */
  constructor(programs: ProgramFinder) {
    this.programs = programs;
  }

  async findCommit(folder: string, ref: string, signal: AbortSignal): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    const found = await this.ask(folder, args, signal);
    return found && textOf(found);
  }

  /** A commit counts as its own ancestor. */
  async isAncestor(folder: string, commit: string, of: string, signal: AbortSignal): Promise<boolean> {
    return (await this.ask(folder, ['merge-base', '--is-ancestor', commit, of], signal)) !== undefined;
  }

  treeOf(folder: string, commit: string, signal: AbortSignal): Promise<string> {
    return this.read(folder, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], signal);
  }

  /**
   * The tree of the current files, including untracked ones that are not ignored. Uses a copy of the index, so that the
   * user's index does not change.
   */
  async treeOfFiles(root: string, signal: AbortSignal): Promise<string> {
    return await withTemporaryFolder(async folder => {
      const index = join(folder, 'index');
      const args = ['rev-parse', '--path-format=absolute', '--git-path', 'index'];
      await copyIndex(await this.read(root, args, signal), index);
      const variables = { GIT_INDEX_FILE: index };
      const safe = ['-c', 'core.splitIndex=false', '-c', 'advice.addEmbeddedRepo=false'];
      await this.read(root, [...safe, 'add', '--all', '--sparse', '--', '.'], signal, { variables });
      return await this.read(root, [...safe, 'write-tree'], signal, { variables });
    });
  }

  /** A tree with the given files, independent of the working tree. */
  async treeWith(
    root: string,
    before: string,
    files: readonly FileState[],
    signal: AbortSignal,
  ): Promise<string> {
    return await withTemporaryFolder(async folder => {
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

  /** @param as name of the committer; defaults to the user in Git's configuration */
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
    if (result.kind === 'failed') throw new LocalizedError(result.say);
    return textOf(result.output);
  }

  /** For queries that Git answers by exit code: resolves to `undefined` for no. Rejects on every other failure. */
  async ask(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options?: GitOptions,
  ): Promise<Buffer | undefined> {
    const result = await this.run(folder, args, signal, options);
    if (result.kind === 'done') return result.output;
    if (result.code === 1) return undefined;
    throw new LocalizedError(result.say);
  }

  async run(
    folder: string,
    args: readonly string[],
    signal: AbortSignal,
    options: GitOptions = {},
  ): Promise<GitResult> {
    const { programs } = this;
    const program = findGit(programs);
    if (program === undefined) return gitMissing();
    return runGit({ program, programs, folder, args, timeLimit, limit: outputLimit, signal, ...options });
  }
}

/**
 * Git rereads a file of the same size only if it changed no earlier than the index, in whole seconds. A copy therefore
 * keeps the time of its original.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  } catch (error) {
    // The index does not exist before the first `git add`.
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

export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
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
