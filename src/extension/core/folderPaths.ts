/* Compares paths with folders. Kept apart from paths.ts, whose gate no window needs before a session. */

import { isAbsolute, relative, sep } from 'node:path';

export function folderContains(folder: string, path: string): boolean {
  // A burst of file events checks each path, and `relative` is slow.
  if (path.startsWith(folder + sep) && !path.includes(`${sep}..`)) return true;
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside));
}

/** Formats a path as tools take it: with `/`, and relative to `folder` if it lies inside. */
export function formatPathIn(folder: string | undefined, path: string): string {
  if (!isAbsolute(path)) return path;
  // Listings give many paths of one folder, and `relative` is slow.
  if (folder !== undefined && path.startsWith(folder + sep)) {
    const inside = path.slice(folder.length + 1);
    return sep === '/' ? inside : inside.replaceAll(sep, '/');
  }
  const shown = folder !== undefined && folderContains(folder, path) ? relative(folder, path) : path;
  return shown.split(sep).join('/');
}
