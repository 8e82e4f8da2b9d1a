import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, unlink, utimes } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { BlobStore } from '../../platform/storage.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { blobPath, isBlobId, readIfThere, removeOldest } from './blobFolder.ts';
import { BlobPacks } from './blobPacks.ts';
import { BlobWriter } from './blobWriter.ts';

const defaultQuota = 500 * 1024 * 1024;

/** Milliseconds in which nobody looks again whether a file is there. */
const justNow = 5000;
/** Milliseconds, far below the age at which a file may be removed. */
const stillYoung = 10 * 60 * 1000;

/**
 * Blobs as files below `root`, which several processes may share: `ab/abcdef…`, or packs of those that were kept at
 * once. A file's time says when its content was kept last. Beyond the quota the oldest are removed, in the background,
 * but nothing that this process kept.
 */
export class NodeBlobStore implements BlobStore {
  private readonly root: string;
  private readonly quota: number;
  private readonly log: Pick<Log, 'warn'> | undefined;
  /** Ids that this process has kept, so the files are known to be whole, and when it did so last. */
  private readonly kept = new Map<string, number>();
  private readonly packs: BlobPacks;
  private readonly writer: BlobWriter;
  /** Bytes that may be written until the folder is looked through again. */
  private unchecked = 0;
  private removal: Promise<void> = Promise.resolve();

  /** `root`: absolute, made when the first blob is kept. `quota`: bytes. `log` hears what could not be removed. */
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
    const bytes = (await readIfThere(path)) ?? (await this.packs.read(id));
    if (bytes !== undefined && hashOf(bytes) === id) return bytes;
    // Damaged content must not come back as anybody's file, and its place must not look taken.
    this.kept.delete(id);
    if (bytes === undefined) return undefined;
    this.packs.forget(id);
    await removeIfThere(path);
    return undefined;
  }

  /** Resolves when nothing is being removed. */
  async settled(): Promise<void> {
    await this.removal;
  }

  /** Reads what another process, or an earlier one, has left: once for each blob. */
  private async isWhole(id: string, path: string): Promise<boolean> {
    if (this.kept.has(id)) return true;
    // Hardly any is there. To see that at once takes a hundredth of waiting for the disk's word.
    if (!existsSync(path)) return false;
    const bytes = this.packs.pathOf(id) === path ? await this.packs.read(id) : await readIfThere(path);
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

/** `false`: it is no longer there. */
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
