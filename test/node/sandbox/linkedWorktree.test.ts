import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { NodeProcesses } from '../../../src/extension/node/processes/nodeProcesses.ts';
import { BubblewrapSandbox } from '../../../src/extension/node/sandbox/bubblewrapSandbox.ts';
import { findLinkedWorktreePaths } from '../../../src/extension/node/sandbox/linkedWorktree.ts';
import { runWithSandboxRetries } from '../../../src/extension/platform/sandbox.ts';
import { eachTest } from '../../support/eachTest.ts';
import { mustHaveSandbox, noGrants } from '../../support/sandboxWorld.ts';

/** A repository with branches, and a worktree of it, which is the workspace. */
class WorktreeWorld {
  private readonly root: string;
  private readonly processes = new NodeProcesses({ ...process.env });
  private readonly sandbox: BubblewrapSandbox;
  readonly home: string;
  readonly worktree: string;

  static async make(): Promise<WorktreeWorld> {
    const caches = join(homedir(), '.cache');
    mkdirSync(caches, { recursive: true });
    return new WorktreeWorld(await realpath(await mkdtemp(join(caches, 'folio-linked-'))));
  }

  private constructor(root: string) {
    this.root = root;
    [this.home, this.worktree] = [join(root, 'main'), join(root, 'wt')];
    mkdirSync(this.home);
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.email', 'ann@example.com');
    this.git('config', 'user.name', 'Ann');
    writeFileSync(join(this.home, 'a.txt'), 'a\n');
    this.git('add', '.');
    this.git('commit', '-qm', 'First');
    this.git('branch', 'packed');
    this.git('pack-refs', '--all');
    this.git('branch', 'loose');
    this.git('branch', 'team/loose');
    this.git('worktree', 'add', '-q', '--detach', '--lock', this.worktree);
    this.sandbox = new BubblewrapSandbox({
      folders: () => [this.worktree],
      home: join(root, 'user'),
      instructionNames: () => [],
      holdsSecrets: () => false,
    });
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  async run(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
    return await runWithSandboxRetries(
      () => this.sandbox.contain({ grants: noGrants, background: false }),
      async sandboxed => {
        const running = this.processes.start({ command: line, cwd: this.worktree, env: {}, sandboxed });
        let output = '';
        running.onDidWrite(text => {
          output += text;
        });
        const { code } = await running.exit;
        return { code, output, report: await sandboxed.leave() };
      },
    );
  }

  /** All that belongs to the user: configuration, hooks, other branches and their checkout. */
  kept(): string {
    const files = ['config', 'HEAD', 'index', 'packed-refs', 'worktrees/wt/commondir', 'worktrees/wt/gitdir'];
    const texts = files.map(file => readFileSync(join(this.home, '.git', file), 'latin1'));
    const refs = this.git(
      'for-each-ref',
      'refs/heads/main',
      'refs/heads/packed',
      'refs/heads/loose',
      'refs/heads/team/loose',
    );
    const hooks = execFileSync('ls', ['-lR', join(this.home, '.git', 'hooks')], { encoding: 'utf8' });
    return [...texts, refs, hooks].join('\n');
  }

  async dispose(): Promise<void> {
    await this.sandbox.dispose();
    await rm(this.root, { recursive: true, force: true });
  }
}

describe('a sandboxed command in a linked worktree', () => {
  beforeAll(mustHaveSandbox);
  const world = eachTest(() => WorktreeWorld.make());

  it('commits, on no branch and on one of its own', async () => {
    const before = world.kept();
    const commit = 'echo b >> a.txt && git add . && git commit -qm Second';
    expect(await world.run(`${commit} && git log --format=%s`)).toEqual({
      ...{ code: 0, output: 'Second\nFirst\n' },
      report: expect.anything(),
    });
    expect(await world.run(`git checkout -qb own && ${commit}`)).toMatchObject({ code: 0, output: '' });
    // It is checked out here by now, so it moves.
    expect(await world.run(`${commit} && git commit -q --amend -m Third`)).toMatchObject({
      code: 0,
      output: '',
    });
    expect(await world.run('git checkout -qb team/own && git commit -q --allow-empty -m x')).toMatchObject({
      code: 0,
    });
    expect(world.git('log', '--format=%s', 'own')).toBe('Third\nSecond\nSecond\nFirst\n');
    expect(world.git('reflog', 'own').split('\n').length).toBeGreaterThan(2);
    expect(world.kept()).toBe(before);
    world.git('fsck', '--strict');
  });

  it.each([
    ['hooks', 'echo echo ESCAPED > $G/hooks/pre-commit; mv $G/hooks $G/h2'],
    [
      'configuration',
      'git config core.hooksPath evil; echo "[core] hooksPath = evil" >> $G/config; mv x $G/config',
    ],
    ['configuration of the worktree', 'echo "[core] hooksPath = evil" > $W/config.worktree'],
    [
      'where the repository lies',
      'echo /evil > $W/commondir; echo /evil > $W/gitdir; echo /evil > .git; rm $W/commondir',
    ],
    ['a submodule’s hooks', 'mkdir -p $W/modules/sub/hooks; echo x > $W/modules/sub/hooks/pre-commit'],
    [
      'the checked-out branch',
      'git branch -f main HEAD; git update-ref refs/heads/main HEAD; echo evil > $G/refs/heads/main',
    ],
    [
      'the checked-out branch, named as its own',
      'git symbolic-ref HEAD refs/heads/main; git commit -q --allow-empty -m evil',
    ],
    ['packed branches', 'git branch -f packed HEAD; git branch -D packed; rm $G/packed-refs'],
    [
      'loose branches',
      'git branch -f loose HEAD; git branch -D loose team/loose; rm -rf $G/refs/heads/loose $G/refs/heads/team',
    ],
    ['reflogs of others', 'rm -rf $G/logs/HEAD $G/logs/refs/heads/main'],
    ['packs and alternates', 'rm -rf $G/objects/pack; echo /evil > $G/objects/info/alternates'],
    ['tags and stash', 'git tag evil; git stash; git notes add -m x'],
    ['the worktree’s lock', 'rm $W/locked; git worktree unlock .'],
  ])('changes nothing of the user’s: %s', async (_, line) => {
    const before = world.kept();
    const all = `G=${world.home}/.git; W=$G/worktrees/wt; git commit -q --allow-empty -m x; cp a.txt x; ${line}`;
    await world.run(all);
    // What one command left must not open more for the next.
    await world.run(all);
    expect(world.kept()).toBe(before);
    const found = execFileSync(
      'sh',
      [
        '-c',
        `grep -rl 'evil' ${world.home}/.git --include=config* --include=alternates --include=main || true; ls ${world.home}/.git/worktrees/wt`,
      ],
      { encoding: 'utf8' },
    );
    expect(found).not.toContain('main/.git');
    expect(found).not.toMatch(/modules|config/);
    expect(found).toContain('locked');
    expect(world.git('tag')).toBe('');
  });

  it('gets nothing of a repository that does not name the worktree', async () => {
    const gitdir = join(world.home, '.git', 'worktrees', 'wt');
    const other = join(world.worktree, 'sub');
    mkdirSync(other);
    writeFileSync(join(other, '.git'), `gitdir: ${gitdir}\n`);
    expect((await findLinkedWorktreePaths(world.worktree)).writable).toContain(gitdir);
    expect(await findLinkedWorktreePaths(other)).toMatchObject({ writable: [] });
    expect(await findLinkedWorktreePaths(world.home)).toMatchObject({ writable: [] });
  });

  it('works from a folder within the worktree, too', async () => {
    mkdirSync(join(world.worktree, 'packages'));
    expect((await findLinkedWorktreePaths(join(world.worktree, 'packages'))).writable).toContain(
      join(world.home, '.git', 'objects'),
    );
  });
});
