import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { proposeSetUp } from '../../src/extension/core/worktrees/proposeSetUp.ts';
import { NodeFileSystem } from '../../src/extension/node/files/nodeFileSystem.ts';
import type { SettingValues } from '../../src/extension/platform/settings.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
let asked: { readonly question: string; readonly choices: readonly string[] }[];
let notified: string[];

beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
  [asked, notified] = [[], []];
});

/** @param answer the number of a choice */
function propose(
  answer: number | 'left' | 'nobody',
  folder = root,
  set: readonly (keyof SettingValues)[] = [],
) {
  const settings = { isSet: (name: keyof SettingValues) => set.includes(name) };
  return proposeSetUp({ folder, root }, settings, new NodeFileSystem(), {
    notify: sentence => notified.push(sentence),
    choose: async (question, choices) => {
      asked.push({ question, choices });
      return typeof answer === 'number' ? choices[answer]! : answer;
    },
  });
}

async function makeProject(lockFile: string, folder: string, project = root): Promise<void> {
  await mkdir(join(project, folder), { recursive: true });
  await writeFile(join(project, lockFile), '');
}

test('the user chooses once how worktrees come by what the package manager fills', async () => {
  await makeProject('pnpm-lock.yaml', 'node_modules');
  expect(await propose(0)).toEqual({ 'worktree.link': ['node_modules'] });
  expect(await propose(1)).toEqual({ 'worktree.setup': 'auto' });
  expect(await propose(2)).toEqual({ 'worktree.setup': '' });
  expect(await propose('left')).toEqual({});
  expect(asked[0]).toEqual({
    question: 'A new worktree has no node_modules. How should worktrees get it?',
    choices: [
      'Share node_modules with each worktree',
      'Install in each worktree: pnpm install --frozen-lockfile',
      "Neither, and don't ask again",
    ],
  });
});

test('nothing is asked once a setting says it, or where nothing is lacking', async () => {
  await writeFile(join(root, 'package-lock.json'), '');
  expect(await propose(0)).toEqual({});
  await makeProject('uv.lock', '.venv');
  expect(await propose(0, root, ['worktree.link'])).toEqual({});
  expect(await propose(0, root, ['worktree.setup'])).toEqual({});
  expect(asked).toEqual([]);
});

test('folders are named from the root, and several package managers are one question', async () => {
  const project = join(root, 'apps/web');
  await makeProject('package-lock.json', 'node_modules', project);
  await makeProject('poetry.lock', '.venv', project);
  expect(await propose(0, project)).toEqual({
    'worktree.link': ['apps/web/node_modules', 'apps/web/.venv'],
  });
  expect(asked.map(({ choices }) => choices[1])).toEqual([
    'Install in each worktree: npm ci && poetry install',
  ]);
});

test('a sentence names it where nobody is there', async () => {
  await makeProject('composer.lock', 'vendor');
  expect(await propose('nobody')).toEqual({});
  expect(notified).toHaveLength(1);
});
