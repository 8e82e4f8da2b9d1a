import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GitWorktrees } from '../../src/extension/node/git/gitWorktrees.ts';
import { ProgramFinder } from '../../src/extension/node/processes/programs.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import type { Worktree } from '../../src/protocol/worktree.ts';
import { makeDiskWorld } from '../support/diskWorld.ts';
import { eachTest } from '../support/eachTest.ts';
import { initRepository } from '../support/gitRepository.ts';

const { signal } = new AbortController();

describe.skipIf(process.platform === 'win32')('a session in a worktree', () => {
  const world = eachTest(() => makeDiskWorld());
  let worktree: Worktree;

  beforeEach(async () => {
    await initRepository(world.workspace, { 'a.txt': 'one\ntwo\nthree\n' });
    const worktrees = new GitWorktrees(join(world.workspace, '../worktrees'), new ProgramFinder(() => []));
    worktree = await worktrees.create(
      { folder: world.workspace, name: 'side', start: { kind: 'seen' }, copies: [] },
      signal,
    );
    // The journal of a session is made with its first turn.
    await world.turn('At home');
  });

  const read = (folder: string) => readFile(join(folder, 'a.txt'), 'utf8');
  const edit = (from: string, to: string) =>
    ['replace', { file_path: 'a.txt', instruction: 'i', old_string: from, new_string: to }] as const;
  const waiting = () => world.session.state.reviews.map(({ path, hunks }) => [path, hunks.length]);
  const move = async (place: Worktree | undefined) => {
    world.session.moveTo(place);
    await world.reopen();
  };

  test('what it brings home waits there for review, hunk by hunk, and no longer in the worktree', async () => {
    await move(worktree);
    await world.turn('Work', edit('one', 'ONE'));
    await world.turn('More', edit('three', 'THREE'));
    expect(waiting()).toEqual([[join(worktree.path, 'a.txt'), 2]]);
    const brought = await world.session.moveChanges('/worktree apply', { to: 'home', request: {} });
    expect(brought).toEqual([{ path: 'a.txt', result: 'changed' }]);
    const home = join(world.workspace, 'a.txt');
    expect(waiting()).toEqual([[home, 2]]);
    const [review] = world.session.state.reviews;
    await world.session.changes.ledger.reject({ path: home, hunkId: review!.hunks[0]!.id });
    expect(await read(world.workspace)).toBe('one\ntwo\nTHREE\n');
    expect(await read(worktree.path)).toBe('ONE\ntwo\nTHREE\n');
  });

  test('it moves there and back with all that was said, and tells the model', async () => {
    await move(worktree);
    expect(world.session.state).toMatchObject({
      folders: [worktree.path],
      worktree: { ...worktree, workspace: [world.workspace] },
    });
    await world.turn('There', edit('one', 'ONE'));
    expect(await read(world.workspace)).toBe('one\ntwo\nthree\n');
    world.session.changes.ledger.accept({});
    await move(undefined);
    await world.turn('Back', edit('two', 'TWO'));
    expect(await read(world.workspace)).toBe('one\nTWO\nthree\n');
    expect(world.session.state).toMatchObject({ folders: [world.workspace], worktree: undefined });
    const said = JSON.stringify(world.model.requests.at(-1)?.messages);
    for (const words of ['At home', 'works in the worktree side', 'own folders again'])
      expect(said).toContain(words);
  });

  test('there is a sentence where there is nothing to bring', async () => {
    await move(worktree);
    await world.turn('Look');
    expect(await world.session.moveChanges('/worktree apply', { to: 'home', request: {} })).toEqual([]);
    const [end] = world.events.filter(({ type }) => type === 'call.ended').slice(-1);
    expect(end).toMatchObject({ outcome: 'failed', display: { summary: 'There is nothing to bring home.' } });
  });

  test('the user brings changes home in every mode of the agent', async () => {
    await move(worktree);
    await world.turn('Work', edit('one', 'ONE'));
    world.session.setMode('plan');
    expect(await world.session.moveChanges('/worktree apply', { to: 'home', request: {} })).toMatchObject([
      { result: 'changed' },
    ]);
    expect(await read(world.workspace)).toBe('ONE\ntwo\nthree\n');
  });

  test('what changed on both sides stays as the user has it', async () => {
    await move(worktree);
    await world.turn('Work', edit('one', 'ONE'));
    await writeFile(join(world.workspace, 'a.txt'), 'uno\ntwo\nthree\n');
    expect(await world.session.moveChanges('/worktree apply', { to: 'home', request: {} })).toEqual([
      { path: 'a.txt', result: 'conflict' },
    ]);
    expect(await read(world.workspace)).toBe('uno\ntwo\nthree\n');
  });

  describe('updated from the files at home', () => {
    const home = () => world.session.moveChanges('/worktree apply', { to: 'home', request: {} });
    const update = () => world.session.moveChanges('/worktree update', { to: 'worktree' });
    const mine = (text: string) => writeFile(join(world.workspace, 'a.txt'), text);

    test('has both changes, and brings home only its own', async () => {
      await move(worktree);
      await world.turn('Work', edit('one', 'ONE'));
      await mine('one\ntwo\nTHREE\n');
      await writeFile(join(world.workspace, 'mine.txt'), 'mine\n');
      expect(await update()).toMatchObject([
        { path: 'a.txt', result: 'merged' },
        { path: 'mine.txt', result: 'created' },
      ]);
      expect(await read(worktree.path)).toBe('ONE\ntwo\nTHREE\n');
      const worktreeTransfer = world.session.worktreeTransfer!;
      const listed = await worktreeTransfer.listChanges({}, signal);
      expect(listed.map(file => worktreeTransfer.inTree(file))).toEqual(['a.txt']);
      expect(await home()).toEqual([{ path: 'a.txt', result: 'changed' }]);
      expect(await read(world.workspace)).toBe('ONE\ntwo\nTHREE\n');
    });

    test('marks a conflict with the name of each side, and brings none home before it is resolved', async () => {
      await move(worktree);
      await world.turn('Work', edit('one', 'ONE'));
      await mine('uno\ntwo\nthree\n');
      expect(await update()).toEqual([{ path: 'a.txt', result: 'conflict' }]);
      expect(await read(worktree.path)).toBe(
        `<<<<<<< the session (worktree side)\nONE\n=======\nuno\n>>>>>>> the user's own files\ntwo\nthree\n`,
      );
      expect(await home()).toEqual([{ path: 'a.txt', result: 'unresolved' }]);
      expect(await update()).toEqual([]);
      const resolved = { file_path: 'a.txt', content: 'UNO\ntwo\nthree\n' };
      await world.turn('Resolve', ['read_file', { file_path: 'a.txt' }], ['write_file', resolved]);
      expect(await home()).toEqual([{ path: 'a.txt', result: 'changed' }]);
      expect(await read(world.workspace)).toBe('UNO\ntwo\nthree\n');
    });

    test('forgets the update with a rewind, so that the own changes of the user are never taken back', async () => {
      await move(worktree);
      await world.turn('Work', edit('one', 'ONE'));
      await mine('one\ntwo\nTHREE\n');
      await update();
      await world.reopen();
      const prompt = world.session.state.chapters[0]!;
      const turns = [...iterate(prompt.items)].filter(item => item.type === 'prompt');
      await world.session.rewind({ kind: 'turn', turnId: turns.at(-1)!.id }, 'files');
      expect(await read(worktree.path)).toBe('ONE\ntwo\nthree\n');
      expect(await home()).toEqual([{ path: 'a.txt', result: 'merged' }]);
      expect(await read(world.workspace)).toBe('ONE\ntwo\nTHREE\n');
    });

    test('leaves what one side deleted and the other changed to both', async () => {
      await move(worktree);
      await world.turn('Work', edit('one', 'ONE'));
      await rm(join(world.workspace, 'a.txt'));
      expect(await update()).toEqual([{ path: 'a.txt', result: 'apart' }]);
      expect(await read(worktree.path)).toBe('ONE\ntwo\nthree\n');
      expect(await home()).toEqual([{ path: 'a.txt', result: 'conflict' }]);
    });
  });
});
