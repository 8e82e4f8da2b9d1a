/* Copies an untrusted folder: no link in the copy leads out of it, and its size is limited. */

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import { formatBytes } from '../../base/text.ts';
import { containsPath } from '../files/realPath.ts';

const maxFiles = 50_000;
const maxBytes = 512 * 1024 * 1024;
const maxLevels = 40;

interface Copying {
  /** With links resolved. */
  readonly root: string;
  readonly to: string;
  /** Names directly below the root to omit. */
  readonly without: ReadonlySet<string>;
  readonly signal: AbortSignal;
  files: number;
  bytes: number;
}

/**
 * Omits Git histories. Rejects with a user-facing message about a link that leads out, or about an exceeded limit.
 * @param to must not exist.
 * @param without names directly below the folder to omit
 */
export async function copyTree(
  from: string,
  to: string,
  without: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const root = await realpath(from);
  await copyFolder('', { root, to, without: new Set(without), signal, files: 0, bytes: 0 }, 1);
}

async function copyFolder(path: string, copying: Copying, level: number): Promise<void> {
  if (level > maxLevels)
    throw new LocalizedError(() => t('Its folders are nested more than {0} levels deep.', maxLevels));
  await mkdir(join(copying.to, path));
  for (const name of (await readdir(join(copying.root, path))).sort()) {
    copying.signal.throwIfAborted();
    if (name === '.git' || (path === '' && copying.without.has(name))) continue;
    await copyEntry(join(path, name), copying, level);
  }
}

async function copyEntry(path: string, copying: Copying, level: number): Promise<void> {
  const { root, to } = copying;
  const from = join(root, path);
  const found = await lstat(from);
  copying.files++;
  copying.bytes += found.size;
  if (copying.files > maxFiles)
    throw new LocalizedError(() => t('It contains more than {0} files.', maxFiles));
  if (found.isDirectory()) return copyFolder(path, copying, level + 1);
  if (copying.bytes > maxBytes)
    throw new LocalizedError(() => t('It contains more than {0}.', formatBytes(maxBytes)));
  if (found.isSymbolicLink()) return copyLink(path, copying);
  if (!found.isFile()) throw new LocalizedError(() => t('{0} in it is not a file or a folder.', path));
  await copyFile(from, join(to, path), constants.COPYFILE_EXCL);
}

/** Resolves the target as the system would. It must be inside the copied folder. */
async function copyLink(path: string, { root, to, without }: Copying): Promise<void> {
  const target = await readlink(join(root, path));
  const real = await realpath(join(root, path)).catch(() => undefined);
  const isInside = real !== undefined && !isAbsolute(target) && containsPath(root, real);
  const way = isInside ? relative(root, real).split(sep) : ['.git'];
  if (way.includes('.git') || without.has(way[0]!))
    throw new LocalizedError(() => t('{0} in it is a broken link, or leads out of the folder.', path));
  await symlink(target, join(to, path));
}
