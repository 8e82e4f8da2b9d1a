/* Sources of extensions that mean harm, or are broken: nothing of them is left, and a sentence says why. */

import { execFileSync } from 'node:child_process';
import { access, readdir, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eachTest } from '../../support/eachTest.ts';
import { git } from '../../support/gitRepository.ts';
import { InstallWorld } from '../../support/installWorld.ts';

const world = eachTest(() => InstallWorld.make());
afterEach(async () => {
  expect(await readdir(join(world.home, '.gemini', 'extensions')).catch(() => [])).toEqual([]);
  expect(world.asked).toEqual([]);
});

const install = async (source: string) => (await world.run(`/extensions install ${source}`)).join(' ');
const extension = { 'gemini-extension.json': { name: 'tides' } };

test.each([
  ['--upload-pack=touch$IFS.ran', 'There is no option'],
  ['"ext::sh -c touch% ran"', 'would make Git run a program'],
  ['fd::17', 'would make Git run a program'],
  ['EXT::x', 'would make Git run a program'],
  ['git://host/x.git', 'begins with git://, which is not supported'],
  ['http://host/x.git', 'begins with http://, which is not supported'],
  ['ssh://-oProxyCommand=x/y', 'has no host name'],
  ['ssh://-oProxyCommand%3Dx@host/y', 'has no host name'],
  ['https://me:secret@host/x.git', 'contains a name or a password'],
  ['https://token@host/x.git', 'contains a name or a password'],
  ['"a\u202Eb"', 'is not a folder or an address'],
  ['/none/at/all', 'There is no folder /none/at/all.'],
  ['x --ref --upload-pack=y', 'is not a branch'],
  ['x --ref a..b', 'is not a branch'],
  ['x --ref "+refs/heads/*:refs/heads/*"', 'is not a branch'],
])('%s is no source', async (source, sentence) => {
  const said = await install(source);
  expect(said).toContain(sentence);
  expect(said).not.toContain('secret@');
});

test('an address that Git would take for an option reaches it as an address only', async () => {
  await expect(
    world.folders.fetch({ kind: 'git', address: '--upload-pack=touch ran' }, new AbortController().signal),
  ).rejects.toThrow('Git could not fetch it');
  await expect(
    world.folders.fetch({ kind: 'git', address: 'ext::touch ran' }, new AbortController().signal),
  ).rejects.toThrow(/transport 'ext' not allowed/);
  await expect(
    world.folders.fetch({ kind: 'git', address: '$(touch ran)`touch ran`' }, new AbortController().signal),
  ).rejects.toThrow('Git could not fetch it');
});

test.each([
  ['../outside', 'Use only letters'],
  ['a/b', 'Use only letters'],
  ['..', 'Use only letters'],
  ['.hidden', 'Use only letters'],
  ['nul', 'Use only letters'],
  ['', 'Use only letters'],
  [7, 'Use only letters'],
  [undefined, 'Use only letters'],
])('an extension that calls itself %j has no name', async (name, sentence) => {
  const source = await world.write('source', { 'gemini-extension.json': { name } });
  expect(await install(source)).toContain(sentence);
});

test('a folder or a repository without a manifest is no extension', async () => {
  expect(await install(await world.write('empty', { 'README.md': '' }))).toContain(
    'It has no readable manifest',
  );
  expect(await install(await world.publish('repository', { 'README.md': '' }))).toContain(
    'It has no readable manifest',
  );
  expect(await install(await world.write('broken', { 'gemini-extension.json': '{ "name"' }))).toContain(
    'cannot be used',
  );
});

test('a manifest of 50 MB is not read', async () => {
  const source = await world.write('source', {
    'gemini-extension.json': `{"name":"tides","x":"${'x'.repeat(50_000_000)}"}`,
  });
  expect(await install(source)).toContain('gemini-extension.json exceeds the total size limit');
});

test.skipIf(process.platform === 'win32').each([
  ['out of the folder', '../secret.txt'],
  ['by a whole path', '/etc/hostname'],
  ['to nothing', 'none'],
  ['to itself', 'link.md'],
  ['to what the user enters', '.env'],
])('a link that leads %s is not copied', async (_what, target) => {
  await writeFile(world.path('secret.txt'), 'secret');
  const source = await world.write('source', { ...extension, '.env': 'A=1' });
  await symlink(target, join(source, 'link.md'));
  expect(await install(source)).toContain('link.md in it is a broken link, or leads out of the folder');
});

test.skipIf(process.platform === 'win32')('a link in a repository that leads out is not copied', async () => {
  const source = await world.write('repository', extension);
  await symlink('../../../../../../../../etc/hostname', join(source, 'GEMINI.md'));
  expect(await install(await world.publish('repository', {}))).toContain(
    'GEMINI.md in it is a broken link, or leads out',
  );
});

test.skipIf(process.platform === 'win32')('what is neither file nor folder is not read', async () => {
  const source = await world.write('source', extension);
  execFileSync('mkfifo', [join(source, 'pipe')]);
  expect(await install(source)).toContain('pipe in it is not a file or a folder');
});

test('a path in a repository that leads out of it is not written', async () => {
  const folder = await world.write('repository', extension);
  const bare = await world.publish('repository', {});
  const blob = (await git(folder, 'hash-object', '-w', 'gemini-extension.json')).trim();
  const bytes = Buffer.concat([Buffer.from('100644 ../../../escaped\0'), Buffer.from(blob, 'hex')]);
  await writeFile(world.path('tree'), bytes);
  const tree = (
    await git(folder, 'hash-object', '-w', '-t', 'tree', '--literally', world.path('tree'))
  ).trim();
  const commit = (await git(folder, 'commit-tree', tree, '-m', 'escape')).trim();
  await git(folder, 'push', '--quiet', '--force', bare, `${commit}:refs/heads/main`);
  expect(await install(bare)).toContain('Git could not fetch it');
  await expect(access(join(world.home, 'escaped'))).rejects.toThrow();
});

test('the folder of all extensions, and what holds it, is no source', async () => {
  await world.write('home', extension);
  expect(await install(world.home)).toContain('is where extensions are installed');
});

test('a server that never answers is left as soon as the user stops', async () => {
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => undefined).resume());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  const source = { kind: 'git', address: `https://127.0.0.1:${port}/x.git` } as const;
  const fetching = world.folders.fetch(source, stop.signal);
  const ended = expect(fetching).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(sockets).toHaveLength(1), { timeout: 120_000, interval: 20 });
  stop.abort();
  await ended;
  // Who had called is gone, so that its end of the line is closed.
  await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), { timeout: 120_000, interval: 20 });
  await new Promise<void>(resolve => server.close(() => resolve()));
});
