/* Extensions that were linked: their files stand elsewhere. */

import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { hookFilesWith } from '../../../src/extension/compose/extensions.ts';
import { NodeSettingsDocuments } from '../../../src/extension/node/settings/settingsDocuments.ts';
import { decideOnAll } from '../../support/consent.ts';
import { eachTest } from '../../support/eachTest.ts';
import { ExtensionWorld } from '../../support/extensionWorld.ts';
import { oneHook } from '../../support/hookWorld.ts';

const world = eachTest(() => ExtensionWorld.make());

const noteName = '.gemini-extension-install.json';

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** @param source absolute */
async function link(source: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  const note = JSON.stringify({ source, type: 'link' });
  await write(world.folderOf('tides'), { [noteName]: note, ...files });
}

const manifest = JSON.stringify({
  name: 'tides',
  settings: [{ envVar: 'TIDE_PORT' }],
  excludeTools: ['web_fetch'],
  mcpServers: { box: { command: 'node', args: ['${extensionPath}${/}server.mjs'] } },
});
const files = {
  'gemini-extension.json': manifest,
  'GEMINI.md': 'Tides.',
  'commands/fix.toml': 'prompt = "Fix"',
  'server.mjs': 'one',
};

const states = () =>
  world.additions.all.list.map(({ item, state }) => `${item.kind} ${item.name} ${item.origin.kind} ${state}`);

describe('an extension that is linked to a folder elsewhere', () => {
  const source = () => join(world.root, 'dev', 'tides-next');

  test('counts at once with what stands in that folder, as it is now', async () => {
    await write(source(), files);
    await link(source(), { 'commands/old.toml': 'prompt = "Old"' });
    await world.additions.refresh();
    expect(states()).toEqual([
      'extension tides extension enabled',
      'server box extension enabled',
      'command fix extension enabled',
    ]);
    expect(world.additions.extensions.memory).toEqual([
      { path: join(source(), 'GEMINI.md'), isNamed: false, within: source() },
    ]);
    await write(source(), { 'commands/more.toml': 'prompt = "More"' });
    await world.additions.refresh();
    expect(states()).toContain('command more extension enabled');
  });

  test('finds and keeps what is set for it where it is installed, not in its source', async () => {
    await write(source(), { ...files, '.env': 'TIDE_PORT=1\n' });
    await link(source(), { '.env': 'TIDE_PORT=2\n' });
    await world.additions.refresh();
    const [found] = world.additions.extensions.list;
    expect(found?.env).toEqual({ TIDE_PORT: '2' });
    await world.additions.extensions.set(found!.manifest, found!.manifest.settings[0]!, '3');
    const [server] = await world.additions.readServers();
    expect(server).toMatchObject({ given: { TIDE_PORT: '3' } });
    expect(await readFile(join(source(), '.env'), 'utf8')).toBe('TIDE_PORT=1\n');
  });

  test('is switched off by the name that it is installed as', async () => {
    await write(source(), files);
    await link(source());
    world.disabled = ['tides'];
    await world.additions.refresh();
    expect(states().map(each => each.split(' ').at(-1))).toEqual(['disabled', 'disabled', 'disabled']);
  });

  test('that is gone says so in one sentence, and comes back with it', async () => {
    await link(source());
    await world.additions.refresh();
    expect(world.additions.problems).toEqual([
      `The extension tides is linked to ${source()}, which does not exist. Link it again, or remove ${world.folderOf('tides')}.`,
    ]);
    expect(states()).toEqual([]);
    await mkdir(source(), { recursive: true });
    await world.additions.refresh();
    expect(world.additions.problems).toEqual([
      `The extension tides is linked to ${source()}, which contains no gemini-extension.json.`,
    ]);
    await write(source(), files);
    await world.additions.refresh();
    expect(states()).toHaveLength(3);
  });

  test.each([
    [
      'names no folder',
      '{ "type": "link", "source": "tides" }',
      /does not name the folder that the extension is/,
    ],
    ['is damaged', '{ "type": "li', /cannot be used: .+/],
  ])('is what it was where the note about it %s, and a sentence says so', async (_what, note, sentence) => {
    await world.install('tides', manifest, { [noteName]: note, '.env': 'TIDE_PORT=1' });
    expect(states()).toEqual(['extension tides extension enabled', 'server box extension enabled']);
    expect(world.additions.problems).toEqual([expect.stringMatching(sentence)]);
  });

  test.each(['git', 'local', 'github-release'])('but one installed as %s stands where it is', async type => {
    const note = JSON.stringify({ source: source(), type });
    await world.install('tides', manifest, { [noteName]: note, '.env': 'TIDE_PORT=1' });
    expect(world.additions.problems).toEqual([]);
    expect(states()[0]).toBe('extension tides extension enabled');
  });
});

describe('an extension that leads into the workspace', () => {
  const source = () => join(world.root, 'work', 'packages', 'tides');
  const waiting = [
    'extension tides workspace waiting',
    'server box workspace waiting',
    'command fix workspace waiting',
  ];
  beforeEach(() => write(source(), files));

  test('is the workspace’s: each thing waits until the user has seen it', async () => {
    await link(source(), { '.env': 'TIDE_PORT=2\n' });
    await world.additions.refresh();
    expect(states()).toEqual(waiting);
    expect(world.additions.extensions.list).toEqual([]);
    await decideOnAll(world.consent, 'allowed');
    await world.additions.refresh();
    expect(new Set(states().map(each => each.split(' ').at(-1)))).toEqual(new Set(['enabled']));
    expect(await world.additions.readServers()).toMatchObject([{ given: { TIDE_PORT: '2' } }]);
  });

  test('is not even looked at before the workspace is trusted', async () => {
    await link(source());
    world.trusted = false;
    await world.additions.refresh();
    expect([states(), world.additions.problems]).toEqual([[], []]);
  });

  test('waits again with its server when the program changes that the server starts', async () => {
    await link(source());
    await world.additions.refresh();
    await decideOnAll(world.consent, 'allowed');
    await write(source(), { 'server.mjs': 'two' });
    await world.additions.refresh();
    expect(states()).toContain('server box workspace waiting');
    expect(states()).toContain('command fix workspace enabled');
  });

  test('is no other when a link of the system leads there, or the workspace lies in it', async () => {
    await mkdir(dirname(world.folderOf('tides')), { recursive: true });
    await symlink(source(), world.folderOf('tides'));
    await world.additions.refresh();
    expect(states()).toEqual(waiting);
    await rm(world.folderOf('tides'));
    await write(world.root, files);
    await link(world.root);
    await world.additions.refresh();
    expect(states()).toEqual(waiting);
  });

  test('has hooks that wait for the user, and again when a script changes that they run', async () => {
    const hook = oneHook('BeforeAgent', 'sh "$extensionPath/tide.sh"');
    await write(source(), { 'hooks/hooks.json': JSON.stringify(hook), 'tide.sh': 'true' });
    await link(source());
    await world.additions.refresh();
    await decideOnAll(world.consent, 'allowed');
    const hooks = hookFilesWith(
      async () => world.additions,
      { home: join(world.root, 'nobody'), folders: () => [join(world.root, 'work')] },
      new NodeSettingsDocuments(),
    );
    const [file] = await hooks.read(true);
    expect(file).toMatchObject({ origin: 'workspace', isExtension: true });
    const before = await hooks.digest('sh "$extensionPath/tide.sh"');
    await write(source(), { 'tide.sh': 'false' });
    expect(await hooks.digest('sh "$extensionPath/tide.sh"')).not.toBe(before);
    expect(await hooks.read(false)).toEqual([]);
  });

  test('stays the user’s where it is installed in what is open as the workspace', async () => {
    world.folders = [join(world.root, 'home', '.gemini')];
    await world.install('tides', manifest);
    expect(states()[0]).toBe('extension tides extension enabled');
  });
});
