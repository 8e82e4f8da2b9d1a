/* Paths as they are at this moment: sandboxes stand around what is there. */

import { lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Place } from './bubblewrapProfile.ts';

/** A folder that was granted may be a cache that nobody has used yet. */
export async function madeReady(paths: readonly string[]): Promise<readonly Place[]> {
  const real = await unswapped(paths);
  for (const path of real) if ((await existing([path])).length === 0) await mkdir(path, { recursive: true });
  return await existing(real);
}

/** Grants name where links lead. One that is a link now became one after it was given, and would open another place. */
export async function unswapped(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(isReal));
  return paths.filter((_, at) => real[at]);
}

async function isReal(path: string): Promise<boolean> {
  // A path that is missing is real when the folder that it would be made in is.
  for (let at = path; ; at = dirname(at)) {
    const isThere = await lstat(at).catch(() => undefined);
    if (isThere) return (await realpath(at).catch(() => undefined)) === at;
    if (at === dirname(at)) return true;
  }
}

export async function existing(paths: readonly string[]): Promise<readonly Place[]> {
  const checked = await Promise.all(
    paths.map(async path => {
      // A mount covers what a link leads to.
      const real = await realpath(path).catch(() => undefined);
      const stat = real && (await lstat(real).catch(() => undefined));
      return real && stat ? [{ path: real, isFolder: stat.isDirectory() }] : [];
    }),
  );
  return checked.flat();
}
