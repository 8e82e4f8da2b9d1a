import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findLanguageServers } from '../../src/extension/node/languages/findLanguageServers.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await temporaryFolder('folio-servers-');
  workspace = join(root, 'workspace');
  await mkdir(workspace);
});

async function program(path: string, text = ''): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

async function typescript(folder: string, version: string): Promise<void> {
  await program(join(folder, 'bin', 'tsc'));
  await writeFile(join(root, folder, 'package.json'), JSON.stringify({ name: 'typescript', version }));
}

/** Names, and whether code of the workspace runs with them. */
async function found(...path: readonly string[]): Promise<readonly string[]> {
  const servers = await findLanguageServers({ folders: [workspace], path: path.join(delimiter) });
  return servers.map(({ name, runsWorkspace }) => `${name}${runsWorkspace ? ' of the workspace' : ''}`);
}

test('nothing is found where nothing is', async () => {
  expect(await found()).toEqual([]);
  expect(await found(join(root, 'none'), 'bin', '.')).toEqual([]);
});

test('programs on PATH are the user’s own, but those that run what the workspace names', async () => {
  for (const name of ['gopls', 'clangd', 'rust-analyzer', 'pyright-langserver', 'typescript-language-server'])
    await program(join('bin', name));
  expect(await found(join(root, 'bin'))).toEqual([
    'typescript-language-server of the workspace',
    'pyright-langserver',
    'gopls',
    'rust-analyzer of the workspace',
    'clangd',
  ]);
});

test('a program of the workspace is none, by whatever PATH or link it is found', async () => {
  await program('workspace/node_modules/.bin/gopls');
  await program('workspace/tools/clangd');
  await mkdir(join(root, 'bin'));
  await symlink(join(workspace, 'tools', 'clangd'), join(root, 'bin', 'clangd'));
  const bins = [join(workspace, 'node_modules', '.bin'), join(root, 'bin')];
  expect(await found(...bins)).toEqual([]);
  await program('elsewhere/gopls');
  expect(await found(...bins, join(root, 'elsewhere'))).toEqual(['gopls']);
});

test('TypeScript speaks the protocol from version 7 on; the project’s own goes before the user’s', async () => {
  await typescript('global/typescript', '7.0.2');
  await mkdir(join(root, 'bin'));
  await symlink(join(root, 'global/typescript/bin/tsc'), join(root, 'bin', 'tsc'));
  expect(await found(join(root, 'bin'))).toEqual(['TypeScript']);
  await typescript('workspace/node_modules/typescript', '5.9.3');
  expect(await found(join(root, 'bin'))).toEqual(['TypeScript']);
  await rm(join(workspace, 'node_modules'), { recursive: true });
  await mkdir(join(workspace, 'node_modules'));
  // As package managers link it: what stands in the workspace is the workspace's.
  await symlink(join(root, 'global/typescript'), join(workspace, 'node_modules', 'typescript'));
  expect(await found(join(root, 'bin'))).toEqual(['TypeScript of the workspace', 'TypeScript']);
});
