import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Keeps what the sandbox takes back, outside of what commands may write. */
export class KeptFiles {
  private readonly folder: string;

  /** @param home of the person, absolute */
  constructor(home: string) {
    this.folder = join(home, '.local', 'state', 'folio', 'taken-back');
  }

  /** Moves a file or folder here, each into a folder of its own, named after the time. */
  readonly keep = async (path: string): Promise<string> => {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const kept = join(await mkdtemp(join(this.folder, `${time}-`)), basename(path));
    try {
      await rename(path, kept);
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      // Another disk. What is written under its name while it is copied must not be removed with it.
      const aside = await mkdtemp(`${path}-taken-back-`);
      const moved = join(aside, basename(path));
      await rename(path, moved);
      await cp(moved, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
      await rm(aside, { recursive: true, force: true });
    }
    return kept;
  };
}

function isElsewhere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV';
}
