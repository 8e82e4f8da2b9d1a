import { constants } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../base/errors.ts';

/** Stores files that the sandbox removed from a command's reach. Commands cannot write there. */
export class QuarantineFolder {
  private readonly folder: string;

  /** @param home absolute path of the user's home folder */
  constructor(home: string) {
    this.folder = join(home, '.local', 'state', 'folio', 'taken-back');
  }

  /** Moves a file or folder into a new subfolder named after the time. */
  readonly keep = async (path: string): Promise<string> => {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const kept = join(await mkdtemp(join(this.folder, `${time}-`)), basename(path));
    try {
      await moveAway(path, kept);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      // It is on another disk. Rename it first, so that a file written under its name during the copy is not removed.
      await giveRights(dirname(path));
      const shelved = await mkdtemp(`${path}-taken-back-`);
      const moved = join(shelved, basename(path));
      await moveAway(path, moved);
      try {
        await cp(moved, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      } catch {
        // The command may have made its content inaccessible. It has been moved, so its name has no effect any more.
        return moved;
      }
      await rm(shelved, { recursive: true, force: true });
    }
    return kept;
  };
}

/**
 * Restores permissions first, because a command may have removed those of the folder or its parent to prevent the move.
 */
async function moveAway(path: string, to: string): Promise<void> {
  try {
    await rename(path, to);
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    for (const folder of [dirname(path), path]) await giveRights(folder);
    await rename(path, to);
  }
}

/** Does not follow links, because a running command may put one there. Does nothing for anything but folders. */
async function giveRights(folder: string): Promise<void> {
  const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW | openPathOnly;
  const handle = await open(folder, flags).catch(() => undefined);
  if (!handle) return;
  try {
    const { mode } = await handle.stat();
    await chmod(`/proc/self/fd/${handle.fd}`, (mode & 0o7777) | 0o700);
  } finally {
    await handle.close();
  }
}

/** Linux's O_PATH, which Node does not define. Also opens unreadable folders. */
const openPathOnly = 0o10000000;
