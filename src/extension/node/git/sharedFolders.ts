/*
 * Folders with dependencies that a worktree shares with the working tree that it was made from. Where the file system
 * can, each file is a copy that shares its blocks with the original. Elsewhere the folder is one of the worktree's own,
 * and its entries are links:
 *
 *     node_modules/            a folder, so that Git's pattern `node_modules/` matches it
 *       left-pad -> HOME/node_modules/left-pad
 *       @scope/                a folder, too: an installation replaces links in it, and nothing at home
 *       app      -> packages/app of the worktree, where that of home leads to HOME/packages/app
 *
 * A link in place of the whole folder would be untracked, would lead packages of the project to home's own source, and
 * a package manager that empties the folder would empty home's.
 */

import { constants, type Dirent } from 'node:fs';
import { copyFile, cp, lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isMissing } from '../files/fileErrors.ts';
import { isThere } from '../files/isThere.ts';
import { isWithin } from '../files/realPath.ts';

interface Roots {
  /** Absolute and real. */
  readonly home: string;
  readonly worktree: string;
}

/**
 * Makes a folder below the root of a worktree where neither it nor a link on the way to it is there.
 * @param path relative to the root
 */
export async function makeFolderFor(worktree: string, path: string): Promise<boolean> {
  const place = join(worktree, path);
  let above = dirname(place);
  while (!(await isLinkOrFile(above))) above = dirname(above);
  if ((await realpath(above)) !== above || (await isLinkOrFile(place))) return false;
  await mkdir(dirname(place), { recursive: true });
  return true;
}

/**
 * Fills a folder of the worktree, which is there and empty, with what home has in its place.
 * @param copying as `copyFile` takes it; `never`: with links wherever that is
 */
export async function fillShared(
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

/** A folder that is one, and no link on the way to it. */
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

/** As systems say that two files cannot share blocks here, and Node that something is no file. */
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
  /** Absolute: the folder of home that is shared. */
  readonly shared: string;
}

async function linkEntries(from: string, to: string, linking: Linking, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await mkdir(to);
  const isPackages = basename(from) === 'node_modules';
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    // A package manager's own notes on the folder: they are about home.
    if (isPackages && name.startsWith('.') && name !== '.bin') continue;
    const isFilled = isPackages && entry.isDirectory() && (name === '.bin' || name.startsWith('@'));
    if (isFilled) await linkEntries(join(from, name), join(to, name), linking, signal);
    else await linkEntry(entry, join(from, name), join(to, name), linking);
  }
}

async function linkEntry(entry: Dirent, from: string, to: string, linking: Linking): Promise<void> {
  if (entry.isFile()) return await copyFile(from, to, constants.COPYFILE_FICLONE);
  const target = entry.isSymbolicLink() ? await findInWorktree(from, linking) : from;
  const isFolder = (await isThere(target)) && (await stat(target)).isDirectory();
  // Links to files need a permission on Windows that few have.
  if (process.platform === 'win32' && !isFolder) return;
  await symlink(target, to, isFolder ? 'junction' : 'file');
}

/** A package of the project itself is the worktree's own. */
async function findInWorktree(link: string, { home, worktree, shared }: Linking): Promise<string> {
  const target = resolve(dirname(link), await readlink(link));
  if (!isWithin(home, target) || isWithin(shared, target)) return link;
  const own = join(worktree, relative(home, target));
  return (await isThere(own)) ? own : link;
}
