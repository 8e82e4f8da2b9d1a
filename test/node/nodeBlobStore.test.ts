import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeBlobStore } from '../../src/extension/node/sessions/nodeBlobStore.ts';
import { blobStoreContract } from '../support/blobStoreContract.ts';

const makeRoot = () => mkdtemp(join(tmpdir(), 'folio-blobs-'));

blobStoreContract('NodeBlobStore', async () => {
  const root = await makeRoot();
  const blobs = new NodeBlobStore(join(root, 'blobs'));
  const dispose = async () => {
    await blobs.settled();
    await rm(root, { recursive: true, force: true });
  };
  return { blobs, dispose };
});

describe('blobs on the disk', () => {
  let root: string;
  beforeEach(async () => {
    root = await makeRoot();
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  const pathOf = (id: string) => join(root, id.slice(0, 2), id);
  const age = async (id: string, hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000);
    await utimes(pathOf(id), then, then);
  };
  /** As an earlier process would have left them: 1000 bytes each, the first one the oldest. */
  const leaveBlobs = async (count: number) => {
    const earlier = new NodeBlobStore(root);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await earlier.put(randomBytes(1000)));
    await earlier.settled();
    for (const [i, id] of ids.entries()) await age(id, 100 - i);
    return ids;
  };
  const isThere = async (id: string) => (await new NodeBlobStore(root).get(id)) !== undefined;

  test('another process reads what this one kept', async () => {
    const id = await new NodeBlobStore(root).put(Buffer.from('shared'));
    expect(Buffer.from((await new NodeBlobStore(root).get(id))!).toString()).toBe('shared');
    expect(await readFile(pathOf(id), 'utf8')).toBe('shared');
  });

  test.skipIf(process.platform === 'win32')('nobody else on the machine can read blobs', async () => {
    const id = await new NodeBlobStore(join(root, 'new')).put(Buffer.from('private'));
    const folder = join(root, 'new', id.slice(0, 2));
    expect((await stat(join(folder, id))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'new'))).mode & 0o777).toBe(0o700);
  });

  test('keeping known content writes nothing and makes it young again', async () => {
    const [id] = await leaveBlobs(1);
    const before = await stat(pathOf(id!));
    await new NodeBlobStore(root).put(await readFile(pathOf(id!)));
    const after = await stat(pathOf(id!));
    expect(after.ino).toBe(before.ino);
    expect(after.mtimeMs).toBeGreaterThan(before.mtimeMs);
  });

  test('a damaged blob counts as lost and makes room for a whole one', async () => {
    const bytes = Buffer.from('whole content');
    const blobs = new NodeBlobStore(root);
    const id = await blobs.put(bytes);
    await writeFile(pathOf(id), 'wrong content');
    expect(await blobs.get(id)).toBeUndefined();
    expect(await readdir(join(root, id.slice(0, 2)))).toEqual([]);
    await blobs.put(bytes);
    expect(Buffer.from((await blobs.get(id))!).toString()).toBe('whole content');
  });

  test('content that an earlier process left damaged is written again', async () => {
    const bytes = Buffer.from('whole content');
    const id = await new NodeBlobStore(root).put(bytes);
    await writeFile(pathOf(id), 'wrong content');
    await new NodeBlobStore(root).put(bytes);
    expect(await readFile(pathOf(id), 'utf8')).toBe('whole content');
  });

  test('content whose file was removed meanwhile is written again', async () => {
    const blobs = new NodeBlobStore(root);
    const id = await blobs.put(Buffer.from('here'));
    await rm(root, { recursive: true });
    expect(await blobs.get(id)).toBeUndefined();
    await blobs.put(Buffer.from('here'));
    expect(await isThere(id)).toBe(true);
  });

  test('beyond the quota the oldest are removed', async () => {
    const ids = await leaveBlobs(10);
    const blobs = new NodeBlobStore(root, 5000);
    const own = await blobs.put(randomBytes(1000));
    await blobs.settled();
    const left = await Promise.all(ids.map(isThere));
    expect(left).toEqual([...Array(7).fill(false), ...Array(3).fill(true)]);
    expect(await isThere(own)).toBe(true);
  });

  test('below the quota nothing is removed', async () => {
    const ids = await leaveBlobs(5);
    const blobs = new NodeBlobStore(root, 6000);
    await blobs.put(randomBytes(1000));
    await blobs.settled();
    expect(await Promise.all(ids.map(isThere))).toEqual(Array(5).fill(true));
  });

  test('what was kept again outlives what is younger', async () => {
    const ids = await leaveBlobs(10);
    const refreshing = new NodeBlobStore(root);
    await refreshing.put(await readFile(pathOf(ids[0]!)));
    await refreshing.settled();
    const blobs = new NodeBlobStore(root, 5000);
    await blobs.put(randomBytes(1000));
    await blobs.settled();
    expect(await isThere(ids[0]!)).toBe(true);
    expect(await isThere(ids[1]!)).toBe(false);
  });

  test('what this process kept stays, however small the quota and however old the file', async () => {
    const blobs = new NodeBlobStore(root, 2000);
    const own: string[] = [];
    for (let i = 0; i < 10; i++) {
      own.push(await blobs.put(randomBytes(1000)));
      await age(own[i]!, 50);
    }
    await blobs.settled();
    expect(await Promise.all(own.map(isThere))).toEqual(Array(10).fill(true));
  });

  test('what another process kept a moment ago stays', async () => {
    const other = new NodeBlobStore(root);
    const id = await other.put(randomBytes(10_000));
    const blobs = new NodeBlobStore(root, 2000);
    await blobs.put(randomBytes(1000));
    await blobs.settled();
    expect(await isThere(id)).toBe(true);
  });

  test('what a killed writer left goes, and files of others stay', async () => {
    const [id] = await leaveBlobs(1);
    const folder = join(root, id!.slice(0, 2));
    const then = new Date(Date.now() - 10 * 3_600_000);
    for (const name of ['.folio-abc123.tmp', 'notes.txt']) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), then, then);
    }
    await mkdir(join(root, 'other'));
    const blobs = new NodeBlobStore(root);
    // One time in 256 it lies in the same folder.
    const own = await blobs.put(Buffer.from('y'));
    await blobs.settled();
    const left = (await readdir(folder)).filter(name => name !== own);
    expect(left.sort()).toEqual([id!, 'notes.txt'].sort());
  });

  test('a removal that fails is said, and the blob is kept all the same', async () => {
    await leaveBlobs(3);
    await mkdir(join(root, 'ff', 'f'.repeat(64)), { recursive: true });
    const then = new Date(0);
    await utimes(join(root, 'ff', 'f'.repeat(64)), then, then);
    const warnings: string[] = [];
    const blobs = new NodeBlobStore(root, 100, { warn: message => warnings.push(message) });
    const id = await blobs.put(Buffer.from('z'));
    await blobs.settled();
    expect(warnings).toHaveLength(1);
    expect(await isThere(id)).toBe(true);
  });

  describe('that were kept at once', () => {
    const texts = Array.from({ length: 900 }, (_, number) => `content ${number}`);
    const putAll = (blobs: NodeBlobStore) => Promise.all(texts.map(text => blobs.put(Buffer.from(text))));
    const readAll = async (blobs: NodeBlobStore, ids: readonly string[]) =>
      Promise.all(ids.map(async id => Buffer.from((await blobs.get(id)) ?? 'lost').toString()));
    const packs = async () => (await readdir(join(root, 'packs'))).map(name => join(root, 'packs', name));

    test('lie in a few files, and are found by this process and others', async () => {
      const blobs = new NodeBlobStore(root);
      const ids = await putAll(blobs);
      expect(await readAll(blobs, ids)).toEqual(texts);
      expect(await readAll(new NodeBlobStore(root), ids)).toEqual(texts);
      const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter(each =>
        each.isFile(),
      );
      expect(files.length).toBeLessThan(20);
      expect((await stat((await packs())[0]!)).mode & 0o077).toBe(0);
    });

    test('are not written again', async () => {
      const blobs = new NodeBlobStore(root);
      const ids = await putAll(blobs);
      const before = await packs();
      expect(await putAll(blobs)).toEqual(ids);
      expect(await packs()).toEqual(before);
    });

    test('count as lost one by one where a pack is damaged, and are then kept again', async () => {
      const ids = await putAll(new NodeBlobStore(root));
      for (const path of await packs()) {
        const bytes = await readFile(path);
        await writeFile(path, bytes.toString('latin1').replace('content 500', 'CONTENT 500'), 'latin1');
      }
      const blobs = new NodeBlobStore(root);
      const wanted = texts.map((text, number) => (number === 500 ? 'lost' : text));
      expect(await readAll(blobs, ids)).toEqual(wanted);
      await blobs.put(Buffer.from('content 500'));
      expect(await readAll(new NodeBlobStore(root), ids)).toEqual(texts);
    });

    test('count as lost where the first line is damaged or missing', async () => {
      const ids = await putAll(new NodeBlobStore(root));
      for (const [at, path] of (await packs()).entries()) await writeFile(path, ['', '[1]\n', '{'][at % 3]!);
      const blobs = new NodeBlobStore(root);
      expect((await readAll(blobs, ids)).filter(text => text !== 'lost').length).toBeLessThan(20);
      await putAll(blobs);
      expect(await readAll(blobs, ids)).toEqual(texts);
    });

    test('are removed with their pack when they are the oldest, but not while one of them is needed', async () => {
      const ids = await putAll(new NodeBlobStore(root));
      const then = new Date(Date.now() - 100 * 3_600_000);
      for (const path of await packs()) await utimes(path, then, then);
      const needing = new NodeBlobStore(root, 100);
      expect(await needing.get(ids.at(-1)!)).toBeDefined();
      await needing.put(Buffer.from(texts.at(-1)!));
      await needing.put(randomBytes(1000));
      await needing.settled();
      expect(await isThere(ids.at(-1)!)).toBe(true);
      for (const path of await packs()) await utimes(path, then, then);
      const blobs = new NodeBlobStore(root, 100);
      await blobs.put(randomBytes(1000));
      await blobs.settled();
      expect(await packs()).toEqual([]);
      expect(await isThere(ids.at(-1)!)).toBe(false);
    });
  });

  test('two processes keep and remove side by side, and each finds all that it kept', async () => {
    await leaveBlobs(50);
    const writer = fileURLToPath(new URL('../support/blobWriter.ts', import.meta.url));
    const children = ['a', 'b'].map(name =>
      spawn(process.execPath, [writer, root, name], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const ended = children.map(async child => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      return `${code} ${output.trim()}`;
    });
    expect(await Promise.all(ended)).toEqual(['0 200 of 200', '0 200 of 200']);
  });
});
