/* Checks which paths exist now, because a sandbox is built from existing paths. */

import { lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ExistingPath } from './bubblewrapProfile.ts';

/** Creates missing folders, because a granted folder may be an unused cache. */
export async function createMissingFolders(paths: readonly string[]): Promise<readonly ExistingPath[]> {
  const real = await withoutSwappedLinks(paths);
  for (const path of real)
    if ((await findExisting([path])).length === 0) await mkdir(path, { recursive: true });
  return await findExisting(real);
}

/** Grants contain resolved paths. A path that is a link now was replaced after the grant, and is dropped. */
export async function withoutSwappedLinks(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(isReal));
  return paths.filter((_, at) => real[at]);
}

async function isReal(path: string): Promise<boolean> {
  // A missing path counts as resolved if its nearest existing parent is.
  for (let at = path; ; at = dirname(at)) {
    const isThere = await lstat(at).catch(() => undefined);
    if (isThere) return (await realpath(at).catch(() => undefined)) === at;
    if (at === dirname(at)) return true;
  }
}

export async function findExisting(paths: readonly string[]): Promise<readonly ExistingPath[]> {
  const checked = await Promise.all(
    paths.map(async path => {
      // A mount covers the target of a link.
      const real = await realpath(path).catch(() => undefined);
      const stat = real && (await lstat(real).catch(() => undefined));
      return real && stat ? [{ path: real, isFolder: stat.isDirectory() }] : [];
    }),
  );
  return checked.flat();
}
