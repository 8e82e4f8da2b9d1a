import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { WorktreeStart } from '../../src/extension/platform/worktrees.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const runs = (...args: readonly string[]) => spawnSync('git', args).status === 0;

describe.skipIf(!runs('--version') || process.platform === 'win32')(
  'worktrees of unusual repositories',
  () => {
    const { signal } = new AbortController();
    let root: string;
    let worktrees: GitWorktrees;

    beforeEach(async () => {
      const [repository, home] = [await temporaryFolder('folio-git-'), await temporaryFolder('folio-git-')];
      root = repository;
      worktrees = new GitWorktrees(join(home, 'worktrees'), new ProgramFinder(() => [root]));
    });

    const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8');
    const create = (folder: string, name: string, start: WorktreeStart = { kind: 'seen' }) =>
      worktrees.create({ folder, name, start, copies: [] }, signal);

    // It needs the program git-lfs.
    test.skipIf(!runs('lfs', 'version'))('files in Git LFS are whole, and stay pointers in Git', async () => {
      await initRepository(root, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
      await git(root, 'lfs', 'install', '--local');
      await writeFile(join(root, 'big.bin'), 'committed');
      await git(root, 'add', '--all');
      await git(root, 'commit', '--quiet', '--message=big');
      await writeFile(join(root, 'big.bin'), 'changed');
      await writeFile(join(root, 'new.bin'), 'untracked');
      const head = await create(root, 'head', { kind: 'head' });
      expect(await read(head.path, 'big.bin')).toBe('committed');
      const seen = await create(root, 'seen');
      expect([await read(seen.path, 'big.bin'), await read(seen.path, 'new.bin')]).toEqual([
        'changed',
        'untracked',
      ]);
      expect(await git(seen.path, 'status', '--porcelain')).toBe('');
      expect(await git(root, 'show', `${seen.base}:new.bin`)).toContain('git-lfs.github.com');
      const files = [{ path: 'big.bin', bytes: Buffer.from('brought') }];
      await worktrees.markTransferred(seen, files, signal);
      const brought = await worktrees.readTransferBase(seen, signal);
      expect(await git(root, 'show', `${brought}:big.bin`)).toContain('size 7\n');
    });

    test('a checkout of a bare repository has worktrees, which are removed again', async () => {
      await initRepository(root, { 'a.txt': 'a\n' });
      const hub = await temporaryFolder('folio-git-');
      await git(root, 'clone', '--quiet', '--bare', root, join(hub, 'work.git'));
      const main = join(hub, 'main');
      await git(join(hub, 'work.git'), 'worktree', 'add', '--quiet', main, 'main');
      await writeFile(join(main, 'a.txt'), 'changed\n');
      const made = await create(main, 'side');
      expect(made.home).toBe(main);
      expect(await read(made.path, 'a.txt')).toBe('changed\n');
      expect((await worktrees.list(main, signal)).map(({ name }) => name)).toEqual(['side']);
      await worktrees.remove(made, signal);
      expect(await worktrees.list(main, signal)).toEqual([]);
      expect(await git(main, 'status', '--porcelain')).toBe(' M a.txt\n');
    });

    test('where Git takes two cases of a name for one, a changed file keeps the case of the index', async () => {
      await initRepository(root, { 'Read.txt': 'a\n' });
      await git(root, 'config', 'core.ignorecase', 'true');
      await writeFile(join(root, 'Read.txt'), 'changed\n');
      const { path, base } = await create(root, 'one');
      expect(await read(path, 'Read.txt')).toBe('changed\n');
      expect(await git(root, 'ls-tree', '--name-only', base)).toBe('Read.txt\n');
      expect(await git(path, 'status', '--porcelain')).toBe('');
    });

    test('two names that differ in case alone are one worktree on a disk that does not tell them apart', async () => {
      await initRepository(root, { 'a.txt': 'a\n' });
      const { path } = await create(root, 'one');
      const other = await create(root, 'One').catch((error: Error) => error.message);
      if (typeof other === 'string') expect(other).toContain('A worktree One already exists.');
      else expect(other.path).not.toBe(path);
      expect(await read(path, 'a.txt')).toBe('a\n');
    });
  },
);
