import { constants } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { fillSharedFolder } from '../../src/extension/node/git/sharedFolders.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { Worktree } from '../../src/extension/platform/worktrees.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe.skipIf(process.platform === 'win32')('folders that a worktree shares with its home', () => {
  const { signal } = new AbortController();
  let root: string;
  let worktrees: GitWorktrees;
  let worktree: Worktree;

  beforeEach(async () => {
    const [repository, home] = [await temporaryFolder('folio-git-'), await temporaryFolder('folio-git-')];
    root = repository;
    worktrees = new GitWorktrees(join(home, 'worktrees'), new ProgramFinder(() => [root]));
    await initRepository(root, { '.gitignore': 'node_modules/\n.venv/\n', 'a.txt': 'a\n' });
    await put('packages/app/index.js', 'at home\n');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=packages');
    await put('node_modules/left-pad/index.js', 'pad\n');
    await put('node_modules/@scope/lib/index.js', 'lib\n');
    await put('node_modules/.package-lock.json', '{}');
    await put('node_modules/.cache/x', 'x');
    await mkdir(join(root, 'node_modules/.bin'));
    await symlink('../left-pad/index.js', join(root, 'node_modules/.bin/pad'));
    await symlink('../packages/app', join(root, 'node_modules/app'));
    const request = { folder: root, name: 'side', start: { kind: 'head' }, copies: [] } as const;
    worktree = await worktrees.create(request, signal);
  });

  const put = async (path: string, text: string, folder = root) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const read = (path: string, folder = worktree.path) => readFile(join(folder, path), 'utf8');
  const share = (...folders: readonly string[]) => worktrees.share(worktree, folders, signal);
  const isLink = async (path: string) => (await lstat(join(worktree.path, path))).isSymbolicLink();
  /** What a file system without blocks to share gives, wherever the tests run. */
  const link = async (path: string) => {
    await mkdir(join(worktree.path, path), { recursive: true });
    const roots = { home: root, worktree: worktree.path };
    await fillSharedFolder(roots, path, signal, 'never');
  };

  test('it has their files, and Git does not see them', async () => {
    expect(await share('node_modules/', '.venv')).toEqual([]);
    expect(await read('node_modules/left-pad/index.js')).toBe('pad\n');
    expect(await read('node_modules/.bin/pad')).toBe('pad\n');
    expect((await lstat(join(worktree.path, 'node_modules'))).isDirectory()).toBe(true);
    expect(await git(worktree.path, 'status', '--porcelain')).toBe('');
    const branch = { name: 'topic', beginning: 'b', commits: [], message: 'm' };
    await worktrees.makeBranch(worktree, branch, signal);
    expect(await git(root, 'ls-tree', '-r', '--name-only', 'topic')).not.toContain('node_modules');
  });

  test('a package of the project is that of the worktree', async () => {
    await link('node_modules');
    await put('packages/app/index.js', 'in the worktree\n', worktree.path);
    expect(await read('node_modules/app/index.js')).toBe('in the worktree\n');
  });

  test('links lead to packages, and notes of the package manager stay at home', async () => {
    await link('node_modules');
    expect((await readdir(join(worktree.path, 'node_modules'))).sort()).toEqual([
      '.bin',
      '@scope',
      'app',
      'left-pad',
    ]);
    expect(await readlink(join(worktree.path, 'node_modules/@scope/lib'))).toBe(
      join(root, 'node_modules/@scope/lib'),
    );
    expect([await isLink('node_modules/left-pad'), await isLink('node_modules/@scope')]).toEqual([
      true,
      false,
    ]);
  });

  test('an installation that empties the folder first leaves home as it is', async () => {
    await link('node_modules');
    const folder = join(worktree.path, 'node_modules');
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    await put('node_modules/@scope/lib/index.js', 'other\n', worktree.path);
    expect(await read('node_modules/@scope/lib/index.js', root)).toBe('lib\n');
    expect(await read('node_modules/left-pad/index.js', root)).toBe('pad\n');
  });

  test('a virtual environment is a folder of links, whose notes are copied', async () => {
    await put('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    await put('.venv/lib/site.py', 'x\n');
    await symlink('lib', join(root, '.venv/lib64'));
    await link('.venv');
    expect([await isLink('.venv/pyvenv.cfg'), await isLink('.venv/lib')]).toEqual([false, true]);
    expect(await read('.venv/lib64/site.py')).toBe('x\n');
  });

  test('copies that share blocks keep links within the worktree', async () => {
    await mkdir(join(worktree.path, 'node_modules'));
    const roots = { home: root, worktree: worktree.path };
    await fillSharedFolder(roots, 'node_modules', signal, constants.COPYFILE_FICLONE);
    expect(await readlink(join(worktree.path, 'node_modules/app'))).toBe('../packages/app');
    expect(await isLink('node_modules/left-pad')).toBe(false);
    await writeFile(join(worktree.path, 'node_modules/left-pad/index.js'), 'changed\n');
    expect(await read('node_modules/left-pad/index.js', root)).toBe('pad\n');
  });

  test('removing the worktree leaves the folder at home as it is', async () => {
    await link('node_modules');
    // An agent may have made such a link itself.
    await symlink(join(root, 'node_modules'), join(worktree.path, 'direct'));
    await worktrees.remove(worktree, signal);
    await expect(lstat(worktree.path)).rejects.toThrow();
    for (const name of ['left-pad', '@scope/lib']) await read(`node_modules/${name}/index.js`, root);
    expect(await read('packages/app/index.js', root)).toBe('at home\n');
    expect(await git(root, 'worktree', 'list')).not.toContain('side');
  });

  test('what Git does not ignore is named and not shared', async () => {
    await put('vendor/x', 'x');
    expect(await share('vendor', 'packages')).toEqual(['vendor']);
    expect((await readdir(worktree.path)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'packages']);
  });

  test('nothing is shared through links, at home or in the worktree', async () => {
    const outside = await temporaryFolder('folio-git-');
    await put('keys/id', 'secret', outside);
    await rm(join(root, 'node_modules'), { recursive: true });
    await symlink(join(outside, 'keys'), join(root, 'node_modules'));
    await put('packages/lib/node_modules/x/index.js', 'x');
    await symlink(outside, join(worktree.path, 'packages/lib'));
    expect(await share('node_modules', 'packages/lib/node_modules')).toEqual([]);
    expect(await readdir(outside)).toEqual(['keys']);
    expect(await readdir(worktree.path)).not.toContain('node_modules');
  });

  test('an included file is not copied through a link that the worktree has in place of a folder', async () => {
    const outside = await temporaryFolder('folio-git-');
    await symlink(outside, join(root, 'config'));
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=link');
    await git(root, 'rm', '--quiet', 'config');
    await put('config/local.json', '{}');
    const request = {
      folder: root,
      name: 'old',
      start: { kind: 'head' },
      copies: ['config/local.json'],
    } as const;
    await worktrees.create(request, signal);
    expect(await readdir(outside)).toEqual([]);
  });
});
