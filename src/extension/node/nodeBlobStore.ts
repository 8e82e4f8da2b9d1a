import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobStore } from '../platform/blobs.ts';

export class NodeBlobStore implements BlobStore {
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  async put(bytes: Uint8Array): Promise<string> {
    const id = createHash('sha256').update(bytes).digest('hex');
    const path = this.pathOf(id);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.tmp`, bytes, { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    return id;
  }

  async get(id: string): Promise<Uint8Array | undefined> {
    return readFile(this.pathOf(id)).catch(() => undefined);
  }

  private pathOf(id: string): string {
    return join(this.root, id.slice(0, 2), id);
  }
}
