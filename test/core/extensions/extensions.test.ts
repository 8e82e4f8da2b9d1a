import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeMemory } from '../../../src/extension/core/context/describeMemory.ts';
import { readMemory } from '../../../src/extension/core/context/memory.ts';
import { withExcludedTools } from '../../../src/extension/core/extensions/excludedTools.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { noPolicyFiles } from '../../support/absentPorts.ts';
import { eachTest } from '../../support/eachTest.ts';
import { ExtensionWorld } from '../../support/extensionWorld.ts';

const world = eachTest(() => ExtensionWorld.make());

const key = { name: 'API key', envVar: 'TIDE_KEY', sensitive: true };
const port = { name: 'Port', envVar: 'TIDE_PORT' };
const server = { box: { command: 'node', args: ['server.mjs'] } };

const only = () => {
  const [found, ...others] = world.additions.extensions.list;
  if (!found || others.length > 0) throw new Error('There is not one extension.');
  return found;
};

describe('what a user set for an extension', () => {
  test('comes from its .env, by the names that it asks for, and goes to its servers alone', async () => {
    await world.install(
      'tides',
      { settings: [key, port], mcpServers: server },
      { '.env': 'TIDE_KEY="a b"\nexport TIDE_PORT=7\nOTHER=1\n' },
    );
    await world.install('plain', { mcpServers: { other: { command: 'node' } } });
    const servers = await world.additions.readServers();
    expect(servers.map(({ item, given, problem }) => [item.name, given, problem])).toEqual([
      ['other', {}, undefined],
      ['box', { TIDE_KEY: 'a b', TIDE_PORT: '7' }, undefined],
    ]);
    expect(world.additions.problems).toEqual([]);
  });

  test('is missing in one sentence, which holds back its servers, until it is set', async () => {
    await world.install('tides', { settings: [key, port], mcpServers: server });
    const sentence =
      'The extension tides needs API key (TIDE_KEY) and Port (TIDE_PORT). Use “Folio: Set Up Extension”, or name it in the .env of the extension.';
    expect(world.additions.problems).toEqual([sentence]);
    expect((await world.additions.readServers())[0]).toMatchObject({ problem: sentence });
    let changes = 0;
    world.additions.extensions.onDidChange(() => changes++);
    const { manifest } = only();
    await world.additions.extensions.set(manifest, manifest.settings[0]!, 'secret');
    await world.additions.extensions.set(manifest, manifest.settings[1]!, '8080');
    const [entry] = await world.additions.readServers();
    expect(entry).toMatchObject({ given: { TIDE_KEY: 'secret', TIDE_PORT: '8080' } });
    expect(entry?.problem).toBeUndefined();
    expect(changes).toBe(1);
  });

  test('is on the disk only when it is no secret', async () => {
    await world.install('tides', { settings: [key, port] });
    const { manifest } = only();
    for (const setting of manifest.settings) await world.additions.extensions.set(manifest, setting, 'value');
    const text = await readFile(join(world.folderOf('tides'), '.env'), 'utf8');
    expect(text).toBe('TIDE_PORT=value\n');
    expect(await world.additions.extensions.findKept(manifest)).toEqual(['TIDE_KEY']);
    await world.additions.extensions.forget(manifest);
    await world.additions.refresh();
    expect(only().env).toEqual({ TIDE_PORT: 'value' });
  });

  test('wins over the .env where it is a secret, and stays when nothing is entered', async () => {
    await world.install('tides', { settings: [key] }, { '.env': 'TIDE_KEY=old\n' });
    const { manifest } = only();
    const [setting] = manifest.settings;
    await world.additions.extensions.set(manifest, setting!, 'new');
    await world.additions.extensions.set(manifest, setting!, '');
    await world.additions.refresh();
    expect(only().env).toEqual({ TIDE_KEY: 'new' });
  });

  test('may be nothing, which is not the same as missing', async () => {
    await world.install('tides', { settings: [key] });
    const { manifest } = only();
    await world.additions.extensions.set(manifest, manifest.settings[0]!, '');
    await world.additions.refresh();
    expect(only()).toMatchObject({ env: { TIDE_KEY: '' } });
    expect(world.additions.problems).toEqual([]);
  });

  test('is read again, and one that cannot be read is one sentence', async () => {
    await world.install('tides', { settings: [port] }, { '.env': 'TIDE_PORT=1\n' });
    await world.install('tides', { settings: [port] }, { '.env': 'TIDE_PORT=2\n' });
    expect(only().env).toEqual({ TIDE_PORT: '2' });
    await rm(join(world.folderOf('tides'), '.env'));
    await mkdir(join(world.folderOf('tides'), '.env'));
    await world.additions.refresh();
    expect(world.additions.problems).toEqual([
      `${join(world.folderOf('tides'), '.env')} is no regular file.`,
    ]);
  });
});

test('an extension that is switched off brings nothing, and all of it again when it is on', async () => {
  await world.install(
    'tides',
    { excludeTools: ['web_fetch'], settings: [port], mcpServers: server },
    { 'GEMINI.md': 'tides', '.env': 'TIDE_PORT=1' },
  );
  const policy = withExcludedTools(noPolicyFiles, () => world.additions.extensions.list);
  const seen = async () => {
    await world.additions.refresh();
    const { extensions } = world.additions;
    const servers = await world.additions.readServers();
    const { settings } = await policy.read(true);
    return [extensions.memory.length, settings.length, servers.filter(({ given }) => given).length];
  };
  expect(await seen()).toEqual([1, 1, 1]);
  world.disabled = ['tides'];
  expect(await seen()).toEqual([0, 0, 0]);
  world.disabled = [];
  expect(await seen()).toEqual([1, 1, 1]);
});

test('a folder without a manifest that can be read brings nothing', async () => {
  const files = { 'commands/tidy.toml': 'prompt = "Tidy"', 'GEMINI.md': 'tides' };
  await world.install('tides', '{ "name": ', files);
  await world.install('none', {}, files);
  await rm(join(world.folderOf('none'), 'gemini-extension.json'));
  await world.additions.refresh();
  expect(world.additions.all.list).toEqual([]);
  expect(world.additions.extensions.memory).toEqual([]);
  expect(world.additions.problems).toEqual([
    expect.stringContaining(`${join(world.folderOf('tides'), 'gemini-extension.json')} cannot be used: `),
  ]);
});

describe('context files of extensions', () => {
  const read = () =>
    readMemory(new NodeFileSystem(), {
      home: join(world.root, 'home', '.gemini'),
      names: ['GEMINI.md'],
      extra: [],
      trusted: true,
      folders: [join(world.root, 'work')],
      single: world.additions.extensions.memory,
    });

  test('come after the user’s own and before the project’s, with what they import from their folder', async () => {
    await world.install(
      'tides',
      {},
      { 'GEMINI.md': 'tides, @more.md and @../other/x.md', 'more.md': 'more' },
    );
    await world.install('other', { contextFileName: 'X.md' }, { 'x.md': 'foreign', 'X.md': 'other' });
    await writeFile(join(world.root, 'home', '.gemini', 'GEMINI.md'), 'person');
    await writeFile(join(world.root, 'work', 'GEMINI.md'), 'project');
    const memory = await read();
    const [user, other, tides, project] = memory.blocks.map(({ text }) => text);
    expect([user, other, project]).toEqual(['person', 'other', 'project']);
    expect(tides).toContain('[begin of more.md]\nmore\n');
    expect(tides).toContain('@../other/x.md (not imported: it lies outside');
    expect(memory.problems).toEqual([]);
    expect(describeMemory(memory, [])).toContain(`## ${join(world.folderOf('tides'), 'GEMINI.md')}`);
  });

  test('that lead out of the extension, hold secrets or are not there are said and not read', async () => {
    await world.install(
      'tides',
      { contextFileName: ['out.md', '.env', 'none.md', 'docs'] },
      { '.env': 'KEY=secret', 'docs/a.md': 'a' },
    );
    await writeFile(join(world.root, 'outside.md'), 'outside');
    await symlink(join(world.root, 'outside.md'), join(world.folderOf('tides'), 'out.md'));
    const { blocks, problems } = await read();
    expect(blocks).toEqual([]);
    expect(problems.map(each => each.replace(/^.* is ignored: /, ''))).toEqual([
      'it is a link that leads out of the extension.',
      'it may hold secrets.',
      'it does not exist.',
      'it is not a file.',
    ]);
  });
});
