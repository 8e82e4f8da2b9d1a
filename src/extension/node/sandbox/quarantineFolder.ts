import { constants } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../base/errors.ts';

/** The folder for files that the sandbox takes away from a command. Commands cannot write there. */
export class QuarantineFolder {
  private readonly folder: string;

  /** @param home of the user, absolute */
  constructor(home: string) {
    this.folder = join(home, '.local', 'state', 'folio', 'taken-back');
  }

  /** Moves a file or folder here, each into a folder of its own, named after the time. */
  readonly keep = async (path: string): Promise<string> => {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const kept = join(await mkdtemp(join(this.folder, `${time}-`)), basename(path));
    try {
      await moveAway(path, kept);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      // Another disk. What is written under its name while it is copied must not be removed with it.
      await giveRights(dirname(path));
      const shelved = await mkdtemp(`${path}-taken-back-`);
      const moved = join(shelved, basename(path));
      await moveAway(path, moved);
      try {
        await cp(moved, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      } catch {
        // A command may have closed what is in it. Its name counts no more where it lies now.
        return moved;
      }
      await rm(shelved, { recursive: true, force: true });
    }
    return kept;
  };
}

/** A command may have taken the rights to a folder, or to the one that it stands in, so that nobody moves it. */
async function moveAway(path: string, to: string): Promise<void> {
  try {
    await rename(path, to);
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    for (const folder of [dirname(path), path]) await giveRights(folder);
    await rename(path, to);
  }
}

/** Not to what a link leads to: a command that still runs may put one there. What is no folder needs none. */
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

/** O_PATH of Linux, which Node does not name: opens also what may not be read. */
const openPathOnly = 0o10000000;
