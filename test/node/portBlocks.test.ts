import { createServer } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { PortBlocks } from '../../src/extension/node/git/portBlocks.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;

beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
});

test('a worktree has the same ports in each window, and no other has them', async () => {
  const [one, other] = [new PortBlocks(root), new PortBlocks(root)];
  const names = Array.from({ length: 12 }, (_, at) => `/w/${at}`);
  const bases = await Promise.all(names.map((name, at) => (at % 2 ? one : other).claim(name)));
  expect(new Set(bases).size).toBe(names.length);
  expect(await Promise.all(names.map(name => one.claim(name)))).toEqual(bases);
  for (const base of bases) expect([base % 10, base >= 21_000, base < 32_768]).toEqual([0, true, true]);
});

test('a block that somebody listens in is left out, and one that was given back is free', async () => {
  const blocks = new PortBlocks(root);
  const base = await blocks.claim('/w');
  await blocks.release('/w');
  const server = createServer();
  await new Promise<void>(resolve => server.listen(base + 7, '127.0.0.1', resolve));
  const next = await blocks.claim('/w');
  await new Promise(resolve => server.close(resolve));
  expect(next).not.toBe(base);
  await blocks.release('/w');
  expect(await blocks.claim('/w')).toBe(base);
});
