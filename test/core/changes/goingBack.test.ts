import { spawnSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckpointedFolder, type Tree } from '../../support/checkpointedFolder.ts';
import { FakeVersionControl } from '../../support/fakeVersionControl.ts';
import { git, initRepository } from '../../support/gitRepository.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

const names = ['a.txt', 'b.txt', 'c.bin', 'deep/d.txt', 'deep/e.txt'];
const contents = [
  '',
  'one\n',
  'one\ntwo\n',
  'one\r\ntwo\r\n',
  'one\r\ntwo\nthree',
  '\ufeffone\ntwo\n',
  Buffer.from('\ufeffone\n', 'utf16le'),
  Buffer.from([0, 1, 2, 255]),
  Buffer.from([0xc3, 0x28]),
].map(content => Buffer.from(content));

type Action =
  | { readonly kind: 'write'; readonly name: string; readonly content: Buffer }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'move'; readonly name: string; readonly to: string }
  | { readonly kind: 'git'; readonly args: readonly string[] };
type Step =
  | { readonly by: 'agent'; readonly name: string; readonly content: Buffer | null }
  | { readonly by: 'command'; readonly actions: readonly Action[] }
  | { readonly by: 'prompt' }
  | { readonly by: 'rewind'; readonly share: number };

const name = fc.constantFrom(...names);
const content = fc.constantFrom(...contents);
const gitAction = fc.constantFrom(
  ['add', '--all'],
  ['commit', '--quiet', '--all', '--message=more'],
  ['stash', '--quiet', '--include-untracked'],
  ['reset', '--quiet', '--hard', 'HEAD~1'],
);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, content }),
  fc.record({ kind: fc.constant('delete' as const), name }),
  fc.record({ kind: fc.constant('move' as const), name, to: name }),
  fc.record({ kind: fc.constant('git' as const), args: gitAction }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ by: fc.constant('agent' as const), name, content: fc.option(content) }),
  fc.record({
    by: fc.constant('command' as const),
    actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ by: fc.constant('prompt' as const) }),
  fc.record({ by: fc.constant('rewind' as const), share: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
);

async function act(folder: CheckpointedFolder, action: Action): Promise<void> {
  // Nothing to commit, archived or go back to is no failure.
  if (action.kind === 'git') return void (await git(folder.root, ...action.args).catch(() => ''));
  const path = folder.path(action.name);
  const exists = (await folder.files.stat(path)) !== undefined;
  if (action.kind === 'write') {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, action.content);
  } else if (action.kind === 'delete') {
    await rm(path, { force: true });
  } else if (exists) {
    await mkdir(dirname(folder.path(action.to)), { recursive: true });
    await rename(path, folder.path(action.to));
  }
}

/** A session in one folder; every prompt remembers how the folder looked. */
class Play {
  private readonly folder: CheckpointedFolder;
  private readonly places: { readonly seq: number; readonly tree: Tree }[] = [];

  constructor(folder: CheckpointedFolder) {
    this.folder = folder;
  }

  async prompt(): Promise<void> {
    const tree = await this.folder.tree();
    this.places.push({ seq: this.folder.beginTurn(), tree });
  }

  async take(step: Step): Promise<void> {
    switch (step.by) {
      case 'agent':
        return this.folder.agentWrites(step.name, step.content);
      case 'command':
        await this.folder.command(async () => {
          for (const each of step.actions) await act(this.folder, each);
        });
        return;
      case 'prompt':
        return this.prompt();
      case 'rewind':
        return this.checkBack(Math.floor(step.share * this.places.length));
    }
  }

  async checkAll(): Promise<void> {
    for (const index of this.places.keys()) {
      const before = await this.folder.tree();
      const undoFrom = this.folder.events.length;
      await this.checkBack(index);
      await this.folder.restoreTo(undoFrom);
      expect(await this.folder.tree()).toEqual(before);
    }
  }

  private async checkBack(index: number): Promise<void> {
    const place = this.places[index]!;
    await this.folder.restoreTo(place.seq);
    expect(await this.folder.tree()).toEqual(place.tree);
  }
}

async function playAll(folder: CheckpointedFolder, steps: readonly Step[]): Promise<void> {
  try {
    const play = new Play(folder);
    await play.prompt();
    for (const each of steps) await play.take(each);
    await play.checkAll();
  } finally {
    await folder.dispose();
  }
}

describe('going back, when nobody but Folio writes', () => {
  test.skipIf(!hasGit)(
    'under git, any place is byte for byte what it was, whatever commands did',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
          const folder = await CheckpointedFolder.make();
          await initRepository(folder.root, { 'a.txt': 'a\r\n', 'b.txt': 'b' });
          await writeFile(folder.path('b.txt'), 'dirty');
          await playAll(folder, steps);
        }),
        { numRuns: runSize({ test: 2, prove: 150 }) },
      );
    },
  );

  test('without git, any place is what it was, whatever the agent did', async () => {
    const ownSteps = step.filter(({ by }) => by !== 'command');
    await fc.assert(
      fc.asyncProperty(fc.array(ownSteps, { maxLength: 15 }), async steps => {
        const folder = await CheckpointedFolder.make(new FakeVersionControl());
        await writeFile(folder.path('a.txt'), 'a\r\n');
        await playAll(folder, steps);
      }),
      { numRuns: runSize({ test: 4, prove: 400 }) },
    );
  });
});
