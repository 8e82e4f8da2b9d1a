import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { GitCommandTracker } from '../../../src/extension/core/changes/gitCommandTracker.ts';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { type HunksInGit, StagingWatcher } from '../../../src/extension/core/changes/staging.ts';
import { GitFiles } from '../../../src/extension/node/git/gitFiles.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { git, initRepository } from '../../support/gitRepository.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { programAt } from '../../support/programAt.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const before = 'a\nb\nc\nd\ne\n';
const after = 'A\nb\nc\nd\nE\n';
const nobodyKnows = () => undefined;

let root: string;
let ledger: ReviewLedger;
let gitTracker: GitCommandTracker;
let staging: StagingWatcher;

beforeEach(async () => {
  root = await temporaryFolder('folio-git-');
  await initRepository(root, { 'x.txt': before, 'y.txt': before });
  ledger = new ReviewLedger({
    files: new MemoryFileSystem(),
    blobs: new MemoryBlobStore(),
    clock: new ManualClock(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    show: async path => path,
    emit: () => {},
  });
  gitTracker = new GitCommandTracker();
  staging = new StagingWatcher(ledger, gitTracker, new GitFiles());
});

const pathOf = (name: string) => join(root, name);

async function agentWrites(name: string, text = after, old: string | null = before): Promise<void> {
  await writeFile(pathOf(name), text);
  ledger.agentWrote(pathOf(name), old, text, utf8Format, 'c1');
}

function scan(paths = ledger.paths, known: (path: string) => HunksInGit | undefined = nobodyKnows) {
  return staging.scan(root, paths, known);
}

/** Numbers of the hunks that wait. */
function waiting(name: string): readonly number[] {
  const hunks = ledger.review(pathOf(name))?.hunks ?? [];
  return hunks.filter(({ status }) => status === 'pending').map(({ id }) => id);
}

/** As a command of the agent that names Git. */
async function agentRuns(...args: readonly string[]): Promise<void> {
  await gitTracker.during(
    () => git(root, ...args),
    () => undefined,
  );
}

describe('staging', () => {
  it('accepts what the user stages or commits, and nothing that Git held before', async () => {
    await agentWrites('x.txt');
    await agentWrites('y.txt');
    await git(root, 'add', 'y.txt');
    await scan();
    expect([waiting('x.txt').length, waiting('y.txt').length]).toEqual([2, 2]);
    await git(root, 'add', 'x.txt');
    await scan();
    expect([waiting('x.txt').length, waiting('y.txt').length]).toEqual([0, 2]);
    // What the index had held all along is the user's decision once it is committed.
    await git(root, 'commit', '-qm', 'Both');
    await scan();
    expect(waiting('y.txt')).toEqual([]);
  });

  it('accepts by the user’s commit what a command of the agent had staged', async () => {
    await agentWrites('x.txt');
    await scan();
    await agentRuns('add', 'x.txt');
    await scan();
    expect(waiting('x.txt')).toHaveLength(2);
    await git(root, 'commit', '-qm', 'Work');
    await scan();
    expect(waiting('x.txt')).toEqual([]);
  });

  it('accepts nothing by a commit of the agent, nor by a later one of the user that is about another file', async () => {
    await agentWrites('x.txt');
    await agentWrites('y.txt');
    await scan();
    await agentRuns('commit', '-qm', 'Mine', '--', 'x.txt');
    await scan();
    expect(waiting('x.txt')).toHaveLength(2);
    await git(root, 'commit', '-qm', 'Yours', '--', 'y.txt');
    await scan();
    expect([waiting('x.txt').length, waiting('y.txt').length]).toEqual([2, 0]);
  });

  it('accepts a hunk that is committed automatically, and leaves the other', async () => {
    await agentWrites('x.txt');
    await scan();
    const patch = pathOf('.git/one.patch');
    await writeFile(patch, '--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n');
    await git(root, 'apply', '--cached', patch);
    await git(root, 'commit', '-qm', 'One');
    const [upper] = ledger.review(pathOf('x.txt'))!.hunks.filter(({ start }) => start === 0);
    await scan();
    expect(waiting('x.txt')).toHaveLength(1);
    expect(waiting('x.txt')).not.toContain(upper?.id);
  });

  it('knows in a new window what Git held in the one before', async () => {
    await agentWrites('x.txt');
    await scan();
    await agentRuns('add', 'x.txt');
    await scan();
    const { held } = staging;
    staging = new StagingWatcher(ledger, new GitCommandTracker(), new GitFiles());
    await scan(ledger.paths, path => held.get(path));
    expect(waiting('x.txt')).toHaveLength(2);
    await git(root, 'commit', '-qm', 'While nobody was there');
    staging = new StagingWatcher(ledger, new GitCommandTracker(), new GitFiles());
    await scan(ledger.paths, path => held.get(path));
    expect(waiting('x.txt')).toEqual([]);
  });

  it('decides nothing by a file in conflict, before the first commit, or by one that Git does not know', async () => {
    await git(root, 'checkout', '-qb', 'other');
    await writeFile(pathOf('x.txt'), 'other\n');
    await git(root, 'commit', '-qam', 'Other');
    await git(root, 'checkout', '-q', 'main');
    await agentWrites('x.txt');
    await agentWrites('new.txt', 'new\n', null);
    await scan();
    await git(root, 'stash', '-q');
    await writeFile(pathOf('x.txt'), 'main\n');
    await git(root, 'commit', '-qam', 'Main');
    await git(root, 'merge', '-q', 'other').catch(() => undefined);
    expect(await git(root, 'ls-files', '--unmerged')).toContain('x.txt');
    await scan();
    expect([waiting('x.txt').length, waiting('new.txt').length]).toEqual([2, 1]);

    await git(root, 'checkout', '-q', '--force', '--orphan', 'empty');
    await git(root, 'rm', '-rq', '--cached', '.');
    await scan();
    expect(waiting('new.txt')).toHaveLength(1);
    await git(root, 'add', 'new.txt');
    await scan();
    expect(waiting('new.txt')).toEqual([]);
  });

  it('tells when Git does not answer', async () => {
    await agentWrites('x.txt');
    staging = new StagingWatcher(ledger, gitTracker, new GitFiles(programAt(undefined)));
    await expect(scan()).rejects.toThrow('Git was not found on PATH');
  });
});

it.skipIf(process.platform === 'win32')('asks Git as often for 300 files as for one', async () => {
  const calls = join(root, '.git', 'calls');
  const program = join(root, '.git', 'counted.sh');
  await writeFile(program, `#!/bin/sh\necho >> '${calls}'\nexec git "$@"\n`, { mode: 0o755 });
  staging = new StagingWatcher(ledger, gitTracker, new GitFiles(programAt(program)));
  const names = Array.from({ length: 300 }, (_, at) => `some-file-with-a-name-${at}.txt`);
  for (const name of names) await writeFile(pathOf(name), before);
  await git(root, 'add', '.');
  await git(root, 'commit', '-qm', 'Many');
  const countOf = async (run: () => Promise<void>) => {
    await writeFile(calls, '');
    await run();
    return (await readFile(calls, 'utf8')).split('\n').length - 1;
  };
  await agentWrites(names[0]!);
  const first = await countOf(() => scan());
  for (const name of names.slice(1)) await agentWrites(name);
  expect(await countOf(() => scan())).toBe(first);
  await appendFile(pathOf('x.txt'), 'x\n');
  // Nothing has changed in Git: contents are not read again.
  expect(await countOf(() => scan())).toBe(2);
  await git(root, 'add', '.');
  expect(await countOf(() => scan())).toBe(3);
  expect(names.flatMap(waiting)).toEqual([]);
});
