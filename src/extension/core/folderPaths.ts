/* Paths and the folders that they lie in. Apart from the gate in paths.ts, which no window needs before a session. */

import { isAbsolute, relative, sep } from 'node:path';

export function contains(folder: string, path: string): boolean {
  // A burst of files asks for each of them, and `relative` is slow.
  if (path.startsWith(folder + sep) && !path.includes(`${sep}..`)) return true;
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith(`..${sep}`) && inside !== '..' && !isAbsolute(inside));
}

/** As tools take it: relative to the first folder where it lies in it; with `/`. */
export function showIn(folder: string | undefined, path: string): string {
  if (!isAbsolute(path)) return path;
  // Listing gives many paths of the same folder, and `relative` is slow.
  if (folder !== undefined && path.startsWith(folder + sep)) {
    const inside = path.slice(folder.length + 1);
    return sep === '/' ? inside : inside.replaceAll(sep, '/');
  }
  const shown = folder !== undefined && contains(folder, path) ? relative(folder, path) : path;
  return shown.split(sep).join('/');
}
