import { expect, test } from 'vitest';
import { findOuterSandbox } from '../../../src/extension/core/prompt/promptReader.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

test.each([
  { env: {}, files: [], platform: 'linux', found: 'none' },
  { env: { SANDBOX: 'sandbox-exec' }, files: [], platform: 'darwin', found: 'seatbelt' },
  { env: { SANDBOX: 'docker' }, files: [], platform: 'darwin', found: 'container' },
  { env: { CODESPACES: 'true' }, files: [], platform: 'linux', found: 'container' },
  { env: { container: 'podman' }, files: [], platform: 'linux', found: 'container' },
  { env: { SANDBOX: '' }, files: ['/.dockerenv'], platform: 'linux', found: 'container' },
  { env: {}, files: ['/run/.containerenv'], platform: 'linux', found: 'container' },
  // Such a file means nothing elsewhere.
  { env: {}, files: ['/.dockerenv'], platform: 'win32', found: 'none' },
])('with $env and $files on $platform it is $found', async ({ env, files, platform, found }) => {
  const disk = new MemoryFileSystem(Object.fromEntries(files.map(path => [path, ''])));
  expect(await findOuterSandbox(disk, { env, platform, home: '/home/ada' })).toBe(found);
});
