import { createHash } from 'node:crypto';
import type { BlobStore } from '../../src/extension/platform/storage.ts';

/** Kept bytes in memory; a test may take some away. */
export class MemoryBlobStore implements BlobStore {
  readonly kept = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const id = createHash('sha256').update(bytes).digest('hex');
    this.kept.set(id, Uint8Array.from(bytes));
    return id;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    const bytes = this.kept.get(id);
    return bytes && Uint8Array.from(bytes);
  }
}
