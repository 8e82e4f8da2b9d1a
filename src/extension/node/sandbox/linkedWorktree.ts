/*
 * A linked worktree of Git has its index, its objects and its branch in its repository, outside of the workspace. For
 * `git add` and `git commit`, only these parts of it are writable:
 *
 *     .git/worktrees/NAME            index, HEAD, its reflog     except what redirects Git
 *     .git/objects                   new objects                 except packs and alternates
 *     .git/refs/heads, .git/logs/…   the branch of the worktree  except other worktrees' branches
 *
 * Configuration and hooks stay read-only.
 */

import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileExists } from '../files/fileExists.ts';

/** Paths outside of a linked worktree that belong to its repository. */
export interface LinkedWorktreePaths {
  /** Existing folders outside of the workspace that Git must write. */
  readonly writable: readonly string[];
  /** Existing paths in them that stay read-only. */
  readonly readOnly: readonly string[];
  /** Paths in them that must not be created. */
  readonly missing: readonly string[];
}

export const noLinkedWorktreePaths: LinkedWorktreePaths = { writable: [], readOnly: [], missing: [] };

/**
 * In the worktree's own folder: names that redirect Git to another repository, configuration or code, or prevent
 * pruning.
 */
const ownNames = [
  'commondir',
  'gitdir',
  'config',
  'config.worktree',
  'hooks',
  'modules',
  'worktrees',
  'locked',
];
const objectNames = ['pack', 'info'];
/** Each branch needs a mount. With more branches, a worktree can only commit without a branch. */
const maxBranches = 400;

/** @param root absolute workspace folder with links resolved, in a linked worktree or not */
export async function findLinkedWorktreePaths(root: string): Promise<LinkedWorktreePaths> {
  const found = await findLinked(root);
  if (!found) return noLinkedWorktreePaths;
  const { own, common } = found;
  const objects = join(common, 'objects');
  const kept = [...ownNames.map(name => join(own, name)), ...objectNames.map(name => join(objects, name))];
  const isKept = await Promise.all(kept.map(fileExists));
  const branches = await surveyBranches(own, common);
  return {
    writable: [own, objects, ...branches.writable],
    readOnly: [...kept.filter((_, at) => isKept[at]), ...branches.readOnly],
    missing: [...kept.filter((_, at) => !isKept[at]), ...branches.missing],
  };
}

interface Linked {
  /** The worktree's own folder in the repository. */
  readonly own: string;
  readonly common: string;
}

/**
 * Requires that the repository also names the worktree, which only its owner can have set up. A command cannot write
 * that, so a `.git` file that it creates opens no repository.
 */
async function findLinked(root: string): Promise<Linked | undefined> {
  const file = await findGitFile(root);
  const own = file && (await readPath(file, /^gitdir: (.+)$/m));
  const common = own && (await readPath(join(own, 'commondir'), /^(.+)$/m));
  if (!file || !own || !common || dirname(own) !== join(common, 'worktrees')) return undefined;
  const back = await readPath(join(own, 'gitdir'), /^(.+)$/m);
  return back === file ? { own, common } : undefined;
}

/** Returns the nearest `.git` if it is a file. */
async function findGitFile(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    if (await fileExists(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Resolves the path in a file. `undefined` if it names no existing one. */
async function readPath(file: string, line: RegExp): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, path] = line.exec(text) ?? [];
  if (path === undefined) return undefined;
  return await realpath(resolve(dirname(file), path)).catch(() => undefined);
}

/** Allows the checked-out branch to move, and new branches to be created; all others stay read-only. */
async function surveyBranches(own: string, common: string): Promise<LinkedWorktreePaths> {
  const [branch, packed, elsewhere] = await Promise.all([
    readBranch(own),
    readPacked(common),
    checkedOutElsewhere(own, common),
  ]);
  const mine = branch === undefined || elsewhere.has(branch) ? undefined : branch;
  const heads = join(common, 'refs', 'heads');
  const logs = join(common, 'logs', 'refs', 'heads');
  const folders: string[] = [];
  for (const folder of [heads, logs])
    if ((await isReal(folder)) && (await fileExists(folder))) folders.push(folder);
  // Without a folder for its reflog, Git would create one in a read-only folder.
  if (!folders.includes(heads)) return noLinkedWorktreePaths;
  const found = await Promise.all(folders.map(folder => listBelow(folder)));
  const isOther = (path: string) => folders.every(folder => path !== join(folder, mine ?? ''));
  const others = found.flatMap(({ files }) => files).filter(isOther);
  const hidden = [...packed].filter(name => name !== mine).map(name => join(heads, name));
  const loose = new Set(others);
  const missing = hidden.filter(path => !loose.has(path));
  // A mounted folder cannot be renamed with its content.
  const writable = [...folders, ...found.flatMap(each => each.folders)].sort();
  if (writable.length + others.length + missing.length > maxBranches) return noLinkedWorktreePaths;
  return { writable, readOnly: others, missing };
}

async function readBranch(folder: string): Promise<string | undefined> {
  const head = await readFile(join(folder, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
}

async function readPacked(common: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '');
  return new Set([...text.matchAll(/^[0-9a-f]+ refs\/heads\/(.+)$/gm)].map(([, name]) => name!));
}

/**
 * Excludes branches of other worktrees: a command can write its worktree's HEAD, and must not gain the user's branch
 * that way.
 */
async function checkedOutElsewhere(own: string, common: string): Promise<ReadonlySet<string>> {
  const names = await readdir(dirname(own)).catch((): string[] => []);
  const others = names.filter(name => name !== basename(own)).map(name => join(dirname(own), name));
  const branches = await Promise.all([common, ...others].map(readBranch));
  return new Set(branches.filter(name => name !== undefined));
}

async function listBelow(
  folder: string,
): Promise<{ readonly folders: readonly string[]; readonly files: readonly string[] }> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const paths = (isFolder: boolean) =>
    entries.filter(each => each.isDirectory() === isFolder).map(each => join(each.parentPath, each.name));
  return { folders: paths(true), files: paths(false) };
}

async function isReal(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => undefined)) === path;
}
