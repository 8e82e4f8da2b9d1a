/*
 * Prevents sandboxed commands from changing files that later run or take effect outside: Git's hooks and configuration,
 * settings of editors and agents, instruction files. Existing ones are mounted read-only. For missing ones, checks
 * during and after the command, and moves created ones away; a mount would leave an empty file behind.
 */

import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { QuarantinedPath } from '../../platform/sandbox.ts';
import { findLinkedWorktreePaths, type LinkedWorktreePaths } from './linkedWorktree.ts';
import { liesWithin } from './secretPlaces.ts';

export interface ProtectedPathScan {
  /** Writable folders that must be mounts, so that a parent of a protected path cannot be renamed. */
  readonly pinned: readonly string[];
  readonly readOnly: readonly string[];
  /** Files with secrets. */
  readonly hidden: readonly string[];
  /** Links with protected names and their targets, because a mount cannot cover a link. */
  readonly links: ReadonlyMap<string, string>;
  /** Protected names that do not exist. */
  readonly missing: readonly string[];
  /** Paths outside that Git writes, if the workspace is a linked worktree. */
  readonly linked: LinkedWorktreePaths;
}

/** File names in a workspace that are protected besides the fixed ones. */
export interface GuardedNames {
  /** File names of instruction files. */
  readonly instructionNames: () => readonly string[];
  readonly holdsSecrets: (fileName: string) => boolean;
}

/** Names that determine what runs later. */
const guardedNames: readonly string[] = [
  ...['.vscode', '.gemini', '.claude', '.folio', '.idea', '.cursor', '.zed', '.devcontainer', '.husky'],
  ...['.githooks', '.mcp.json', '.cursorrules', '.windsurfrules', '.clinerules', '.gitmodules', '.gitconfig'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.xprofile', '.vimrc', '.exrc', '.tmux.conf', '.envrc'],
  ...[
    '.config/git',
    '.config/fish',
    '.config/autostart',
    '.config/systemd',
    '.github/copilot-instructions.md',
  ],
];

/** In a repository's own folder, which also has hooks and configurations of work trees and submodules. */
const gitNames: readonly string[] = [
  ...['config', 'hooks', 'config.worktree', 'commondir', 'gitdir', 'modules', 'worktrees', 'info/attributes'],
];

const expensiveFolders = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  'target',
  '.gradle',
  '.tox',
]);
/** Maximum number of scanned entries, starting with the top levels. */
const maxEntries = 50_000;

/**
 * @param roots all workspace folders, absolute with links resolved: targets of protected links in any of them are
 * protected too
 * @param granted absolute paths that the command may write regardless
 */
export async function scanProtectedPaths(
  root: string,
  { instructionNames, holdsSecrets }: GuardedNames,
  roots: readonly string[],
  granted: readonly string[],
): Promise<ProtectedPathScan> {
  const guarded = new Set([...guardedNames, ...instructionNames()]);
  const found = await findGuarded(root, guarded, holdsSecrets);
  for (const path of found.links.keys()) {
    const target = await realpath(path).catch(() => undefined);
    const isInside = target !== undefined && roots.some(each => each !== target && liesWithin(target, each));
    if (isInside && !found.readOnly.includes(target)) found.readOnly.push(target);
  }
  const wanted = [...guarded, '.git', ...gitNames.map(name => `.git/${name}`)].map(name => join(root, name));
  const missing: string[] = [];
  for (const path of wanted) if (!(await exists(path))) missing.push(path);
  const isGranted = (path: string) => granted.some(each => each !== root && liesWithin(path, each));
  const readOnly = found.readOnly.filter(path => !isGranted(path));
  const pins = [...readOnly, ...found.hidden].flatMap(path => foldersBetween(root, path));
  return {
    pinned: [...new Set([...found.repositories.filter(path => !isGranted(path)), ...pins])].sort(),
    readOnly,
    hidden: found.hidden,
    links: found.links,
    missing: missing.filter(path => !isGranted(path)),
    linked: await findLinkedWorktreePaths(root),
  };
}

/**
 * Moves created files away and restores links. A file may be the user's, so it is kept.
 * @param keep moves a path away and resolves with its new place
 */
export async function undoForbiddenChanges(
  { missing, links, linked }: ProtectedPathScan,
  keep: (path: string) => Promise<string>,
): Promise<readonly QuarantinedPath[]> {
  const undone: QuarantinedPath[] = [];
  for (const path of [...missing, ...linked.missing]) {
    if (!(await exists(path))) continue;
    undone.push({ path, movedTo: await keep(path) });
  }
  for (const [path, target] of links) {
    if ((await readlink(path).catch(() => undefined)) === target) continue;
    undone.push((await exists(path)) ? { path, movedTo: await keep(path) } : { path });
    await symlink(target, path);
  }
  return undone;
}

interface Found {
  readonly readOnly: string[];
  readonly hidden: string[];
  readonly links: Map<string, string>;
  readonly repositories: string[];
}

async function findGuarded(
  root: string,
  guarded: ReadonlySet<string>,
  holdsSecrets: GuardedNames['holdsSecrets'],
): Promise<Found> {
  const found: Found = { readOnly: [], hidden: [], links: new Map(), repositories: [] };
  const folders = [root];
  let seen = 0;
  for (let at = 0; at < folders.length && seen < maxEntries; at += 1) {
    const folder = folders[at]!;
    // A folder that cannot be listed is unreadable for the command too.
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    seen += entries.length;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name === '.git') await guardRepository(path, entry, found);
      else if (guarded.has(entry.name) || entry.name.endsWith('.code-workspace'))
        await guardEntry(path, entry, found);
      else if (entry.isDirectory() && !expensiveFolders.has(entry.name)) folders.push(path);
      else if (entry.isFile() && holdsSecrets(entry.name)) found.hidden.push(path);
    }
    if (folder !== root) continue;
    for (const name of guarded) if (name.includes('/')) await guardExisting(join(root, name), found);
  }
  return found;
}

async function guardRepository(path: string, entry: Dirent, found: Found): Promise<void> {
  if (!entry.isDirectory()) return await guardEntry(path, entry, found);
  found.repositories.push(path);
  for (const name of gitNames) await guardExisting(join(path, name), found);
}

async function guardExisting(path: string, found: Found): Promise<void> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat) await guardEntry(path, stat, found);
}

async function guardEntry(path: string, entry: { isSymbolicLink(): boolean }, found: Found): Promise<void> {
  if (entry.isSymbolicLink()) found.links.set(path, await readlink(path));
  else found.readOnly.push(path);
}

function foldersBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== root && liesWithin(folder, root); folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
