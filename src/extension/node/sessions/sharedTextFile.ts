import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../../../protocol/language.ts';
import { LocalizedError } from '../../base/errors.ts';
import type { SharedText } from '../../platform/storage.ts';
import { writeOwnFileAtomically } from '../files/atomicWrite.ts';
import { isMissing } from '../files/fileErrors.ts';
import { type LockTimes, lockTimes, takeLock } from '../files/fileLock.ts';
import { readBounded } from '../files/readBounded.ts';

const maxBytes = 4 * 1024 * 1024;

/** A text next to the sessions, named after the workspace folder, because headless runs share one sessions folder. */
export class SharedTextFile implements SharedText {
  private readonly root: string;
  private readonly name: string;
  private readonly folder: () => string | undefined;
  private readonly times: LockTimes;
  /** Serialises changes of this process; the lock excludes other processes. */
  private queue: Promise<unknown> = Promise.resolve();

  /**
   * @param root folder of the sessions, which need not exist
   * @param name starts with a dot, so that it is never listed as a session
   * @param folder absolute path of the workspace folder
   */
  constructor(root: string, name: string, folder: () => string | undefined, times: LockTimes = lockTimes) {
    this.root = root;
    this.name = name;
    this.folder = folder;
    this.times = times;
  }

  get path(): string | undefined {
    const folder = this.folder();
    if (folder === undefined) return undefined;
    const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
    return join(this.root, `.${this.name}-${digest}.json`);
  }

  async read(): Promise<string | undefined> {
    const { path } = this;
    return path === undefined ? undefined : readText(path);
  }

  change(turn: (text: string | undefined) => string | undefined): Promise<void> {
    const changed = this.queue.then(() => this.changeAlone(turn));
    // The caller gets the failure; the next change runs regardless.
    this.queue = changed.catch(() => undefined);
    return changed;
  }

  private async changeAlone(turn: (text: string | undefined) => string | undefined): Promise<void> {
    const { path } = this;
    if (path === undefined) return;
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const lock = await takeLock(`${path}.lock`, 'everybody', this.times);
    if (!lock) throw new LocalizedError(() => t('{0} is being changed by another window. Try again.', path));
    try {
      const after = turn(await readText(path));
      if (after !== undefined) await writeOwnFileAtomically(path, Buffer.from(after));
    } finally {
      await lock.release();
    }
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readBounded(path, maxBytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
