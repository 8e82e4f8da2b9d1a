import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NodeHookFiles } from '../../src/extension/node/customizations/hookFiles.ts';
import { NodeSettingsDocuments } from '../../src/extension/node/settings/settingsDocuments.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('hook-files-');
});

async function write(path: string): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), '{"hooks":{}}');
  return join(root, path);
}

test('files of both programs are read, each by the contract of its own', async () => {
  const user = [
    await write('home/.gemini/settings.json'),
    await write('home/.claude/settings.json'),
    join(root, 'home/none.json'),
  ];
  for (const path of ['.gemini/settings.json', '.claude/settings.json', '.claude/settings.local.json'])
    await write(`work/${path}`);
  const files = new NodeHookFiles({ user, folders: () => [join(root, 'work')] }, new NodeSettingsDocuments());
  const read = async (trusted: boolean) =>
    (await files.read(trusted)).map(({ path, origin, dialect }) => [relative(root, path), origin, dialect]);
  const own = [
    ['home/.gemini/settings.json', 'person', 'gemini'],
    ['home/.claude/settings.json', 'person', 'claude'],
  ];
  expect(await read(false)).toEqual(own);
  expect(await read(true)).toEqual([
    ['work/.gemini/settings.json', 'workspace', 'gemini'],
    ['work/.claude/settings.json', 'workspace', 'claude'],
    ['work/.claude/settings.local.json', 'workspace', 'claude'],
    ...own,
  ]);
});
