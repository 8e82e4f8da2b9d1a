import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkpointFileLimit } from '../../../src/extension/core/changes/checkpoints.ts';
import { type CommandWatchPorts, watchCommand } from '../../../src/extension/core/changes/commandWatch.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import { FileError } from '../../../src/extension/platform/fileSystem.ts';
import { CheckpointedFolder } from '../../support/checkpointedFolder.ts';
import { eachTest } from '../../support/eachTest.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';
import { git, initRepository } from '../../support/gitRepository.ts';
import { HostedGit } from '../../support/hostedGit.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

/** Root may read everything, so denial is played. */
class LockedFiles extends NodeFileSystem {
  override async readBytes(path: string): Promise<Uint8Array> {
    if (path.endsWith('locked.txt')) throw new FileError('denied', path, () => 'Nobody may read this.');
    return super.readBytes(path);
  }
}

describe.skipIf(!hasGit)('what a command changed under git', () => {
  const folder = eachTest(() => CheckpointedFolder.make());
  beforeEach(async () => {
    await initRepository(folder.root, { 'a.txt': 'a\n', 'b.txt': 'b\r\n', '.gitignore': '*.log\n' });
  });

  const write = (name: string, content: string | Uint8Array) => writeFile(folder.path(name), content);
  const around = (): CommandWatchPorts => ({
    files: folder.files,
    blobs: folder.blobs,
    checkpoints: folder.checkpoints,
    writing: folder.filesOf({ kind: 'command', callId: 'command', line: 'work' }),
    folders: [folder.root],
    versionControl: new HostedGit(),
    clock: new SystemClock(),
    show: async path => path,
    concurrentRuns: folder.concurrentRuns,
  });
  /** Everything that the command does is told, and going back takes all of it back. */
  const expectUndone = async (work: () => Promise<unknown>, expected: readonly string[]) => {
    const place = folder.beginTurn();
    const before = await folder.tree();
    const { touched, uncovered } = await folder.command(work);
    expect(touched.map(file => file.path).sort()).toEqual([...expected].sort());
    expect(uncovered).toBeUndefined();
    const after = await folder.tree();
    const rewind = folder.events.length;
    await folder.restoreTo(place);
    expect(await folder.tree()).toEqual(before);
    await folder.restoreTo(rewind);
    expect(await folder.tree()).toEqual(after);
  };

  test('a command that changes nothing is told of nothing', async () => {
    await write('a.txt', 'dirty');
    await expectUndone(async () => {}, []);
  });

  test('changed, created, deleted and renamed files come back when they were clean', async () => {
    await expectUndone(async () => {
      await write('a.txt', 'A\n');
      await rename(folder.path('b.txt'), folder.path('c.txt'));
      await mkdir(folder.path('new'));
      await write('new/d.txt', 'd');
    }, ['a.txt', 'b.txt', 'c.txt', 'new/d.txt']);
  });

  test('and when they were changed, staged or untracked before', async () => {
    await write('a.txt', 'dirty\n');
    await write('b.txt', 'staged');
    await git(folder.root, 'add', 'b.txt');
    await write('u.txt', 'untracked');
    await write('v.bin', Buffer.from([0, 255, 0]));
    await expectUndone(async () => {
      await write('a.txt', 'A\n');
      await rm(folder.path('b.txt'));
      await rename(folder.path('u.txt'), folder.path('w.txt'));
      await write('v.bin', Buffer.from([0, 254]));
    }, ['a.txt', 'b.txt', 'u.txt', 'v.bin', 'w.txt']);
  });

  test('files that git itself moves, stages, commits or puts away are seen too', async () => {
    await expectUndone(() => git(folder.root, 'mv', 'a.txt', 'moved.txt'), ['a.txt', 'moved.txt']);
    await git(folder.root, 'reset', '--quiet', '--hard');
    await expectUndone(async () => {
      await write('a.txt', 'committed\n');
      await write('n.txt', 'new\n');
      await git(folder.root, 'add', '--all');
      await git(folder.root, 'commit', '--quiet', '--message=work');
    }, ['a.txt', 'n.txt']);
    await write('b.txt', 'dirty');
    await expectUndone(() => git(folder.root, 'stash', '--quiet'), ['b.txt']);
    const reset = () => git(folder.root, 'reset', '--quiet', '--hard', 'HEAD~1');
    await expectUndone(reset, ['a.txt', 'n.txt']);
  });

  test('a branch switch is seen though every file is clean before and after', async () => {
    await git(folder.root, 'checkout', '--quiet', '-b', 'other');
    await write('a.txt', 'other\n');
    await git(folder.root, 'commit', '--quiet', '-am', 'other');
    await git(folder.root, 'checkout', '--quiet', 'main');
    await expectUndone(() => git(folder.root, 'checkout', '--quiet', 'other'), ['a.txt']);
  });

  test('line endings of a checkout come back', async () => {
    await write('.gitattributes', '*.crlf text eol=crlf\n');
    await write('x.crlf', 'one\r\ntwo\r\n');
    await git(folder.root, 'add', '--all');
    await git(folder.root, 'commit', '--quiet', '--message=crlf');
    await expectUndone(() => write('x.crlf', 'one\r\n'), ['x.crlf']);
  });

  test('files that Folio has written are covered also where git ignores them', async () => {
    folder.beginTurn();
    await folder.agentWrites('own.log', 'one');
    await expectUndone(() => write('own.log', 'two'), ['own.log']);
  });

  test('what the user wrote before the command stays theirs', async () => {
    await write('a.txt', '1\n2\n3\n4\n');
    const place = folder.beginTurn();
    await folder.agentWrites('a.txt', '1 agent\n2\n3\n4\n');
    await write('a.txt', '1 agent\n2\n3\n4\nperson\n');
    await folder.command(() => write('a.txt', '1 agent\n2\n3 command\n4\nperson\n'));
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'merged' });
    expect(await readFile(folder.path('a.txt'), 'utf8')).toBe('1\n2\n3\n4\nperson\n');
  });

  test('lines that came and went are counted', async () => {
    const { touched } = await folder.command(() => write('a.txt', 'x\ny\n'));
    expect(touched).toEqual([{ path: 'a.txt', added: 2, removed: 1 }]);
  });

  test('a file that was ignored until now is not taken for a new one', async () => {
    await write('secret.log', 'mine');
    const then = new Date(Date.now() - 60_000);
    await utimes(folder.path('secret.log'), then, then);
    const place = folder.beginTurn();
    const { touched, uncovered } = await folder.command(async () => {
      await write('.gitignore', '');
      await write('fresh.log', 'new');
    });
    expect(touched.map(file => file.path).sort()).toEqual(['.gitignore', 'fresh.log']);
    expect(uncovered).toContain('1 file');
    await folder.restoreTo(place);
    expect(await readFile(folder.path('secret.log'), 'utf8')).toBe('mine');
  });

  test('one that is too large is counted as not covered, and the others are covered', async () => {
    const place = folder.beginTurn();
    const { touched, uncovered } = await folder.command(async () => {
      await write('large.bin', '');
      await truncate(folder.path('large.bin'), checkpointFileLimit + 1);
      await write('a.txt', 'A\n');
    });
    expect(touched.map(file => file.path)).toEqual(['a.txt']);
    expect(uncovered).toContain('1 file');
    expect(await folder.restoreTo(place)).toEqual({ 'a.txt': 'restored' });
  });

  test('a large uncommitted file that stays as it was is no gap', async () => {
    await write('large.bin', '');
    await truncate(folder.path('large.bin'), checkpointFileLimit + 1);
    expect(await folder.command(() => write('a.txt', 'A\n'))).toMatchObject({ touched: [{ path: 'a.txt' }] });
    expect((await folder.command(async () => {})).uncovered).toBeUndefined();
    expect((await folder.command(() => truncate(folder.path('large.bin'), 5))).uncovered).toContain('1 file');
  });

  test('of too many files some are told and the rest is counted', async () => {
    const { touched, uncovered } = await folder.command(async () => {
      for (let i = 0; i < 2030; i++) await write(`${i}.txt`, 'x');
    });
    expect(touched).toHaveLength(2000);
    expect(uncovered).toContain('30 files');
  });

  test('a file that nobody may read does not keep the command from running', async () => {
    await write('locked.txt', 'x');
    const watch = await watchCommand({ ...around(), files: new LockedFiles() }, new AbortController().signal);
    await write('a.txt', 'A\n');
    await write('locked.txt', 'xyz');
    const { touched, uncovered } = await watch.end();
    expect(touched.map(file => file.path)).toEqual([folder.path('a.txt')]);
    expect(uncovered).toContain('1 file');
  });

  test('a folder in the place of a file is a gap that is said', async () => {
    await write('u.txt', 'untracked');
    const { uncovered } = await folder.command(async () => {
      await rm(folder.path('u.txt'));
      await mkdir(folder.path('u.txt'));
    });
    expect(uncovered).toContain('1 file');
  });

  test('what a stopped command did is seen all the same', async () => {
    const controller = new AbortController();
    const watch = await watchCommand(around(), controller.signal);
    await write('a.txt', 'half\n');
    controller.abort();
    expect((await watch.end()).touched).toHaveLength(1);
  });

  test('a command that is stopped before it begins is not watched', async () => {
    const watching = watchCommand(around(), AbortSignal.abort(new Error('Stopped by the test.')));
    await expect(watching).rejects.toThrow('Stopped by the test.');
  });

  test('where one of two folders is not under git, it is named', async () => {
    const other = await temporaryFolder('folio-git-');
    const { touched, uncovered } = await folder.command(async () => {
      await write('a.txt', 'A\n');
      await writeFile(`${other}/x.txt`, 'x');
    }, [folder.root, other]);
    expect(touched.map(file => file.path)).toEqual(['a.txt']);
    expect(uncovered).toContain(other);
    expect(uncovered).not.toContain(folder.root);
  });

  test.skipIf(process.platform === 'win32')('a mode that a command leaves alone stays', async () => {
    await chmod(folder.path('a.txt'), 0o755);
    const place = folder.beginTurn();
    await folder.command(() => write('a.txt', 'A\n'));
    await folder.restoreTo(place);
    expect((await stat(folder.path('a.txt'))).mode & 0o777).toBe(0o755);
  });
});

describe('what a command changed without git', () => {
  const folder = eachTest(() => CheckpointedFolder.make(versionControl));
  const versionControl = new FakeVersionControl();
  afterEach(async () => {
    versionControl.changed.clear();
  });

  test('only files that Folio has written are covered, and that is said', async () => {
    folder.beginTurn();
    await folder.agentWrites('own.txt', 'one');
    const place = folder.beginTurn();
    const { touched, uncovered } = await folder.command(async () => {
      await rm(folder.path('own.txt'));
      await writeFile(folder.path('other.txt'), 'x');
    });
    expect(touched.map(file => file.path)).toEqual(['own.txt']);
    expect(uncovered).toContain('Without Git');
    expect(await folder.restoreTo(place)).toEqual({ 'own.txt': 'created' });
  });

  test('committed content that cannot be had is counted as not covered, and nothing is deleted for it', async () => {
    await writeFile(folder.path('a.txt'), 'after');
    versionControl.changed.set(folder.root, { commit: 'c1', files: [] });
    const place = folder.beginTurn();
    const { touched, uncovered } = await folder.command(async () => {
      const files = [{ path: folder.path('a.txt'), committed: 'missing' }];
      versionControl.changed.set(folder.root, { commit: 'c1', files });
    });
    expect(touched).toEqual([]);
    expect(uncovered).toContain('1 file');
    expect(await folder.restoreTo(place)).toEqual({});
    expect(await readFile(folder.path('a.txt'), 'utf8')).toBe('after');
  });

  test('version control that no longer answers after the command is said', async () => {
    versionControl.changed.set(folder.root, { commit: 'c1', files: [] });
    const { uncovered } = await folder.command(async () => {
      versionControl.changed.clear();
    });
    expect(uncovered).toContain('Without Git');
  });
});
