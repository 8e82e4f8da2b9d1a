import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../files/fileLock.ts';

/**
 * The name of a folder holds its process and the namespace in which that number holds, so that the next sandbox removes
 * what a killed process left.
 */
const prefix = 'folio-sandbox-';

/** The temporary folder inside the sandbox of a window's commands, furnished when it is first wanted. */
export class TemporaryRoots<Room> {
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
    const namespace = await pidNamespace();
    void removeLeftOver(namespace);
    const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-${namespace}-`));
    this.folders.push(folder);
    return await this.furnish(folder).catch(async error => {
      // A window may live for days, and each command tries again.
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
  }
}

/** An hour: another container may share the folder, whose processes cannot be checked from here. */
const spared = 3_600_000;

/** Removes the folders of processes that ended without doing so. What cannot be removed is left. */
async function removeLeftOver(namespace: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid, ofNamespace] = /^folio-sandbox-(\d+)-(?:(\w+)-)?\w+$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const made = await stat(folder).catch(() => undefined);
    const isOurs = namespace !== unknown && ofNamespace === namespace;
    if (made && (isOurs || Date.now() - made.mtimeMs > spared))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Where the system does not show them. */
const unknown = 'unknown';

/** Names what process numbers hold for: this start of this system, and a namespace that containers do not share. */
async function pidNamespace(): Promise<string> {
  try {
    const namespace = await readlink('/proc/self/ns/pid');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return createHash('sha256').update(`${namespace} ${boot}`).digest('hex').slice(0, 12);
  } catch {
    return unknown;
  }
}
