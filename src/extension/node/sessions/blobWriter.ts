/* Writes blobs. Blobs that arrive during a write go into one pack. */

import { writeOwnFileAtomically } from '../files/atomicWrite.ts';
import { blobPath } from './blobFolder.ts';
import type { BlobPacks } from './blobPacks.ts';

/** Larger blobs get a file of their own. */
const packedBytes = 256 * 1024;
/** Maximum number of blobs in a pack. */
const maxPacked = 400;
const largestPack = 8 * 1024 * 1024;

export class BlobWriter {
  private readonly root: string;
  private readonly packs: BlobPacks;
  private waiting = new Map<string, Uint8Array>();
  private size = 0;
  /** Writes what is pending after the current write. */
  private next: Promise<void> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(root: string, packs: BlobPacks) {
    this.root = root;
    this.packs = packs;
  }

  /** Resolves when the blob is on disk. */
  write(id: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > packedBytes) return writeOwnFileAtomically(blobPath(this.root, id), bytes);
    this.next ??= this.begin();
    const { next } = this;
    this.waiting.set(id, bytes);
    this.size += bytes.length;
    if (this.waiting.size >= maxPacked || this.size >= largestPack) this.next = undefined;
    return next;
  }

  private begin(): Promise<void> {
    const blobs = new Map<string, Uint8Array>();
    this.waiting = blobs;
    this.size = 0;
    const own = this.last.then(async () => {
      if (this.waiting === blobs) this.next = undefined;
      const [first] = blobs;
      if (blobs.size > 1) await this.packs.write(blobs);
      else if (first) await writeOwnFileAtomically(blobPath(this.root, first[0]), first[1]);
    });
    // The caller gets the failure; the next write runs regardless.
    this.last = own.catch(() => undefined);
    return own;
  }
}
