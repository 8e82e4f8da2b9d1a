import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from './fileErrors.ts';
import { asyncStatCalls, type StatCalls } from './statCalls.ts';

/**
 * Resolves all links in a path, whether or not it exists. A broken link resolves to its target, because writing through
 * it would create the file there. Rejects with Node's error.
 */
export async function resolveLinks(path: string, scans: StatCalls = asyncStatCalls): Promise<string> {
  return await follow(path, scans, 0);
}

/** Returns the path itself if it cannot be resolved, because a missing folder contains nothing. */
export function realPathOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Returns whether a path is the folder or lies in it. Both are absolute. */
export function containsPath(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

// Same limit as Linux. `realpath` rejects cycles, except those through a missing folder.
const maxLinks = 40;

async function follow(path: string, scans: StatCalls, depth: number): Promise<string> {
  if (depth > maxLinks) throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
  try {
    return await scans.realPath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await follow(parent, scans, depth);
  const target = await readLinkTarget(path);
  if (target !== undefined) return await follow(resolve(folder, target), scans, depth + 1);
  return join(folder, basename(path));
}

/** Target of a link. `undefined` if the path is no link. */
export async function readLinkTarget(path: string): Promise<string | undefined> {
  try {
    // Most paths are no links, and `readlink` would report that by an error, which is slower.
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
