import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from './fileErrors.ts';
import { type FileStats, waitingStats } from './fileStats.ts';

/**
 * The place that a path leads to, all links resolved, whether or not it exists. A link to nothing leads to its
 * target too: writing through it would make the file there. Rejects with Node's own error.
 */
export async function resolveLinks(path: string, scans: FileStats = waitingStats): Promise<string> {
  return await follow(path, scans, 0);
}

/** The path itself where it cannot be followed: a folder that is not there holds nothing. */
export function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Says whether a path is a folder or lies in it; both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

// As many as Linux follows. Circles are refused by `realpath`, except those through a folder that is missing.
const maxLinks = 40;

async function follow(path: string, scans: FileStats, depth: number): Promise<string> {
  if (depth > maxLinks) throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
  try {
    return await scans.realPath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await follow(parent, scans, depth);
  const target = await findTarget(path);
  if (target !== undefined) return await follow(resolve(folder, target), scans, depth + 1);
  return join(folder, basename(path));
}

/** Where the link leads; `undefined` when it is none. */
export async function findTarget(path: string): Promise<string | undefined> {
  try {
    // Hardly anything is a link, and that a file is none would be told by an error, which takes longer.
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
