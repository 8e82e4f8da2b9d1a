/* Folders that programs fill and can fill again: dependencies, caches, builds. Nobody means them unless they say so. */

import { dirname, join, relative, sep } from 'node:path';
import { contains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';

export interface FolderPorts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly paths: WorkspacePaths;
  /** Names that are left out at any depth, as the user set them. */
  readonly ignoredFolders: () => readonly string[];
}

/** Where a `.gitignore` says what is built, a folder of such a name that it does not list holds sources. */
const builtFolders: ReadonlySet<string> = new Set(['dist', 'build', 'out', 'target', 'coverage']);

/**
 * The names to leave out below a folder. A name that the call itself uses is meant, and in such a folder nothing is
 * left out.
 * @param folder absolute, real. @param said globs of the call
 */
export async function readIgnoredFolders(
  { files, paths, ignoredFolders }: FolderPorts,
  folder: string,
  said: readonly (string | undefined)[] = [],
): Promise<ReadonlySet<string>> {
  const names = ignoredFolders();
  const root = paths.all.find(each => contains(each, folder));
  const shown = root === undefined ? await paths.show(folder) : relative(root, folder);
  const above = shown.split(/[\\/]/);
  if (names.some(name => above.includes(name))) return new Set();
  const meant = said.flatMap(glob => glob?.split(/[\\/{},()|]/) ?? []);
  const others = names.filter(name => !meant.includes(name));
  const isIgnoreFileThere =
    others.some(name => builtFolders.has(name)) && (await hasGitIgnore(files, folder));
  return new Set(others.filter(name => !isIgnoreFileThere || !builtFolders.has(name)));
}

/** The first folder of such a name between the two; undefined: the path lies in none. */
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

/** `node_modules and dist`, by name. */
export function listFolders(names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort();
  const last = sorted.pop() ?? '';
  return sorted.length > 0 ? `${sorted.join(', ')} and ${last}` : last;
}

/** In the folder or above it, up to the root of its repository. */
async function hasGitIgnore(files: FolderPorts['files'], folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (await files.stat(join(at, '.gitignore'))) return true;
    if (dirname(at) === at || (await files.stat(join(at, '.git')))) return false;
  }
}
