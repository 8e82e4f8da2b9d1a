import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { hookFilesWith, policyFilesWith } from '../../src/extension/compose/extensions.ts';
import { ConsentService } from '../../src/extension/core/consent/consentService.ts';
import { LoadedCustomizations } from '../../src/extension/core/customizations/loadedCustomizations.ts';
import { NodeCustomFiles } from '../../src/extension/node/customizations/customFiles.ts';
import { readBounded } from '../../src/extension/node/files/readBounded.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { nothingSeen } from '../support/absentPorts.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
let reads: string[];
beforeEach(async () => {
  root = await temporaryFolder('documents-');
  reads = [];
});

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  return join(root, path);
}

/** By default long after everything was written, so that it is at rest. */
function makeDocuments(now = () => Date.now() + 60_000): NodeSettingsDocuments {
  return new NodeSettingsDocuments(now, (path, maxBytes) => {
    reads.push(relative(root, path));
    return readBounded(path, maxBytes);
  });
}

test('all that ask in a turn share one reading of each file, and the next turn reads only what has changed', async () => {
  const settings = JSON.stringify({
    mcpServers: { files: { command: 'node' } },
    tools: { exclude: ['x'], discoveryCommand: 'list' },
    hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    model: { name: 'other' },
  });
  await write('home/.gemini/settings.json', settings);
  await write('work/.gemini/settings.json', settings);
  await write('home/.gemini/extensions/tides/gemini-extension.json', '{ "name": "tides" }');
  await write('home/.gemini/extensions/tides/hooks/hooks.json', settings);
  const documents = makeDocuments();
  const places = { home: join(root, 'home'), folders: () => [join(root, 'work')], adminFolders: [] };
  const additions = new LoadedCustomizations({
    files: new NodeCustomFiles(places, documents),
    consent: new ConsentService(nothingSeen, () => true),
    disabled: () => [],
  });
  const hookPlaces = { home: join(root, 'home'), folders: places.folders };
  const ofHooks = hookFilesWith(async () => additions, hookPlaces, documents);
  const ofPolicy = policyFilesWith(additions, places, documents);
  // In the order of a turn: hooks around the prompt first, then what goes into the first request.
  const turn = async () => {
    const hooks = await ofHooks.read(true);
    await additions.refresh();
    const { settings: rules } = await ofPolicy.read(true);
    return [hooks.length, rules.length, additions.all.list.map(({ item }) => item.kind)];
  };
  const made = [3, 2, ['extension', 'server', 'tools', 'server', 'tools', 'settings']];
  expect(await turn()).toEqual(made);
  expect(reads.sort()).toEqual([
    'home/.gemini/extensions/tides/gemini-extension.json',
    'home/.gemini/extensions/tides/hooks/hooks.json',
    'home/.gemini/settings.json',
    'work/.gemini/settings.json',
  ]);
  expect(await turn()).toEqual(made);
  expect(reads).toHaveLength(4);
  await write('work/.gemini/settings.json', `${settings} `);
  expect(await turn()).toEqual(made);
  expect(reads.slice(4)).toEqual(['work/.gemini/settings.json']);
});

test('a document stays the same object while its file does, also where it was written just now', async () => {
  const path = await write('settings.json', '{ "a": 1, }');
  for (const documents of [makeDocuments(), makeDocuments(Date.now)]) {
    const before = await documents.read(path);
    expect(before).toMatchObject({ status: 'parsed', content: { a: 1 } });
    expect(await documents.read(path)).toBe(before);
  }
});

test('a file that comes, changes and goes is told as it is then', async () => {
  const documents = makeDocuments();
  const path = join(root, 'settings.json');
  expect(await documents.read(path)).toBeUndefined();
  await write('settings.json', '{}');
  expect(await documents.read(path)).toMatchObject({ status: 'parsed', content: {} });
  await write('settings.json', '{ "a": [');
  expect(await documents.read(path)).toMatchObject({ status: 'damaged', text: '{ "a": [' });
  await rm(path);
  await mkdir(path);
  expect(await documents.read(path)).toMatchObject({ status: 'unreadable' });
  await rm(path, { recursive: true });
  expect(await documents.read(path)).toBeUndefined();
});

test('what is nested beyond all measure is damaged', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(await makeDocuments().read(await write('settings.json', deep))).toMatchObject({ status: 'damaged' });
});
