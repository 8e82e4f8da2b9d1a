import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NodeBulkFiles } from '../../src/extension/node/files/nodeBulkFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const many = new NodeBulkFiles();
const { signal } = new AbortController();
let root: string;
beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
});

test('contents of many files come back byte for byte, and take less memory where they are alike', async () => {
  const alike = Array.from({ length: 300 }, (_, at) => Buffer.from(`const value = ${at};\n`.repeat(20)));
  const contents = [...alike, Buffer.alloc(0), randomBytes(100_000), Buffer.from('last')];
  const kept = await many.compressAll(contents);
  expect(kept.map(each => Buffer.from(each.read()))).toEqual(contents);
  const sizeOf = (some: typeof kept) => some.reduce((sum, { size }) => sum + size, 0);
  const length = alike.reduce((sum, bytes) => sum + bytes.length, 0);
  // A block holds the first bytes of the random ones, too.
  expect(sizeOf(kept)).toBeLessThan(length * 0.3 + 100_000);
  expect(sizeOf(kept)).toBeGreaterThan(100_000);
});

test('equal contents have one hash, and others another', async () => {
  const [one, same, other] = await many.compressAll(['a', 'a', 'b'].map(text => Buffer.from(text)));
  expect(one!.hash).toBe(same!.hash);
  expect(one!.hash).not.toBe(other!.hash);
});

test('files that are gone, too large or folders are left out', async () => {
  const at = (name: string) => join(root, name);
  await writeFile(at('small'), 'ab');
  await writeFile(at('large'), 'abcd');
  await mkdir(at('folder'));
  const names = ['small', 'large', 'folder', 'gone'].map(at);
  expect([...(await many.readAll(names, 3, signal)).keys()]).toEqual([at('small')]);
  expect([...(await many.statAll(names, signal))].map(([path, { kind }]) => [path, kind])).toEqual([
    [at('small'), 'file'],
    [at('large'), 'file'],
    [at('folder'), 'directory'],
  ]);
  await expect(many.statAll(names, AbortSignal.abort(new Error('Stopped')))).rejects.toThrow('Stopped');
});
