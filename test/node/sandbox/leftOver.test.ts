import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTemporaryFolder } from '../../../src/extension/node/files/temporaryFolder.ts';
import { SandboxTemporaryFolder } from '../../../src/extension/node/sandbox/sandboxTemporaryFolder.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let temporary: string;
beforeEach(async () => {
  temporary = await temporaryFolder('folio-left-');
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

async function makeOld(pid: number, ageMs: number, namespace = '', kind = 'sandbox'): Promise<string> {
  const folder = join(temporary, `folio-${kind}-${pid}-${namespace}abcdef`);
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const at = new Date(Date.now() - ageMs);
  await utimes(folder, at, at);
  return folder;
}

test('folders of sandboxes that were killed are removed with the next one', async () => {
  const { pid: ended } = spawnSync('true');
  const killed = await makeOld(ended, 7_200_000);
  const alive = await makeOld(process.pid, 7_200_000);
  const temporaryRoots = new SandboxTemporaryFolder(
    async folder => folder,
    () => true,
  );
  const own = await temporaryRoots.open();
  await expect.poll(() => existsSync(killed)).toBe(false);
  expect(existsSync(alive)).toBe(true);
  expect(own).toContain(`folio-sandbox-${process.pid}-`);
  await temporaryRoots.dispose();
  expect(existsSync(own)).toBe(false);
});

test.each(['git', 'probe', 'notebook'])('a folder of %s that was left is removed, too', async kind => {
  const { pid: ended } = spawnSync('true');
  const killed = await makeOld(ended, 7_200_000, '', kind);
  const own = await makeTemporaryFolder('git');
  await expect.poll(() => existsSync(killed)).toBe(false);
  expect(existsSync(own)).toBe(true);
});

test('a folder that was made within the hour is spared: another container may use it', async () => {
  const { pid: ended } = spawnSync('true');
  const young = await makeOld(ended, 60_000);
  const old = await makeOld(ended + 1_000_000, 7_200_000);
  const temporaryRoots = new SandboxTemporaryFolder(
    async folder => folder,
    () => true,
  );
  await temporaryRoots.open();
  await expect.poll(() => existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
  await temporaryRoots.dispose();
});

test.runIf(process.platform === 'linux')('a folder of a killed process is removed at once', async () => {
  const { pid: ended } = spawnSync('true');
  const first = new SandboxTemporaryFolder(
    async folder => folder,
    () => true,
  );
  const [, namespace] = /folio-sandbox-\d+-(\w+)-\w+$/.exec(await first.open()) ?? [];
  const own = await makeOld(ended, 0, `${namespace}-`);
  const ofContainer = await makeOld(ended, 0, 'abcdef012345-');
  const alive = await makeOld(process.pid, 0, `${namespace}-`);
  const second = new SandboxTemporaryFolder(
    async folder => folder,
    () => true,
  );
  await second.open();
  await expect.poll(() => existsSync(own)).toBe(false);
  expect([ofContainer, alive].filter(existsSync)).toEqual([ofContainer, alive]);
  await first.dispose();
  await second.dispose();
});
