import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../files/temporaryFolder.ts';

/** The temporary folder of a window's sandboxed commands, created on first use. */
export class SandboxTemporaryFolder<Room> {
  private readonly furnish: (folder: string) => Promise<Room>;
  private readonly isWhole: (room: Room) => boolean;
  private made: Promise<Room> | undefined;
  /** All folders ever created, because an old one may have been partly deleted. */
  private readonly folders: string[] = [];

  constructor(furnish: (folder: string) => Promise<Room>, isWhole: (room: Room) => boolean) {
    this.furnish = furnish;
    this.isWhole = isWhole;
  }

  /** Creates the folder again after a failure, or after the system's temporary folder was cleaned. */
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
    const folder = await makeTemporaryFolder('sandbox');
    this.folders.push(folder);
    return await this.furnish(folder).catch(async error => {
      // A window may live for days, and each command tries again.
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
  }
}
