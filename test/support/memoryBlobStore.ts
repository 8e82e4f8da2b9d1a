import { createHash } from 'node:crypto';
import type { BlobStore } from '../../src/extension/platform/blobs.ts';

export class MemoryBlobStore implements BlobStore {
  readonly kept = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const id = createHash('sha256').update(bytes).digest('hex');
    this.kept.set(id, bytes.slice());
    return id;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    return this.kept.get(id)?.slice();
  }
}
