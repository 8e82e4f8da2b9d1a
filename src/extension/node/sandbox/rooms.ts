import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../files/fileLock.ts';

/** The process that made the folder stands in its name, so that one that was killed leaves nothing for good. */
const prefix = 'folio-sandbox-';

/** The temporary folder behind the walls of a window's commands, furnished when it is first wanted. */
export class Rooms<Room> {
  private readonly furnish: (folder: string) => Promise<Room>;
  private readonly isWhole: (room: Room) => boolean;
  private made: Promise<Room> | undefined;
  /** The folders of all rooms: an old one may have been tidied away in part. */
  private readonly folders: string[] = [];

  constructor(furnish: (folder: string) => Promise<Room>, isWhole: (room: Room) => boolean) {
    this.furnish = furnish;
    this.isWhole = isWhole;
  }

  /** The next who asks after a failure tries again, and after somebody has tidied up the system's temporary folder. */
  async open(): Promise<Room> {
    this.made ??= this.make().catch(error => {
      this.made = undefined;
      throw error;
    });
    const { made } = this;
    const room = await made;
    if (this.isWhole(room)) return room;
    if (this.made === made) this.made = undefined;
    return await this.open();
  }

  async dispose(): Promise<void> {
    await this.made?.catch(() => undefined);
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  }

  private async make(): Promise<Room> {
    void removeLeftOver();
    const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
    this.folders.push(folder);
    return await this.furnish(folder).catch(async error => {
      // A window may live for days, and each command tries again.
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
  }
}

/** An hour, since another container may share the folder, whose processes are not seen here. */
const spared = 3_600_000;

/** Removes the folders of processes that ended without doing so. What cannot be removed is left. */
async function removeLeftOver(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid] = /^folio-sandbox-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > spared)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
