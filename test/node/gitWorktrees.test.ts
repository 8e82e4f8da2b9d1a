import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, appendFile, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { findGit, runGit } from '../../src/extension/node/git/runGit.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import type { CommitRequest, WorktreeStart } from '../../src/extension/platform/worktrees.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

describe.skipIf(!hasGit || process.platform === 'win32')('worktrees of sessions', () => {
  const { signal } = new AbortController();
  let root: string;
  let place: string;
  let worktrees: GitWorktrees;

  beforeEach(async () => {
    const [repository, home] = [await temporaryFolder('folio-git-'), await temporaryFolder('folio-git-')];
    root = repository;
    place = join(home, 'worktrees');
    worktrees = new GitWorktrees(place, new ProgramFinder(() => [root]));
  });

  const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8');
  const create = (name: string, start: WorktreeStart = { kind: 'head' }, folder = root) =>
    worktrees.create({ folder, name, start, copies: [] }, signal);
  /** Everything that Git knows of the user's own working tree. */
  const ownState = async () => ({
    status: await git(root, 'status', '--porcelain=v2', '--branch', '--untracked-files=all'),
    index: (await readFile(join(root, '.git/index'))).toString('hex'),
    stash: await git(root, 'stash', 'list'),
    branches: await git(root, 'for-each-ref', 'refs/heads', 'refs/tags'),
  });

  test('it begins with the commit that is checked out, and none of what is uncommitted', async () => {
    await initRepository(root, { 'a.txt': 'committed\n' });
    await writeFile(join(root, 'a.txt'), 'changed\n');
    const { name, path, home, base } = await create('one');
    expect({ name, home }).toEqual({ name: 'one', home: root });
    expect(await read(path, 'a.txt')).toBe('committed\n');
    expect(base).toBe(await git(root, 'rev-parse', 'HEAD').then(text => text.trim()));
    expect(await read(root, 'a.txt')).toBe('changed\n');
  });

  test('it can begin with the files as they stand, and index, stash and branches stay as they are', async () => {
    await initRepository(root, {
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'gone.txt': 'x\n',
      '.gitignore': '*.log\n',
    });
    await writeFile(join(root, 'a.txt'), 'staged\n');
    await git(root, 'add', 'a.txt');
    await writeFile(join(root, 'a.txt'), 'staged, then changed\n');
    await rm(join(root, 'gone.txt'));
    await writeFile(join(root, 'new "one".txt'), 'untracked\n');
    await writeFile(join(root, 'ignored.log'), 'x');
    const before = await ownState();
    const { path, base } = await create('seen', { kind: 'seen' });
    expect(await ownState()).toEqual(before);
    expect(await read(path, 'a.txt')).toBe('staged, then changed\n');
    expect(await read(path, 'new "one".txt')).toBe('untracked\n');
    await expect(access(join(path, 'gone.txt'))).rejects.toThrow();
    await expect(access(join(path, 'ignored.log'))).rejects.toThrow();
    expect(await git(path, 'status', '--porcelain')).toBe('');
    expect(await git(root, 'branch', '--contains', base)).not.toContain('main');
  });

  test('a change of no other size in the second of the last checkout is seen', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    // Nobody can set the time at which Git sees a file change otherwise.
    await git(root, 'config', 'core.trustctime', 'false');
    const second = new Date('2026-01-02T03:04:05Z');
    const [file, index] = [join(root, 'a.txt'), join(root, '.git', 'index')];
    await utimes(file, second, second);
    await git(root, 'update-index', '--refresh');
    await utimes(index, second, second);
    await writeFile(file, 'b\n');
    await utimes(file, second, second);
    const { path } = await create('seen', { kind: 'seen' });
    expect(await read(path, 'a.txt')).toBe('b\n');
  });

  test('files in the middle of a merge, with conflicts, are taken as they stand', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    await git(root, 'checkout', '--quiet', '-b', 'other');
    await writeFile(join(root, 'a.txt'), 'theirs\n');
    await git(root, 'commit', '--quiet', '--all', '--message=theirs');
    await git(root, 'checkout', '--quiet', 'main');
    await writeFile(join(root, 'a.txt'), 'mine\n');
    await git(root, 'commit', '--quiet', '--all', '--message=mine');
    await git(root, 'merge', 'other').catch(() => '');
    const before = await ownState();
    const { path } = await create('amid', { kind: 'seen' });
    expect(await read(path, 'a.txt')).toContain('<<<<<<<');
    expect(await ownState()).toEqual(before);
  });

  test('a repository without a commit has files, but nothing to begin with', async () => {
    await git(root, 'init', '--quiet');
    await writeFile(join(root, 'a.txt'), 'first\n');
    await expect(create('none')).rejects.toThrow('The repository has no commit yet.');
    expect(await read((await create('first', { kind: 'seen' })).path, 'a.txt')).toBe('first\n');
  });

  test('it can begin with a branch, a tag or a commit, and one that is none is named', async () => {
    await initRepository(root, { 'a.txt': 'old\n' });
    await git(root, 'tag', 'v1');
    await writeFile(join(root, 'a.txt'), 'new\n');
    await git(root, 'commit', '--quiet', '--all', '--message=second');
    expect(await read((await create('tag', { kind: 'ref', ref: 'v1' })).path, 'a.txt')).toBe('old\n');
    expect(await read((await create('branch', { kind: 'ref', ref: 'main' })).path, 'a.txt')).toBe('new\n');
    for (const ref of ['nowhere', '--help', ''])
      await expect(create('no', { kind: 'ref', ref })).rejects.toThrow(`Git has no commit ${ref}.`);
  });

  test('outside of a repository, and in a bare one, the reason of Git is given', async () => {
    await expect(create('none')).rejects.toThrow(/not a git repository/);
    await git(root, 'init', '--quiet', '--bare');
    await expect(create('bare')).rejects.toThrow(/must be run in a work tree/);
  });

  test('a name that is taken is refused, and what stands there stays', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const { path } = await create('one');
    await writeFile(join(path, 'a.txt'), 'work\n');
    await expect(create('one')).rejects.toThrow('A worktree one already exists.');
    expect(await read(path, 'a.txt')).toBe('work\n');
  });

  test('a worktree of a worktree belongs to the same repository', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const first = await create('first');
    await writeFile(join(first.path, 'a.txt'), 'in the first\n');
    const second = await create('second', { kind: 'seen' }, first.path);
    expect(second.home).toBe(first.path);
    expect(await read(second.path, 'a.txt')).toBe('in the first\n');
    const names = async (folder: string) =>
      (await worktrees.list(folder, signal)).map(({ name }) => name).sort();
    expect(await names(root)).toEqual(['first', 'second']);
    expect(await names(second.path)).toEqual(['first', 'second']);
  });

  test('only files of the sparse checkout are there, and the others are not taken for deleted', async () => {
    await initRepository(root, { 'top.txt': 'top\n' });
    for (const folder of ['in', 'out']) {
      await mkdir(join(root, folder));
      await writeFile(join(root, folder, 'a.txt'), `${folder}\n`);
    }
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=folders');
    await git(root, 'sparse-checkout', 'set', 'in');
    await appendFile(join(root, 'in/a.txt'), 'more\n');
    const { path, base } = await create('sparse', { kind: 'seen' });
    expect(await read(path, 'in/a.txt')).toBe('in\nmore\n');
    expect(await git(path, 'ls-tree', '-r', '--name-only', base)).toContain('out/a.txt');
    expect(await git(path, 'diff', '--name-only', 'HEAD~', base)).toBe('in/a.txt\n');
  });

  test('ignored files that .worktreeinclude names are listed and copied, and nothing else is', async () => {
    await initRepository(root, {
      '.gitignore': '.env*\nbuild/\n',
      '.worktreeinclude': '.env*\n!.env.prod\n*.txt\n',
      'a.txt': 'a\n',
    });
    await mkdir(join(root, 'app'));
    for (const name of ['.env', '.env.prod', 'app/.env.local', 'untracked.txt'])
      await writeFile(join(root, name), name);
    await mkdir(join(root, 'build'));
    await writeFile(join(root, 'build/big.txt'), 'x');
    const included = await worktrees.listIncluded(join(root, 'app'), signal);
    expect([...included].sort()).toEqual(['.env', 'app/.env.local', 'build/big.txt']);
    const request = {
      folder: root,
      name: 'copies',
      start: { kind: 'head' },
      copies: ['.env', 'app/.env.local'],
    } as const;
    const { path } = await worktrees.create(request, signal);
    expect(await read(path, '.env')).toBe('.env');
    expect(await read(path, 'app/.env.local')).toBe('app/.env.local');
    await expect(access(join(path, 'untracked.txt'))).rejects.toThrow();
    expect(await git(path, 'status', '--porcelain')).toBe('');
  });

  test('hooks of the repository do not run', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const hook = join(root, '.githooks');
    await mkdir(hook);
    await writeFile(join(hook, 'post-checkout'), `#!/bin/sh\ntouch ${join(root, 'ran')}\n`, { mode: 0o755 });
    await git(root, 'config', 'core.hooksPath', '.githooks');
    await create('quiet', { kind: 'seen' });
    await expect(access(join(root, 'ran'))).rejects.toThrow();
  });

  test('submodules are listed as folders, and the worktree can be removed', async () => {
    const inner = await temporaryFolder('folio-git-');
    await initRepository(inner, { 'lib.txt': 'lib\n' });
    await initRepository(root, { 'a.txt': 'a\n' });
    await git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'lib');
    await git(root, 'commit', '--quiet', '--message=submodule');
    const made = await create('modules', { kind: 'seen' });
    await expect(access(join(made.path, 'lib'))).resolves.toBeUndefined();
    await worktrees.remove(made, signal);
    await expect(access(made.path)).rejects.toThrow();
  });

  test('pruning and garbage collection leave it alone, and its beginning is kept', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    await writeFile(join(root, 'a.txt'), 'uncommitted\n');
    const { path, base } = await create('kept', { kind: 'seen' });
    await git(path, 'checkout', '--quiet', '-b', 'elsewhere', 'main');
    await rm(join(root, '.git/logs'), { recursive: true, force: true });
    await git(root, 'reflog', 'expire', '--expire=all', '--all');
    await git(root, 'gc', '--quiet', '--prune=now');
    await git(root, 'worktree', 'prune', '--expire=now');
    expect(await git(root, 'show', `${base}:a.txt`)).toBe('uncommitted\n');
    expect(await git(path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('elsewhere\n');
  });

  test('it is listed with its branch, and so is one whose folder or record is gone', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const [whole, folderless, forgotten] = [
      await create('whole'),
      await create('folderless'),
      await create('forgotten'),
    ];
    await git(whole.path, 'checkout', '--quiet', '-b', 'topic/x');
    await rm(folderless.path, { recursive: true });
    await rm(join(root, '.git/worktrees/forgotten'), { recursive: true });
    await git(root, 'worktree', 'add', '--quiet', join(root, '../not-ours-' + Date.now()), '--detach');
    const listed = await worktrees.list(root, signal);
    const commit = whole.base;
    expect(listed).toEqual(
      [
        { name: 'whole', path: whole.path, commit, branch: 'topic/x', isThere: true },
        { name: 'folderless', path: folderless.path, commit, branch: undefined, isThere: false },
        { name: 'forgotten', path: forgotten.path, isThere: true },
      ].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
    );
    for (const each of listed) await worktrees.remove({ path: each.path, home: root }, signal);
    expect(await worktrees.list(root, signal)).toEqual([]);
    expect(await git(root, 'branch', '--list', 'topic/x')).toContain('topic/x');
  });
  const order = ['folderless', 'whole', 'forgotten'];

  test('one that Git has lost is given back, with all that is new in it', async () => {
    await initRepository(root, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await writeFile(join(root, 'a.txt'), 'uncommitted\n');
    const made = await create('lost', { kind: 'seen' });
    await writeFile(join(made.path, 'a.txt'), 'work\n');
    await writeFile(join(made.path, 'new.txt'), 'new\n');
    await rm(join(made.path, 'b.txt'));
    await rm(join(root, '.git/worktrees/lost'), { recursive: true });
    expect(await worktrees.repair(root, 'lost', signal)).toEqual(made);
    expect(await git(made.path, 'status', '--porcelain')).toBe(' M a.txt\n D b.txt\n?? new.txt\n');
    expect(await read(made.path, 'a.txt')).toBe('work\n');
    expect(await worktrees.list(root, signal)).toEqual([
      { name: 'lost', path: made.path, commit: made.base, branch: undefined, isThere: true },
    ]);
    await git(root, 'worktree', 'prune', '--expire=now');
    // Again, and without what leads to its record.
    await worktrees.repair(root, 'lost', signal);
    await rm(join(made.path, '.git'));
    expect(await worktrees.repair(root, 'lost', signal)).toEqual(made);
    expect(await git(made.path, 'status', '--porcelain')).toContain('?? new.txt');
    expect(await git(root, 'status', '--porcelain')).toBe(' M a.txt\n');
    await worktrees.remove(made, signal);
    await expect(worktrees.repair(root, 'lost', signal)).rejects.toThrow('The worktree lost has no files.');
  });

  test('names that Git cannot keep are refused', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    for (const name of ['a..b', 'x y', 'x.lock', 'end.', 'a/b'])
      await expect(create(name)).rejects.toThrow(`${name} is not a valid branch name in Git.`);
  });

  test('nothing outside of the folder of worktrees is removed', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    for (const path of [root, join(root, 'sub'), place, join(place, '..')])
      await expect(worktrees.remove({ path, home: root }, signal)).rejects.toThrow(
        'is not a worktree of Folio',
      );
    expect(await read(root, 'a.txt')).toBe('a\n');
  });

  test("a worktree of the user's whose folder is missing for now stays known when another is removed", async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const elsewhere = join(place, '../on-a-drive');
    await git(root, 'worktree', 'add', '--quiet', '--detach', elsewhere);
    await rename(elsewhere, `${elsewhere}-unplugged`);
    const [gone, lost] = [await create('gone'), await create('lost')];
    await rm(gone.path, { recursive: true });
    await rm(join(root, '.git/worktrees/lost'), { recursive: true });
    for (const each of [gone, lost]) await worktrees.remove(each, signal);
    expect(await worktrees.list(root, signal)).toEqual([]);
    await rename(`${elsewhere}-unplugged`, elsewhere);
    expect(await git(elsewhere, 'status', '--porcelain')).toBe('');
  });

  test('a git that is stopped takes its lock away', async () => {
    await initRepository(root, { 'a.txt': 'a\n', '.gitattributes': '*.slow filter=slow\n' });
    const begun = join(place, '../begun');
    await git(root, 'config', 'filter.slow.clean', `touch '${begun}'; exec sleep 60`);
    await writeFile(join(root, 'a.slow'), 'slow\n');
    const stop = new AbortController();
    const programs = new ProgramFinder(() => [root]);
    const adding = runGit({
      program: findGit(programs)!,
      programs,
      folder: root,
      args: ['add', '--all'],
      timeLimit: 60_000,
      limit: 1000,
      signal: stop.signal,
    });
    await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true);
    stop.abort();
    await expect(adding).rejects.toThrow();
    expect(existsSync(join(root, '.git/index.lock'))).toBe(false);
  });

  test('an abort in the middle leaves no worktree', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const stop = new AbortController();
    const making = worktrees.create(
      { folder: root, name: 'half', start: { kind: 'seen' }, copies: [] },
      stop.signal,
    );
    stop.abort();
    await expect(making).rejects.toThrow();
    expect(await worktrees.list(root, signal)).toEqual([]);
    expect(await create('half')).toMatchObject({ name: 'half' });
  });

  test('a branch gets the files as they stand, on top of what the worktree began with', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    const made = await create('work');
    await writeFile(join(made.path, 'a.txt'), 'work\n');
    await writeFile(join(made.path, 'b.txt'), 'new\n');
    const branch = {
      name: 'topic/work',
      beginning: 'Begun',
      commits: [],
      message: 'Do the work\n\nWith care.',
    };
    await git(root, 'config', 'user.name', 'Ada');
    await git(root, 'config', 'user.email', 'ada@example.invalid');
    const { commit } = await worktrees.makeBranch(made, branch, signal);
    expect(await git(root, 'log', '-1', '--format=%H %P %B', 'topic/work')).toBe(
      `${commit} ${made.base} Do the work\n\nWith care.\n\n`,
    );
    expect(await git(root, 'show', 'topic/work:b.txt')).toBe('new\n');
    for (const name of ['a..b', '-x', 'x y', ''])
      await expect(worktrees.makeBranch(made, { ...branch, name }, signal)).rejects.toThrow(
        'is not a valid branch name in Git',
      );
    expect(await git(made.path, 'status', '--porcelain')).toBe(' M a.txt\n?? b.txt\n');
  });

  test('a branch that is there continues with what it lacks, and keeps what others put on it', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    await git(root, 'config', 'user.name', 'Ada');
    await git(root, 'config', 'user.email', 'ada@example.invalid');
    const made = await create('work');
    const write = (text: string) => writeFile(join(made.path, 'a.txt'), text);
    const chapter = (message: string, text: string) => ({
      message,
      files: [{ path: 'a.txt', bytes: Buffer.from(text) }],
    });
    const branch = (...commits: readonly CommitRequest[]) =>
      worktrees.makeBranch(made, { name: 'topic', beginning: 'B', commits, message: 'All' }, signal);
    const subjects = async () => (await git(root, 'log', '--format=%s', 'main..topic')).trim().split('\n');
    await write('1\n');
    await branch(chapter('First', '1\n'));
    expect(await branch(chapter('First', '1\n'))).toMatchObject({ count: 0 });
    await write('3\n');
    await branch(chapter('First', '1\n'), chapter('Second', '2\n'), chapter('Third', '3\n'));
    expect(await subjects()).toEqual(['Third', 'Second', 'First']);
    // What no chapter wrote came with the last commit, which stands for none of the states of chapters then.
    await write('4\n');
    await branch(chapter('First', '1\n'), chapter('Third', '3\n'));
    await write('5\n');
    await branch(chapter('First', '1\n'), chapter('Third', '3\n'), chapter('Fourth', '5\n'));
    expect(await subjects()).toEqual(['Fourth', 'Third', 'Third', 'Second', 'First']);

    await git(root, 'checkout', '--quiet', 'topic');
    await expect(branch()).rejects.toThrow(`topic is checked out in ${root}.`);
    await git(root, 'commit', '--quiet', '--allow-empty', '--message=Reviewed');
    await git(root, 'checkout', '--quiet', 'main');
    await write('6\n');
    await branch();
    expect((await subjects()).slice(0, 3)).toEqual(['All', 'Reviewed', 'Fourth']);
    await git(root, 'checkout', '--quiet', 'topic');
    await writeFile(join(root, 'a.txt'), 'other\n');
    await git(root, 'commit', '--quiet', '--all', '--message=Other');
    await git(root, 'checkout', '--quiet', 'main');
    const tip = await git(root, 'rev-parse', 'topic');
    await expect(branch()).rejects.toThrow('topic has work that this worktree does not have.');
    await git(made.path, 'commit', '--quiet', '--all', '--message=Own');
    await expect(branch()).rejects.toThrow('topic has work that this worktree does not have.');
    expect(await git(root, 'rev-parse', 'topic')).toBe(tip);
  });

  test('a branch has a commit for each chapter, in the name of the user, and the rest in the last one', async () => {
    await initRepository(root, { 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    await git(root, 'config', 'user.name', 'Ada');
    await git(root, 'config', 'user.email', 'ada@example.invalid');
    await writeFile(join(root, 'mine.txt'), 'uncommitted\n');
    const made = await create('work', { kind: 'seen' });
    await writeFile(join(made.path, 'a.txt'), 'second\n');
    await writeFile(join(made.path, 'unknown.txt'), 'of a program\n');
    await writeFile(join(made.path, 'own.log'), 'ignored\n');
    const file = (path: string, text: string | null) => ({
      path,
      bytes: text === null ? null : Buffer.from(text),
    });
    const commits = [
      {
        message: 'First',
        files: [file('a.txt', 'first\n'), file('short/lived.txt', 'x'), file('own.log', 'l')],
      },
      { message: 'Nothing', files: [file('a.txt', 'first\n')] },
      { message: 'Second\n\nAnd why.', files: [file('a.txt', 'second\n'), file('short/lived.txt', null)] },
    ];
    const wanted = { name: 'topic', beginning: 'Begun', commits, message: 'All' };
    expect(await worktrees.makeBranch(made, wanted, signal)).toMatchObject({ count: 3 });
    expect(await git(root, 'log', '--format=%an <%ae> %cn: %s', 'main..topic')).toBe(
      ['Second', 'First', 'Begun'].map(subject => `Ada <ada@example.invalid> Ada: ${subject}\n`).join(''),
    );
    const changed = (commit: string) =>
      git(root, 'diff-tree', '--no-commit-id', '--name-status', '-r', commit);
    expect(await changed('topic~2')).toBe('A\tmine.txt\n');
    expect(await changed('topic~')).toBe('M\ta.txt\nA\tshort/lived.txt\n');
    expect(await changed('topic')).toBe('M\ta.txt\nD\tshort/lived.txt\nA\tunknown.txt\n');
    expect(await git(root, 'show', 'topic:a.txt')).toBe('second\n');
    expect(await git(root, 'status', '--porcelain')).toBe('?? mine.txt\n');
    expect(await git(made.path, 'status', '--porcelain')).toBe(' M a.txt\n?? unknown.txt\n');
  });

  test('commits that were made in the worktree stand in its branch', async () => {
    await initRepository(root, { 'a.txt': 'a\n' });
    await git(root, 'config', 'user.name', 'Ada');
    await git(root, 'config', 'user.email', 'ada@example.invalid');
    const made = await create('work');
    await writeFile(join(made.path, 'a.txt'), 'own\n');
    await git(made.path, 'commit', '--quiet', '--all', '--message=Own');
    await writeFile(join(made.path, 'b.txt'), 'more\n');
    const commits = [{ message: 'First', files: [{ path: 'a.txt', bytes: Buffer.from('first\n') }] }];
    await worktrees.makeBranch(made, { name: 'topic', beginning: 'B', commits, message: 'All' }, signal);
    expect(await git(root, 'log', '--format=%s', 'main..topic')).toBe('All\nOwn\n');
  });

  test('a file counts as brought home as it was brought, though it has changed since', async () => {
    await initRepository(root, { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitattributes': '*.txt eol=crlf\n' });
    const made = await create('work');
    await writeFile(join(made.path, 'a.txt'), 'newer\r\n');
    const bytes = Buffer.from('brought\r\n');
    const files = [
      { path: 'a.txt', bytes, executable: true },
      { path: 'b.txt', bytes: null },
      { path: 'sub/new.txt', bytes },
    ];
    await worktrees.markTransferred(made, files, signal);
    const brought = await worktrees.readTransferBase(made, signal);
    expect((await git(root, 'ls-tree', '-r', brought)).replace(/blob .*\t/g, '')).toBe(
      '100644 .gitattributes\n100755 a.txt\n100644 sub/new.txt\n',
    );
    expect(await git(root, 'show', `${brought}:a.txt`)).toBe('brought\n');
    await worktrees.resetTransferBase(made, made.base, signal);
    expect(await git(root, 'diff', '--stat', made.base, await worktrees.readTransferBase(made, signal))).toBe(
      '',
    );
    expect(await git(root, 'merge-base', brought, await worktrees.readTransferBase(made, signal))).toBe(
      `${brought}\n`,
    );
  });

  test.for([
    ['changes in different lines', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n', 'A\nb\nc\nd\nE\n'],
    ['the same change', 'A\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n'],
    ['changes in the same line', 'A\nb\nc\nd\ne\n', 'X\nb\nc\nd\ne\n', undefined],
    ['a binary file', 'a\0b', 'a\0c', undefined],
    ['an end without a line break', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\ne', 'A\nb\nc\nd\ne'],
  ] as const)('two texts are joined: %s', async ([, mine, theirs, joined]) => {
    const [base, ...others] = ['a\nb\nc\nd\ne\n', mine, theirs].map(text => Buffer.from(text));
    const merged = await worktrees.merge(
      { base: base!, mine: others[0]!, theirs: others[1]! },
      { mine: 'mine', theirs: 'theirs' },
      signal,
    );
    expect(merged.kind === 'clean' ? Buffer.from(merged.bytes).toString() : undefined).toBe(joined);
  });
});
