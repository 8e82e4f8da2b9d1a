import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { BlobStore } from '../../src/extension/platform/storage.ts';

export interface BlobStoreUnderTest {
  readonly blobs: BlobStore;
  readonly dispose: () => Promise<void> | void;
}

/** Contract tests of `BlobStore`, called with a factory for each adapter. */
export function blobStoreContract(name: string, make: () => Promise<BlobStoreUnderTest>): void {
  const check = (behaviour: string, body: (blobs: BlobStore) => Promise<void>) =>
    test(behaviour, async () => {
      const { blobs, dispose } = await make();
      try {
        await body(blobs);
      } finally {
        await dispose();
      }
    });

  describe(`${name} keeps the blob store contract`, () => {
    check('what is kept comes back byte for byte', async blobs => {
      for (const bytes of [Buffer.from(''), Buffer.from('a\r\nb'), randomBytes(100_000)]) {
        const id = await blobs.put(bytes);
        expect(Buffer.from((await blobs.get(id))!).equals(bytes)).toBe(true);
      }
    });

    check('the id is the SHA-256 of the content', async blobs => {
      const bytes = Buffer.from('content');
      expect(await blobs.put(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(await blobs.put(Buffer.from('content'))).toBe(await blobs.put(bytes));
    });

    check('what was never kept is not there', async blobs => {
      expect(await blobs.get('0'.repeat(64))).toBeUndefined();
      expect(await blobs.get('../../etc/passwd')).toBeUndefined();
      expect(await blobs.get('')).toBeUndefined();
    });

    check('nobody changes what is kept, through neither end', async blobs => {
      const bytes = Buffer.from('abc');
      const id = await blobs.put(bytes);
      bytes.fill(0);
      const got = (await blobs.get(id))!;
      expect(Buffer.from(got).toString()).toBe('abc');
      got.fill(0);
      expect(Buffer.from((await blobs.get(id))!).toString()).toBe('abc');
    });

    check('many may keep the same content at once', async blobs => {
      const bytes = randomBytes(50_000);
      const ids = await Promise.all(Array.from({ length: 20 }, () => blobs.put(bytes)));
      expect(new Set(ids).size).toBe(1);
      expect(Buffer.from((await blobs.get(ids[0]!))!).equals(bytes)).toBe(true);
    });
  });
}
