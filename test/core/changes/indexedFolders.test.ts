import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  IndexedVersionControl,
  type IndexLimits,
} from '../../../src/extension/core/changes/indexedVersionControl.ts';
import { NodeBulkFiles } from '../../../src/extension/node/files/nodeBulkFiles.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { NodeSearch } from '../../../src/extension/node/search/nodeSearch.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import { CheckpointedFolder } from '../../support/checkpointedFolder.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';

const roomy: IndexLimits = { files: 100, fileBytes: 1000, bytes: 10_000, listing: 60_000 };

async function makeFolder(budget: Partial<IndexLimits> = {}, names: Readonly<Record<string, string>> = {}) {
  const ports = {
    versionControl: new FakeVersionControl(),
    search: new NodeSearch(),
    files: new NodeFileSystem(),
    many: new NodeBulkFiles(),
    clock: new SystemClock(),
    ignoredFolders: () => ['node_modules'],
  };
  const folder = await CheckpointedFolder.make(new IndexedVersionControl(ports, { ...roomy, ...budget }));
  onTestFinished(() => folder.dispose());
  for (const [name, text] of Object.entries(names)) {
    await mkdir(join(folder.path(name), '..'), { recursive: true });
    await writeFile(folder.path(name), text);
  }
  return folder;
}

const namesOf = (touched: readonly { readonly path: string }[]) => touched.map(({ path }) => path).sort();

test('changed, created, deleted and renamed files are found and come back without Git', async () => {
  const folder = await makeFolder({}, { 'a.txt': 'a\n', '.b': 'b\n', 'c/c.txt': 'c\n', 'same.txt': 's' });
  const place = folder.beginTurn();
  const before = await folder.tree();
  const { touched, uncovered } = await folder.command(async () => {
    await writeFile(folder.path('a.txt'), 'A\n');
    await rm(folder.path('.b'));
    await rename(folder.path('c/c.txt'), folder.path('d.txt'));
  });
  expect(namesOf(touched)).toEqual(['.b', 'a.txt', 'c/c.txt', 'd.txt']);
  expect(uncovered).toBeUndefined();
  await folder.restoreTo(place);
  expect(await folder.tree()).toEqual(before);
});

test('a change that leaves size and time as they were is found in a file that was just written', async () => {
  const folder = await makeFolder({}, { 'a.txt': 'one\n' });
  const time = new Date();
  await utimes(folder.path('a.txt'), time, time);
  const { touched } = await folder.command(async () => {
    await writeFile(folder.path('a.txt'), 'two\n');
    await utimes(folder.path('a.txt'), time, time);
  });
  expect(namesOf(touched)).toEqual(['a.txt']);
});

test('ignored files and left-out folders are no part of it, also where a command ends that they are ignored', async () => {
  const folder = await makeFolder(
    {},
    { '.gitignore': '*.log\n', 'old.log': 'old', 'node_modules/x/i.js': 'x' },
  );
  const long = new Date(2020, 1, 1);
  await utimes(folder.path('old.log'), long, long);
  const place = folder.beginTurn();
  const { touched, uncovered } = await folder.command(async () => {
    await writeFile(folder.path('node_modules/x/i.js'), 'y');
    await rm(folder.path('.gitignore'));
  });
  expect(namesOf(touched)).toEqual(['.gitignore']);
  expect(uncovered).toContain('1 file');
  await folder.restoreTo(place);
  expect(await folder.tree()).toMatchObject({ 'old.log': expect.anything() });
});

test('a file whose content is beyond the budget is counted as not covered, and nothing is deleted for it', async () => {
  const folder = await makeFolder({ fileBytes: 3 }, { 'large.txt': 'large', 'a.txt': 'a' });
  const { touched, uncovered } = await folder.command(async () => {
    await writeFile(folder.path('large.txt'), 'larger');
    await writeFile(folder.path('a.txt'), 'A');
  });
  expect(namesOf(touched)).toEqual(['a.txt']);
  expect(uncovered).toContain('1 file');
});

test('a folder with more files than the budget is not covered, and that is said', async () => {
  const folder = await makeFolder({ files: 1 }, { 'a.txt': 'a', 'b.txt': 'b' });
  const { touched, uncovered } = await folder.command(() => writeFile(folder.path('a.txt'), 'A'));
  expect(touched).toEqual([]);
  expect(uncovered).toContain('Without Git');
});
