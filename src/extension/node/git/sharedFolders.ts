/*
 * Shares dependency folders between a worktree and its original working tree ("home"). If the file system supports it,
 * each file is a copy that shares blocks with the original. Otherwise the folder itself is new, and its entries are
 * links:
 *
 *     node_modules/            a folder, so that Git's pattern `node_modules/` matches it
 *       left-pad -> HOME/node_modules/left-pad
 *       @scope/                also a folder: an installation replaces links in it, and nothing at home
 *       app      -> packages/app of the worktree, where home's link leads to HOME/packages/app
 *
 * A link for the whole folder would be untracked, would resolve the project's own packages to home's source, and a
 * package manager that empties the folder would empty home's.
 */

import { constants, type Dirent } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isMissing } from '../files/fileErrors.ts';
import { fileExists } from '../files/fileExists.ts';
import { containsPath } from '../files/realPath.ts';

interface Roots {
  /** Absolute, with links resolved. */
  readonly home: string;
  readonly worktree: string;
}

/** Creates a folder in a worktree, unless it or a link on its path exists. @param path relative to the root */
export async function makeSharedFolder(worktree: string, path: string): Promise<boolean> {
  const place = join(worktree, path);
  let above = dirname(place);
  while (!(await isLinkOrFile(above))) above = dirname(above);
  if ((await realpath(above)) !== above || (await isLinkOrFile(place))) return false;
  await mkdir(dirname(place), { recursive: true });
  return true;
}

/**
 * Fills an existing empty folder of the worktree with home's entries.
 * @param copying mode for `copyFile`; `never` always uses links
 */
export async function fillSharedFolder(
  { home, worktree }: Roots,
  path: string,
  signal: AbortSignal,
  copying: number | 'never' = constants.COPYFILE_FICLONE_FORCE,
): Promise<void> {
  const [from, to] = [join(home, path), join(worktree, path)];
  if (copying !== 'never' && (await tryCopy(from, to, copying, signal))) return;
  await rm(to, { recursive: true, force: true });
  await linkEntries(from, to, { home, worktree, shared: from }, signal);
}

/** True for a folder that is no link and has no link in its path. */
export async function isRealFolder(path: string): Promise<boolean> {
  const real = await realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  return real === path && (await lstat(path)).isDirectory();
}

async function isLinkOrFile(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

/** Errors that mean that two files cannot share blocks here, and Node's errors for special files. */
const cannotCopy = /^(ENOTSUP|EOPNOTSUPP|ENOTTY|ENOSYS|EXDEV|EINVAL|ERR_FS_CP_(SOCKET|FIFO_PIPE|UNKNOWN))$/;

async function tryCopy(from: string, to: string, mode: number, signal: AbortSignal): Promise<boolean> {
  const filter = () => {
    signal.throwIfAborted();
    return true;
  };
  try {
    await cp(from, to, { recursive: true, mode, verbatimSymlinks: true, filter });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && cannotCopy.test(String(error.code))) return false;
    throw error;
  }
}

interface Linking extends Roots {
  /** Absolute path of home's shared folder. */
  readonly shared: string;
}

async function linkEntries(from: string, to: string, linking: Linking, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await mkdir(to);
  const isPackages = basename(from) === 'node_modules';
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    // The package manager's metadata of the folder, which applies only to home.
    if (isPackages && name.startsWith('.') && name !== '.bin') continue;
    const isFilled = isPackages && entry.isDirectory() && (name === '.bin' || name.startsWith('@'));
    if (isFilled) await linkEntries(join(from, name), join(to, name), linking, signal);
    else await linkEntry(entry, join(from, name), join(to, name), linking);
  }
}

async function linkEntry(entry: Dirent, from: string, to: string, linking: Linking): Promise<void> {
  if (entry.isFile()) return await copyFile(from, to, constants.COPYFILE_FICLONE);
  const target = entry.isSymbolicLink() ? await findInWorktree(from, linking) : from;
  const isFolder = (await fileExists(target)) && (await stat(target)).isDirectory();
  // On Windows, links to files need a permission that few users have.
  if (process.platform === 'win32' && !isFolder) return;
  await symlink(target, to, isFolder ? 'junction' : 'file');
}

/** A link to a package of the project leads to the worktree's own copy. */
async function findInWorktree(link: string, { home, worktree, shared }: Linking): Promise<string> {
  const target = resolve(dirname(link), await readlink(link));
  if (!containsPath(home, target) || containsPath(shared, target)) return link;
  const own = join(worktree, relative(home, target));
  return (await fileExists(own)) ? own : link;
}
