/* Folders that tools regenerate: dependencies, caches, builds. Skipped unless a call names them. */

import { dirname, join, relative, sep } from 'node:path';
import { folderContains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';

export interface FolderPorts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly paths: WorkspacePaths;
  /** Folder names excluded at any depth, from the settings. */
  readonly ignoredFolders: () => readonly string[];
}

/** If a `.gitignore` exists and does not list a folder of such a name, the folder holds sources. */
const builtFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'target', 'coverage']);

/**
 * Returns the folder names to exclude below a folder. A name in the call itself is included, and nothing is excluded
 * inside such a folder.
 * @param folder absolute, real
 * @param said globs of the call
 */
export async function readExcludedFolderNames(
  { files, paths, ignoredFolders }: FolderPorts,
  folder: string,
  said: readonly (string | undefined)[] = [],
): Promise<ReadonlySet<string>> {
  const names = ignoredFolders();
  const root = paths.all.find(each => folderContains(each, folder));
  const shown = root === undefined ? await paths.show(folder) : relative(root, folder);
  const above = shown.split(/[\\/]/);
  if (names.some(name => above.includes(name))) return new Set();
  const meant = said.flatMap(glob => glob?.split(/[\\/{},()|]/) ?? []);
  const others = names.filter(name => !meant.includes(name));
  const isIgnoreFileThere =
    others.some(name => builtFolders.has(name)) && (await hasGitIgnore(files, folder));
  return new Set(others.filter(name => !isIgnoreFileThere || !builtFolders.has(name)));
}

/** Returns the first such folder between the two; `undefined` if the path is in none. */
export function findIgnoredFolder(
  names: ReadonlySet<string>,
  folder: string,
  path: string,
): string | undefined {
  if (names.size === 0) return undefined;
  return relative(folder, dirname(path))
    .split(sep)
    .find(part => names.has(part));
}

/** `node_modules and dist`, sorted by name. */
export function formatFolderNames(names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort();
  const last = sorted.pop() ?? '';
  return sorted.length > 0 ? `${sorted.join(', ')} and ${last}` : last;
}

/** Searches the folder and its parents, up to the repository's root. */
async function hasGitIgnore(files: FolderPorts['files'], folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await files.stat(join(at, '.gitignore'))) return true;
    if (dirname(at) === at || (await files.stat(join(at, '.git')))) return false;
  }
}
