import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import type { Log } from '../../platform/log.ts';
import { writeAtomically } from '../files/atomicWrite.ts';
import { isMissing, toFileError } from '../files/fileErrors.ts';
import { blobPath, isBlobId, removeOldest } from './blobFolder.ts';

const defaultQuota = 500 * 1024 * 1024;

/**
 * Blobs as files below `root`, which several processes may share: `ab/abcdef…`. A file's time says when its content
 * was kept last. Beyond the quota the oldest are removed, in the background, but nothing that this process kept.
 */
export class NodeBlobStore implements BlobStore {
  private readonly root: string;
  private readonly quota: number;
  private readonly log: Pick<Log, 'warn'> | undefined;
  /** Ids that this process has kept, so the files are known to be whole. */
  private readonly kept = new Set<string>();
  /** Bytes that may be written until the folder is looked through again. */
  private unchecked = 0;
  private removal: Promise<void> = Promise.resolve();

  /** `root`: absolute, made when the first blob is kept. `quota`: bytes. `log` hears what could not be removed. */
  constructor(root: string, quota = defaultQuota, log?: Pick<Log, 'warn'>) {
    this.root = root;
    this.quota = quota;
    this.log = log;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const id = hashOf(bytes);
    const path = blobPath(this.root, id);
    if (!((await this.isWhole(id, path)) && (await refresh(path)))) await write(path, bytes);
    this.kept.add(id);
    this.removeSoon(bytes.length);
    return id;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    if (!isBlobId(id)) return undefined;
    const path = blobPath(this.root, id);
    const bytes = await readIfThere(path);
    if (bytes === undefined || hashOf(bytes) === id) return bytes;
    // Damaged content must not come back as anybody's file, and its place must not look taken.
    this.kept.delete(id);
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
    const bytes = await readIfThere(path);
    return bytes !== undefined && hashOf(bytes) === id;
  }

  private removeSoon(written: number): void {
    this.unchecked -= written;
    if (this.unchecked > 0) return;
    this.unchecked = this.quota / 20;
    this.removal = this.removal
      .then(() => removeOldest(this.root, this.quota, id => this.kept.has(id)))
      .catch(error => this.log?.warn(`Old checkpoints could not be removed: ${messageOf(error)}`));
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    // Blobs hold what the person works on, so others on the machine cannot look.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toFileError(error, path);
  }
  await writeAtomically(path, bytes, { mode: 0o600 });
}

/** `false`: it is no longer there. */
async function refresh(path: string): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(path, now, now);
    // Another process may have been about to remove it.
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, path);
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
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
