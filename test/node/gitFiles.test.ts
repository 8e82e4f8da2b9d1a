import { spawnSync } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { GitFiles } from '../../src/extension/node/git/gitFiles.ts';
import type { ChangedFiles } from '../../src/extension/platform/versionControl.ts';
import { git, initRepository, makeFolder } from '../support/gitRepository.ts';
import { programAt } from '../support/programAt.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const isWindows = process.platform === 'win32';

describe.skipIf(!hasGit || isWindows)('files under git', () => {
  const gitFiles = new GitFiles();
  const { signal } = new AbortController();
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('folio-git-');
  });

  const write = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);
  const names = (changed: ChangedFiles | undefined, below = root) =>
    changed?.files
      .map(({ path, committed }) => `${relative(below, path)}${committed ? '' : ' (new)'}`)
      .sort();
  const readAll = async (changed: ChangedFiles | undefined, folder = root) => {
    const contents: Record<string, string | null> = {};
    const files = changed?.files ?? [];
    const named = files.flatMap(({ committed }) => committed ?? []);
    const read = await gitFiles.readCommitted(folder, named, signal);
    for (const { path, committed } of files) {
      const bytes = committed && read.get(committed);
      contents[relative(root, path)] = bytes ? Buffer.from(bytes).toString() : null;
    }
    return contents;
  };

  test('a folder without git is not under version control', async () => {
    expect(await gitFiles.changedFiles(root, signal)).toBeUndefined();
  });

  test('without a git program nothing is under version control', async () => {
    await initRepository(root, { 'a.txt': 'a' });
    expect(await new GitFiles(programAt(undefined)).changedFiles(root, signal)).toBeUndefined();
    expect(await new GitFiles(programAt('/does/not/exist')).changedFiles(root, signal)).toBeUndefined();
  });

  test('changed, deleted, renamed, staged and untracked files are told, ignored and clean ones are not', async () => {
    const names_ = ['clean', 'changed', 'deleted', 'renamed', 'staged'];
    await initRepository(root, {
      ...Object.fromEntries(names_.map(name => [`${name}.txt`, `${name}\n`])),
      '.gitignore': '*.log\n',
    });
    await write('changed.txt', 'other');
    await rm(join(root, 'deleted.txt'));
    await git(root, 'mv', 'renamed.txt', 'new name.txt');
    await write('staged.txt', 'other');
    await git(root, 'add', 'staged.txt');
    await mkdir(join(root, 'deep/er'), { recursive: true });
    await write('deep/er/ünt"racked\n.txt', 'x');
    await write('ignored.log', 'x');
    const changed = await gitFiles.changedFiles(root, signal);
    expect(names(changed)).toEqual([
      'changed.txt',
      'deep/er/ünt"racked\n.txt (new)',
      'deleted.txt',
      'new name.txt (new)',
      'renamed.txt',
      'staged.txt',
    ]);
    expect(await readAll(changed)).toMatchObject({
      'changed.txt': 'changed\n',
      'deleted.txt': 'deleted\n',
      'renamed.txt': 'renamed\n',
      'staged.txt': 'staged\n',
    });
  });

  test('before the first commit every file is new', async () => {
    await git(root, 'init', '--quiet');
    await write('a.txt', 'a');
    await write('b.txt', 'b');
    await git(root, 'add', 'a.txt');
    const changed = await gitFiles.changedFiles(root, signal);
    expect(changed?.commit).toBeNull();
    expect(names(changed)).toEqual(['a.txt (new)', 'b.txt (new)']);
  });

  test('below the root only the files of the folder are told', async () => {
    await initRepository(root, { 'above.txt': '1\n' });
    await mkdir(join(root, 'sub/ject'), { recursive: true });
    await write('sub/ject/in.txt', '1\n');
    await write('sub/beside.txt', '1\n');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=second');
    for (const name of ['above.txt', 'sub/ject/in.txt', 'sub/beside.txt']) await write(name, '2\n');
    const folder = join(root, 'sub/ject');
    const changed = await gitFiles.changedFiles(folder, signal);
    expect(names(changed)).toEqual(['sub/ject/in.txt']);
    expect(await readAll(changed, folder)).toEqual({ 'sub/ject/in.txt': '1\n' });
  });

  test('through a symlink the real paths are told', async () => {
    const other = await temporaryFolder('folio-git-');
    await initRepository(root, { 'a.txt': '1' });
    await write('a.txt', '2');
    const link = join(other, 'link');
    await symlink(root, link);
    const changed = await gitFiles.changedFiles(link, signal);
    expect(changed?.files.map(file => file.path)).toEqual([join(root, 'a.txt')]);
    expect(await readAll(changed, link)).toEqual({ 'a.txt': '1' });
  });

  test('submodules and repositories inside are left out, symlinks are not', async () => {
    const other = await temporaryFolder('folio-git-');
    await initRepository(other, { 'x.txt': 'x' });
    await initRepository(root, { 'a.txt': 'a' });
    await symlink('a.txt', join(root, 'tracked-link'));
    await git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=second');
    await rm(join(root, 'tracked-link'));
    await symlink('nowhere', join(root, 'tracked-link'));
    await symlink('a.txt', join(root, 'new-link'));
    await write('module/x.txt', 'changed');
    await mkdir(join(root, 'inner'));
    await initRepository(join(root, 'inner'), { 'y.txt': 'y' });
    await write('b.txt', 'b');
    const changed = await gitFiles.changedFiles(root, signal);
    expect(names(changed)).toEqual(['b.txt (new)', 'new-link (new)', 'tracked-link']);
    const tracked = changed!.files.find(({ path }) => path.endsWith('tracked-link'))!;
    expect(tracked.isLink).toBe(true);
    const contents = await gitFiles.readCommitted(root, [tracked.committed!], signal);
    expect(Buffer.from(contents.get(tracked.committed!)!).toString()).toBe('a.txt');
  });

  test('files in conflict stand for what our side has committed', async () => {
    await initRepository(root, { 'a.txt': 'base\n' });
    await git(root, 'checkout', '--quiet', '-b', 'other');
    await write('a.txt', 'theirs\n');
    await git(root, 'commit', '--quiet', '-am', 'theirs');
    await git(root, 'checkout', '--quiet', 'main');
    await write('a.txt', 'ours\n');
    await git(root, 'commit', '--quiet', '-am', 'ours');
    await git(root, 'merge', '--quiet', 'other').catch(() => 'in conflict');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toContain('<<<<<<<');
    expect(await readAll(await gitFiles.changedFiles(root, signal))).toEqual({ 'a.txt': 'ours\n' });
  });

  test('what is committed since a commit is told with what that commit held', async () => {
    await initRepository(root, { 'a.txt': 'a1', 'b.txt': 'b1', 'c.txt': 'c1', 'same.txt': 's' });
    const before = (await gitFiles.changedFiles(root, signal))!;
    expect(before.files).toEqual([]);
    await write('a.txt', 'a2');
    await git(root, 'mv', 'b.txt', 'moved.txt');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=second');
    await write('a.txt', 'a3');
    await write('c.txt', 'c2');
    const changed = await gitFiles.changedFiles(root, signal, before.commit);
    expect(changed?.commit).not.toBe(before.commit);
    expect(await readAll(changed)).toEqual({
      'a.txt': 'a1',
      'b.txt': 'b1',
      'c.txt': 'c1',
      'moved.txt': null,
    });
  });

  test('everything in the first commit is new to whom saw none', async () => {
    await git(root, 'init', '--quiet');
    const before = (await gitFiles.changedFiles(root, signal))!;
    await write('a.txt', 'a');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=first');
    expect(names(await gitFiles.changedFiles(root, signal, before.commit))).toEqual(['a.txt (new)']);
  });

  test('below the root, too, commits are told by the folder alone', async () => {
    await initRepository(root, { 'above.txt': '1' });
    await mkdir(join(root, 'sub'));
    await write('sub/a.txt', '1');
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=second');
    const folder = join(root, 'sub');
    const before = (await gitFiles.changedFiles(folder, signal))!;
    await write('above.txt', '2');
    await write('sub/a.txt', '2');
    await git(root, 'commit', '--quiet', '-am', 'third');
    const changed = await gitFiles.changedFiles(folder, signal, before.commit);
    expect(await readAll(changed, folder)).toEqual({ 'sub/a.txt': '1' });
  });

  test('line endings come as a checkout would write them, binary content as it is', async () => {
    await initRepository(root, { '.gitattributes': 'sub/*.txt text eol=crlf\n*.bin -text\n' });
    await mkdir(join(root, 'sub'));
    const bytes = Buffer.from([0, 255, 10, 13, 10, 0]);
    await write('sub/a.txt', 'one\r\ntwo\r\n');
    await write('b.bin', bytes);
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--message=second');
    await write('sub/a.txt', 'x\r\n');
    await write('b.bin', 'x');
    const folder = join(root, 'sub');
    expect(await readAll(await gitFiles.changedFiles(folder, signal), folder)).toEqual({
      'sub/a.txt': 'one\r\ntwo\r\n',
    });
    const binary = (await gitFiles.changedFiles(root, signal))!.files.find(({ path }) =>
      path.endsWith('.bin'),
    );
    const read = await gitFiles.readCommitted(root, [binary!.committed!], signal);
    expect(Buffer.from(read.get(binary!.committed!)!).equals(bytes)).toBe(true);
  });

  test('a content has the name that the index would have for it, filters of its path included', async () => {
    const picture = Uint8Array.of(0, 255, 13, 10);
    await mkdir(join(root, 'deep'));
    await initRepository(root, { '.gitattributes': 'deep/*.txt text eol=crlf\n' });
    await write('a.png', picture);
    await write('deep/b.txt', 'a\r\nb\r\n');
    await git(root, 'add', '.');
    const staged = (await git(root, 'ls-files', '--stage', 'a.png', 'deep')).match(/[0-9a-f]{40}/g);
    expect(staged).toHaveLength(2);
    const read = (name: string) => gitFiles.readObjectId(join(root, name));
    expect([await read('a.png'), await read('deep/b.txt')]).toEqual(staged);
    await write('a.png', Uint8Array.of(0));
    expect(await read('a.png')).not.toBe(staged?.[0]);
    expect(await read('none.png')).toBeUndefined();
    expect(await readFile(join(root, 'a.png'))).toEqual(Buffer.of(0));
  });

  test('content that git does not have is left out, and what else was asked for is there', async () => {
    const contents = { 'a.txt': 'a', 'b c.txt': '', ' d.txt': 'd\n', 'e\nf.txt': 'e\n\nf' };
    await initRepository(root, contents);
    await git(root, 'rm', '--quiet', '-r', '.');
    const files = (await gitFiles.changedFiles(root, signal))!.files;
    const missing = `${'1'.repeat(40)}:a.txt`;
    const asked = [missing, ...files.map(({ committed }) => committed!)];
    const read = await gitFiles.readCommitted(root, asked, signal);
    expect(read.has(missing)).toBe(false);
    const texts = files.map(({ path, committed }) => [
      relative(root, path),
      Buffer.from(read.get(committed!)!).toString(),
    ]);
    expect(Object.fromEntries(texts)).toEqual(contents);
  });

  test('a folder that is ignored as a whole counts as not under version control', async () => {
    await initRepository(root, { '.gitignore': 'out/\n' });
    await mkdir(join(root, 'out'));
    await write('out/a.txt', 'a');
    expect(await gitFiles.changedFiles(join(root, 'out'), signal)).toBeUndefined();
  });

  test('too many changed files are not told', async () => {
    await initRepository(root, {});
    await Promise.all(
      Array.from({ length: 21 }, async (_, folder) => {
        await mkdir(join(root, `${folder}`));
        for (let i = 0; i < 1000; i++) await write(`${folder}/${i}`, '');
      }),
    );
    expect(await gitFiles.changedFiles(root, signal)).toBeUndefined();
  });

  test('looking runs no hook and no file monitor, and changes nothing in the repository', async () => {
    await initRepository(root, { 'a.txt': 'a' });
    const trace = join(root, '.git', 'trace');
    const program = join(root, '.git', 'program');
    await writeFile(program, `#!/bin/sh\necho ran >> '${trace}'\n`);
    await chmod(program, 0o755);
    await git(root, 'config', 'core.fsmonitor', program);
    await git(root, 'config', 'core.pager', program);
    await git(root, 'config', 'diff.external', program);
    await writeFile(join(root, '.git/hooks/post-index-change'), await readFile(program));
    await chmod(join(root, '.git/hooks/post-index-change'), 0o755);
    await write('a.txt', 'b');
    const files = async () => (await readdir(join(root, '.git'), { recursive: true })).sort();
    const before = [await files(), (await stat(join(root, '.git/index'))).mtimeMs];
    const changed = await gitFiles.changedFiles(root, signal);
    expect(await readAll(changed)).toEqual({ 'a.txt': 'a' });
    expect([await files(), (await stat(join(root, '.git/index'))).mtimeMs]).toEqual(before);
  });

  test('variables that git sets for its children do not lead to another repository', async () => {
    const other = await makeFolder();
    vi.stubEnv('GIT_DIR', join(other.root, '.git'));
    try {
      await initRepository(root, { 'a.txt': 'a' });
      await write('a.txt', 'b');
      expect(names(await gitFiles.changedFiles(root, signal))).toEqual(['a.txt']);
    } finally {
      vi.unstubAllEnvs();
      await other.dispose();
    }
  });

  test('no git is started for a folder that lies in no repository', async () => {
    const program = join(root, 'git');
    await writeFile(program, `#!/bin/sh\necho >> ${root}/started\n`);
    await chmod(program, 0o755);
    const checked = () => new GitFiles(programAt(program)).changedFiles(root, signal);
    expect(await checked()).toBeUndefined();
    await expect(access(join(root, 'started'))).rejects.toThrow();
    await mkdir(join(root, '.git'));
    await checked();
    await access(join(root, 'started'));
  });

  test('an abort ends a git that does not answer', async () => {
    await mkdir(join(root, '.git'));
    const program = join(root, 'git');
    await writeFile(program, '#!/bin/sh\nexec sleep 600\n');
    await chmod(program, 0o755);
    const controller = new AbortController();
    const scanning = new GitFiles(programAt(program)).changedFiles(root, controller.signal);
    setTimeout(() => controller.abort(new Error('Stopped by the test.')), 50);
    await expect(scanning).rejects.toThrow('Stopped by the test.');
    await expect(gitFiles.changedFiles(root, controller.signal)).rejects.toThrow('Stopped by the test.');
  });

  test('a git that does not answer in time is no version control', async () => {
    await mkdir(join(root, '.git'));
    const program = join(root, 'git');
    await writeFile(program, '#!/bin/sh\nexec sleep 600\n');
    await chmod(program, 0o755);
    expect(await new GitFiles(programAt(program), 200).changedFiles(root, signal)).toBeUndefined();
  });
});
