import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, unlink, utimes } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { blobPath, isBlobId, readIfPresent, removeOldest } from './blobFolder.ts';
import { BlobPacks } from './blobPacks.ts';
import { BlobWriter } from './blobWriter.ts';

const defaultQuota = 500 * 1024 * 1024;

/** Milliseconds during which a file's existence is not checked again. */
const justNow = 5000;
/** Milliseconds; far below the age at which a file may be removed. */
const stillYoung = 10 * 60 * 1000;

/**
 * Stores blobs as files below `root`, which several processes may share: `ab/abcdef…`, or packs of blobs stored
 * together. A file's time tells when its content was last stored. Above the quota the oldest are removed in the
 * background, except those that this process stored.
 */
export class NodeBlobStore implements BlobStore {
  private readonly root: string;
  private readonly quota: number;
  private readonly log: Pick<Log, 'warn'> | undefined;
  /** Ids that this process stored, which are therefore intact, and when. */
  private readonly kept = new Map<string, number>();
  private readonly packs: BlobPacks;
  private readonly writer: BlobWriter;
  /** Bytes that may be written before the folder is checked again. */
  private unchecked = 0;
  private removal: Promise<void> = Promise.resolve();

  /** `root`: absolute path, created with the first blob. `quota`: bytes. `log` receives failed removals. */
  constructor(root: string, quota = defaultQuota, log?: Pick<Log, 'warn'>) {
    this.root = root;
    this.packs = new BlobPacks(root);
    this.writer = new BlobWriter(root, this.packs);
    this.quota = quota;
    this.log = log;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const id = hashOf(bytes);
    if (Date.now() - (this.kept.get(id) ?? 0) < justNow) return id;
    const path = this.packs.pathOf(id) ?? blobPath(this.root, id);
    if (!((await this.isWhole(id, path)) && (await refresh(path)))) await this.writer.write(id, bytes);
    this.kept.set(id, Date.now());
    this.removeSoon(bytes.length);
    return id;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    if (!isBlobId(id)) return undefined;
    const path = blobPath(this.root, id);
    const bytes = (await readIfPresent(path)) ?? (await this.packs.read(id));
    if (bytes !== undefined && hashOf(bytes) === id) return bytes;
    // Damaged content must not be returned, and must not look stored.
    this.kept.delete(id);
    if (bytes === undefined) return undefined;
    this.packs.forget(id);
    await removeIfThere(path);
    return undefined;
  }

  /** Resolves when no removal runs. */
  async settled(): Promise<void> {
    await this.removal;
  }

  /** Verifies content stored by other or earlier processes, once per blob. */
  private async isWhole(id: string, path: string): Promise<boolean> {
    if (this.kept.has(id)) return true;
    // Few blobs exist already. The synchronous check takes 1 % of the time of an asynchronous one.
    if (!existsSync(path)) return false;
    const bytes = this.packs.pathOf(id) === path ? await this.packs.read(id) : await readIfPresent(path);
    return bytes !== undefined && hashOf(bytes) === id;
  }

  private isNeeded(name: string): boolean {
    return this.kept.has(name) || this.packs.idsIn(name).some(id => this.kept.has(id));
  }

  private removeSoon(written: number): void {
    this.unchecked -= written;
    if (this.unchecked > 0) return;
    this.unchecked = this.quota / 20;
    this.removal = this.removal
      .then(() => removeOldest(this.root, this.quota, name => this.isNeeded(name)))
      .catch(error => this.log?.warn(`Old checkpoints could not be removed: ${messageOf(error)}`));
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Resolves to `false` if it no longer exists. */
async function refresh(path: string): Promise<boolean> {
  try {
    const now = new Date();
    const found = await stat(path);
    if (found.isFile() && now.getTime() - found.mtimeMs < stillYoung) return true;
    await utimes(path, now, now);
    // Another process may have been about to remove it.
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, path);
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw toFileError(error, path);
  }
}
