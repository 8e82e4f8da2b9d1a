/*
 * A linked worktree of Git keeps its index, its objects and its branch in the repository that it belongs to, outside
 * of the workspace. `git add` and `git commit` need just these parts of it:
 *
 *     .git/worktrees/NAME            index, HEAD, its reflog     but for what leads Git elsewhere
 *     .git/objects                   new objects                 but for packs and alternates
 *     .git/refs/heads, .git/logs/…   the branch of the worktree  but for branches of others
 *
 * Configuration and hooks lie beside them and stay read-only.
 */

import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isThere } from '../files/isThere.ts';

export interface LinkedParts {
  /** Existing folders outside of the workspace that Git writes. */
  readonly writable: readonly string[];
  /** Existing paths in them that stay as they are. */
  readonly readOnly: readonly string[];
  /** Paths in them that must not appear. */
  readonly missing: readonly string[];
}

export const nothingLinked: LinkedParts = { writable: [], readOnly: [], missing: [] };

/** In a worktree's own folder: what leads Git to another repository, configuration or code, and keeps it from pruning. */
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
/** Each becomes a mount: with more branches than this, a worktree commits without a branch only. */
const maxBranches = 400;

/** @param root a workspace folder, real and absolute; in a linked worktree or not */
export async function surveyLinked(root: string): Promise<LinkedParts> {
  const found = await findLinked(root);
  if (!found) return nothingLinked;
  const { own, common } = found;
  const objects = join(common, 'objects');
  const kept = [...ownNames.map(name => join(own, name)), ...objectNames.map(name => join(objects, name))];
  const isKept = await Promise.all(kept.map(isThere));
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
 * The repository must name the worktree, too: only then its owner has made it one. A command cannot write that name, so
 * no file `.git` that it makes opens a repository.
 */
async function findLinked(root: string): Promise<Linked | undefined> {
  const file = await findGitFile(root);
  const own = file && (await readPath(file, /^gitdir: (.+)$/m));
  const common = own && (await readPath(join(own, 'commondir'), /^(.+)$/m));
  if (!file || !own || !common || dirname(own) !== join(common, 'worktrees')) return undefined;
  const back = await readPath(join(own, 'gitdir'), /^(.+)$/m);
  return back === file ? { own, common } : undefined;
}

/** The nearest `.git`, where it is a file. */
async function findGitFile(root: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    if (await isThere(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The path that a file names, as it really is; undefined where it names none that exists. */
async function readPath(file: string, line: RegExp): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, path] = line.exec(text) ?? [];
  if (path === undefined) return undefined;
  return await realpath(resolve(dirname(file), path)).catch(() => undefined);
}

/** The branch that is checked out here may move, and new ones may come; all others stay as they are. */
async function surveyBranches(own: string, common: string): Promise<LinkedParts> {
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
    if ((await isReal(folder)) && (await isThere(folder))) folders.push(folder);
  // Without a folder for its reflog Git makes one in a folder that stays read-only.
  if (!folders.includes(heads)) return nothingLinked;
  const found = await Promise.all(folders.map(folder => listBelow(folder)));
  const isOther = (path: string) => folders.every(folder => path !== join(folder, mine ?? ''));
  const others = found.flatMap(({ files }) => files).filter(isOther);
  const hidden = [...packed].filter(name => name !== mine).map(name => join(heads, name));
  const loose = new Set(others);
  const missing = hidden.filter(path => !loose.has(path));
  // A folder that is a mount of its own cannot be renamed with what it holds.
  const writable = [...folders, ...found.flatMap(each => each.folders)].sort();
  if (writable.length + others.length + missing.length > maxBranches) return nothingLinked;
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

/** A command writes its worktree's HEAD, and must not get the user's branch by naming it there. */
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
