/*
 * Random operations in a repository and its `GitWorktrees`, some of them killed, compared with a model of every working
 * tree. Git itself is not modelled: after a Git command the model is read from the tree it ran in, and all other trees
 * must be unchanged.
 */

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Worktree } from '../../src/protocol/worktree.ts';
import { git } from './gitRepository.ts';
import { type OwnOperation, type OwnResult, runOwnOperation } from './ownOperation.ts';
import {
  allOf,
  differing,
  expectEqual,
  expectSame,
  type Files,
  joined,
  put,
  readTree,
  slotsOf,
  textOf,
  withFile,
  withoutIgnored,
} from './treeModel.ts';

interface Tree {
  readonly worktree: Worktree;
  files: Files;
  /** Files at the last time they were brought home. */
  brought: Files;
}

/** Kills Git, or the host that runs it, at one call of Git. */
interface Kill {
  readonly victim: 'git' | 'host';
  /** Counts from 1. */
  readonly at: number;
  readonly moment: 'before' | 'amid' | 'after';
}

const fileNames = ['a.txt', 'b.txt', 'sub/c.txt', 'new.txt', 'own.log'] as const;
const maxWorktrees = 3;

export class WorktreePlay {
  /** Log of operations, for failures. */
  readonly steps: string[] = [];
  kills = 0;
  private readonly root: string;
  private readonly folder: string;
  private readonly chance: () => number;
  private readonly trees: Tree[] = [];
  private home: Files = new Map();
  private number = 0;

  /** @param folder absolute path for files outside the repository */
  constructor(root: string, folder: string, chance: () => number) {
    this.root = root;
    this.folder = folder;
    this.chance = chance;
  }

  async begin(): Promise<void> {
    await mkdir(join(this.root, 'sub'), { recursive: true });
    for (const name of ['a.txt', 'b.txt', 'sub/c.txt'])
      await writeFile(join(this.root, name), textOf('top', 'bottom'));
    await writeFile(join(this.root, '.gitignore'), '*.log\n');
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.invalid'],
    ] as const)
      await git(this.root, 'config', key, value);
    await git(this.root, 'add', '--all');
    await git(this.root, 'commit', '--quiet', '--message=begin');
    this.home = await readTree(this.root);
    await this.makeStandIn();
  }

  async step(): Promise<void> {
    await this.pick([
      [5, () => this.edit()],
      [6, () => this.useGit()],
      [3, () => this.tidy()],
      [2, () => this.create()],
      [3, () => this.bring()],
      [3, () => this.update()],
      [2, () => this.markOne()],
      [1, () => this.makeBranch()],
      [1, () => this.remove()],
    ]);
  }

  /** Checks at the end that nothing is lost or broken. */
  async end(): Promise<void> {
    await this.checkHeld();
    const { status, stderr, stdout } = spawnSync('git', ['fsck', '--connectivity-only', '--no-dangling'], {
      cwd: this.root,
      encoding: 'utf8',
    });
    if (status !== 0 || /missing|broken/.test(stdout + stderr)) throw new Error(`fsck: ${stdout}${stderr}`);
    while (this.trees.length > 0) await this.remove();
  }

  /** Writes files as the user, or as the agent in a worktree. */
  private async edit(): Promise<void> {
    const tree = this.anyTree();
    const place = tree?.worktree.path ?? this.root;
    const name = this.one(fileNames);
    const [top, bottom] = slotsOf((tree?.files ?? this.home).get(name) ?? textOf('top', 'bottom'));
    const word = `v${++this.number}`;
    const text = this.chance() < 0.5 ? textOf(word, bottom) : textOf(top, word);
    const isDeleted = this.chance() < 0.15;
    this.steps.push(`${isDeleted ? 'delete' : 'write'} ${name} in ${tree?.worktree.name ?? 'home'}`);
    await this.foreign(tree, async () => {
      if (isDeleted) await rm(join(place, name), { force: true });
      else {
        await mkdir(dirname(join(place, name)), { recursive: true });
        await writeFile(join(place, name), text);
      }
    });
  }

  /** Runs Git commands that change their working tree. */
  private async useGit(): Promise<void> {
    const tree = this.anyTree();
    const branch = `b${Math.floor(this.chance() * 4)}`;
    const quiet = ['-c', 'core.editor=true', '-c', 'merge.conflictStyle=merge'];
    const commands = this.one([
      [['add', '--all']],
      [
        ['add', '--all'],
        ['commit', '--quiet', '--message=work'],
      ],
      [['stash', 'push', '--include-untracked']],
      [['stash', 'pop']],
      [['checkout', '-B', branch]],
      [['checkout', branch]],
      [
        ['rebase', branch],
        ['rebase', '--abort'],
      ],
      [['branch', '-D', branch]],
      [['clean', '-fd']],
      [['reset', '--hard']],
      [
        ['merge', '--no-edit', branch],
        ['merge', '--abort'],
      ],
    ] as const);
    this.steps.push(`git ${commands.map(args => args.join(' ')).join('; ')} in ${nameOf(tree)}`);
    await this.foreign(tree, async () => {
      // Git may refuse commands.
      for (const args of commands)
        await git(tree?.worktree.path ?? this.root, ...quiet, ...args).catch(() => '');
    });
  }

  /** Runs Git commands that prune unused data, which must not affect worktrees. */
  private async tidy(): Promise<void> {
    const tree = this.trees.length > 0 ? this.one(this.trees) : undefined;
    const command = this.one([
      ['gc', '--quiet', '--prune=now'],
      ['reflog', 'expire', '--expire=all', '--all'],
      ['worktree', 'prune', '--expire=now'],
      ['prune', '--expire=now'],
      ['pack-refs', '--all', '--prune'],
      ...(tree
        ? ([
            ['worktree', 'lock', tree.worktree.path],
            ['worktree', 'unlock', tree.worktree.path],
          ] as const)
        : []),
    ] as const);
    this.steps.push(`git ${command.join(' ')}`);
    await this.foreign('none', () => git(this.root, ...command).catch(() => ''));
    await this.checkHeld();
  }

  private async create(): Promise<void> {
    if (this.trees.length >= maxWorktrees) return;
    const name = `tree${++this.number}`;
    const start = this.chance() < 0.7 ? 'seen' : 'head';
    const operation = { kind: 'create', name, start } as const;
    let made = await this.own(operation);
    if (!made.done) {
      // Leftovers can be removed, which frees the name.
      const { done: listed } = await this.own({ kind: 'list' }, 'safe');
      if (listed?.names?.includes(name)) await this.own({ kind: 'remove', name }, 'safe');
      made = await this.own(operation, 'safe');
    }
    const worktree = made.done?.worktree;
    if (!worktree) throw new Error('There is no worktree after a second try.');
    const files = await readTree(worktree.path);
    if (start === 'seen') expectSame(files, withoutIgnored(this.home), 'a new worktree');
    this.trees.push({ worktree, files, brought: files });
  }

  private async bring(): Promise<void> {
    const tree = this.anyOwn();
    if (!tree) return;
    const expected = this.expectHome(tree);
    const operation = { kind: 'bring', worktree: tree.worktree } as const;
    const { done } = await this.own(operation, 'killed', 'home');
    if (!done) {
      const between = await readTree(this.root);
      for (const [path, text] of allOf(between, this.home, expected.home)) {
        if (text !== this.home.get(path) && text !== expected.home.get(path))
          throw new Error(`${path} is neither as before nor as after.`);
      }
      await this.own(operation, 'safe', 'home');
    }
    this.home = await readTree(this.root);
    expectSame(this.home, expected.home, 'home');
    tree.brought = expected.brought;
    await this.checkHeld();
  }

  /** Merges changes of the home into the worktree, with conflict markers there. */
  private async update(): Promise<void> {
    const tree = this.anyOwn();
    if (!tree) return;
    const { path, name } = tree.worktree;
    const operation = { kind: 'update', worktree: tree.worktree } as const;
    const { done } = await this.own(operation, 'killed', name);
    const before = tree.files;
    const between = done ? before : await readTree(path);
    // Repeating a killed update gives the same result.
    if (!done) await this.own(operation, 'safe', name);
    tree.files = await readTree(path);
    const brought = new Map(tree.brought);
    for (const file of differing(withoutIgnored(this.home), tree.brought)) {
      const [base, home, own, half] = [tree.brought, this.home, before, between].map(files =>
        files.get(file),
      );
      const text = tree.files.get(file);
      const expected = isMarked(own) ? own : joined(base, own, home);
      if (expected !== 'conflict') {
        if (text !== expected) throw new Error(`${file} in ${name} is ${text}, not ${expected}.`);
      } else if (own !== undefined && home !== undefined) {
        const words = slotsOf(own).flatMap((word, at) => [word, slotsOf(home)[at]!]);
        const isBoth = isMarked(text) && words.some(word => text?.includes(word));
        if (!isBoth) throw new Error(`${file} in ${name} is ${text}, without both sides.`);
      } else if (text !== own) throw new Error(`${file} in ${name} is ${text}, not ${own}.`);
      const isApart = expected === 'conflict' && (own === undefined || home === undefined);
      // One that was marked before counts as brought once the user has it.
      if (!isMarked(own) && !isMarked(half) && !isApart) put(brought, file, home);
    }
    tree.brought = brought;
    await this.checkHeld();
  }

  /** Resolves a conflict as the user. */
  private async markOne(): Promise<void> {
    const tree = this.anyOwn();
    const changed = tree && differing(withoutIgnored(tree.files), tree.brought);
    if (!changed || changed.length === 0) return;
    const path = this.one(changed);
    const operation = { kind: 'mark', worktree: tree.worktree, path } as const;
    if (!(await this.own(operation)).done) await this.own(operation, 'safe');
    tree.brought = withFile(tree.brought, path, tree.files.get(path));
    await this.checkHeld();
  }

  private async makeBranch(): Promise<void> {
    const tree = this.anyOwn();
    if (!tree) return;
    const branch = `made${++this.number}`;
    const operation = { kind: 'branch', worktree: tree.worktree, branch } as const;
    const { done } = await this.own(operation, 'killed', branch);
    const isThere = await git(this.root, 'rev-parse', '--verify', '--quiet', branch).then(
      () => true,
      () => false,
    );
    if (!done && !isThere) await this.own(operation, 'safe', branch);
    const listed = await git(this.root, 'ls-tree', '-r', '-z', '--name-only', branch);
    const held = new Map<string, string>();
    for (const path of listed.split('\0').filter(Boolean))
      held.set(path, await git(this.root, 'show', `${branch}:${path}`));
    expectSame(held, withoutIgnored(tree.files), branch);
  }

  private async remove(): Promise<void> {
    const tree = this.anyOwn();
    if (!tree) return;
    const { name, path } = tree.worktree;
    this.trees.splice(this.trees.indexOf(tree), 1);
    if (!(await this.own({ kind: 'remove', name })).done) await this.own({ kind: 'remove', name }, 'safe');
    const { done } = await this.own({ kind: 'list' }, 'safe');
    if (done?.names?.includes(name)) throw new Error(`${name} is still listed.`);
    const left = await readdir(path).catch(() => undefined);
    if (left) throw new Error(`${name} left ${left.join()}.`);
    const refs = await git(this.root, 'for-each-ref', `refs/folio/worktrees/${name}`);
    if (refs !== '') throw new Error(`${name} left ${refs}.`);
  }

  /** The three states of each file, by two lines that are joined separately. */
  private expectHome(tree: Tree): { readonly home: Files; readonly brought: Files } {
    const home = new Map(this.home);
    const brought = new Map(tree.brought);
    const theirs = withoutIgnored(tree.files);
    for (const path of differing(theirs, tree.brought)) {
      if (isMarked(theirs.get(path))) continue;
      const result = joined(tree.brought.get(path), this.home.get(path), theirs.get(path));
      if (result === 'conflict') continue;
      put(home, path, result);
      put(brought, path, theirs.get(path));
    }
    return { home, brought };
  }

  /** Checks that each worktree lists the files that differ, by the model, from those brought home. */
  private async checkHeld(): Promise<void> {
    for (const tree of this.trees) {
      const { done } = await this.own({ kind: 'changes', worktree: tree.worktree }, 'safe');
      const expected = differing(withoutIgnored(tree.files), tree.brought);
      const listed = [...(done?.names ?? [])].sort();
      if (listed.join() !== [...expected].sort().join())
        throw new Error(`${nameOf(tree)} holds ${expected.join()}, and lists ${listed.join()}.`);
    }
  }

  /** Runs an operation that is not Folio's in one tree. */
  private async foreign(actor: Tree | undefined | 'none', work: () => Promise<unknown>): Promise<void> {
    const before = await this.scan();
    await work();
    if (actor === undefined) this.home = await readTree(this.root);
    else if (actor !== 'none') actor.files = await readTree(actor.worktree.path);
    const after = await this.scan();
    for (const [name, state] of before)
      if (name !== (actor === 'none' ? '' : nameOf(actor)) && name !== 'refs')
        expectEqual(after.get(name), state, name);
  }

  /**
   * Runs an operation of Folio, and checks that nothing else changes in Git and files.
   * @param how `killed`: may be killed. @param except `home`: its files may change; a branch: it may be new
   */
  private async own(
    operation: OwnOperation,
    how: 'safe' | 'killed' = 'killed',
    except?: string,
  ): Promise<{ readonly done?: OwnResult }> {
    const kill = how === 'killed' && this.chance() < 0.5 ? this.anyKill() : undefined;
    const said = kill ? `, ${kill.victim} killed ${kill.moment} git ${kill.at}` : '';
    this.steps.push(`${describeOperation(operation)}${said}`);
    const before = await this.scan();
    const done = kill
      ? await this.runKilled(operation, kill)
      : await runOwnOperation(operation, this.root, this.folder);
    const after = await this.scan(except);
    const acted =
      'worktree' in operation ? operation.worktree.name : 'name' in operation ? operation.name : '';
    for (const [name, state] of before) {
      if (operation.kind === 'remove' && name === acted) continue;
      if (operation.kind === 'update' && name === acted) {
        expectEqual(after.get(name)?.index, state.index, 'the index');
        continue;
      }
      if (except === 'home' && name === 'home') {
        expectEqual(after.get(name)?.index, state.index, 'the index');
        continue;
      }
      expectEqual(after.get(name), state, name);
    }
    return { done };
  }

  private anyKill(): Kill {
    return {
      victim: this.one(['git', 'host']),
      at: 1 + Math.floor(this.chance() * 9),
      moment: this.one(['before', 'amid', 'after']),
    };
  }

  /** Runs an operation in its own process, with a Git that kills. */
  private async runKilled(operation: OwnOperation, kill: Kill): Promise<OwnResult | undefined> {
    const count = join(this.folder, 'count');
    await writeFile(count, '0');
    const env = {
      ...process.env,
      PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`,
      PLAY_COUNT: count,
      PLAY_AT: String(kill.at),
      PLAY_VICTIM: kill.victim,
      PLAY_MOMENT: kill.moment,
    };
    const script = join(import.meta.dirname, 'ownOperation.ts');
    const args = [script, JSON.stringify([operation, this.root, this.folder])];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, error] = ['', ''];
    child.stdout.on('data', text => (out += text));
    child.stderr.on('data', text => (error += text));
    const code = await new Promise<number | null>(resolve => child.on('close', resolve));
    const isKilled = Number(await readFile(count, 'utf8')) >= kill.at;
    if (isKilled) this.kills += 1;
    // A killed Git leaves locks that a user would have to remove, too.
    if (isKilled) await removeLocks(join(this.root, '.git'));
    if (code === 0) return JSON.parse(out) as OwnResult;
    if (!isKilled) throw new Error(`It failed without a kill: ${error}`);
    return undefined;
  }

  private async makeStandIn(): Promise<void> {
    const real = spawnSync('which', ['git'], { encoding: 'utf8' }).stdout.trim();
    const bin = join(this.folder, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'git'), standIn(real));
    await chmod(join(bin, 'git'), 0o755);
  }

  /** Reads everything that Folio must not change, without Git where possible. */
  private async scan(exceptBranch?: string): Promise<ReadonlyMap<string, TreeState>> {
    const states = new Map<string, TreeState>();
    const refs = await git(this.root, 'for-each-ref', '--format=%(refname) %(objectname)');
    const kept = refs
      .split('\n')
      .filter(line => !line.startsWith('refs/folio/') && !line.startsWith(`refs/heads/${exceptBranch} `));
    const stash = await readFile(join(this.root, '.git/logs/refs/stash'), 'utf8').catch(() => '');
    states.set('refs', { files: kept.join('\n'), index: hash(stash), head: '' });
    states.set('home', await stateOf(this.root, join(this.root, '.git')));
    for (const { worktree } of this.trees) {
      const { name, path } = worktree;
      states.set(name, await stateOf(path, join(this.root, '.git/worktrees', name)));
    }
    return states;
  }

  private anyTree(): Tree | undefined {
    return this.chance() < 0.4 ? undefined : this.anyOwn();
  }

  private anyOwn(): Tree | undefined {
    return this.trees.length > 0 ? this.one(this.trees) : undefined;
  }

  private one<T>(all: readonly T[]): T {
    return all[Math.floor(this.chance() * all.length)]!;
  }

  private async pick(weighted: readonly (readonly [number, () => Promise<void>])[]): Promise<void> {
    const total = weighted.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.chance() * total;
    for (const [weight, run] of weighted) {
      left -= weight;
      if (left < 0) return await run();
    }
  }
}

interface TreeState {
  readonly files: string;
  readonly index: string;
  readonly head: string;
}

async function stateOf(root: string, gitFolder: string): Promise<TreeState> {
  const files = [...(await readTree(root))].map(
    ([path, text]) => `${path}: ${slotsOf(`${text}\n\n`)[0]} ${hash(text)}`,
  );
  const index = await readFile(join(gitFolder, 'index')).catch(() => Buffer.from(''));
  const head = await readFile(join(gitFolder, 'HEAD'), 'utf8');
  return { files: files.sort().join('\n'), index: hash(index), head };
}

function isMarked(text: string | undefined): boolean {
  return text?.includes('<<<<<<<') ?? false;
}

function nameOf(tree: Tree | undefined): string {
  return tree?.worktree.name ?? 'home';
}

function describeOperation(operation: OwnOperation): string {
  const { kind, ...rest } = operation;
  const name = 'worktree' in rest ? rest.worktree.name : 'name' in rest ? rest.name : '';
  return `${kind} ${name} ${'path' in rest ? rest.path : ''}`.trim();
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

async function removeLocks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.lock')) await rm(join(entry.parentPath, entry.name));
}

/** Returns a Git wrapper that kills itself, or its host, at one of its calls. */
function standIn(real: string): string {
  return `#!/bin/sh
count=$(($(cat "$PLAY_COUNT") + 1))
echo $count > "$PLAY_COUNT"
[ $count = "$PLAY_AT" ] || exec ${real} "$@"
victim=$$
[ "$PLAY_VICTIM" = git ] || victim=$PPID
case "$PLAY_MOMENT" in
  before) kill -9 $victim; exit 1 ;;
  after) ${real} "$@"; kill -9 $victim; exit 1 ;;
  amid)
    ${real} "$@" <&0 &
    run=$!
    sleep 0.002
    kill -9 $run
    kill -9 $victim; exit 1 ;;
esac
`;
}
