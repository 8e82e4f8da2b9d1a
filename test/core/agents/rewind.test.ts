import { describe, expect, it, onTestFinished } from 'vitest';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { newestChapter, type SessionState } from '../../../src/protocol/state.ts';
import { type DiskWorld, makeDiskWorld, type ScriptedCall } from '../../support/diskWorld.ts';

async function newWorld(): Promise<DiskWorld> {
  const world = await makeDiskWorld();
  onTestFinished(() => world.dispose());
  return world;
}

const topic: ScriptedCall = ['create_new_topic', { title: 'Sending out' }];
const send: ScriptedCall = ['invoke_agent', { agent_name: 'generalist', prompt: 'Write it' }];
const write = (file_path: string, content: string): ScriptedCall => ['write_file', { file_path, content }];
const shell = (command: string): ScriptedCall => ['run_shell_command', { command }];
const done: ScriptedCall = ['complete_task', { result: 'Written.' }];

function promptsOf(state: SessionState) {
  const items = state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
  return items.flatMap(item => (item.type === 'prompt' ? [{ kind: 'turn', turnId: item.id } as const] : []));
}

describe('what an agent wrote', () => {
  it('belongs to the chapter that sent it out and waits for review there', async () => {
    const world = await newWorld();
    await world.turn('one', topic, send, write('a.txt', 'a\n'), done);
    const { state } = world.session;
    expect(newestChapter(state).title).toBe('Sending out');
    expect(newestChapter(state).files).toEqual([{ path: 'a.txt', added: 1, removed: 0 }]);
    expect(state.reviews).toMatchObject([{ path: expect.stringContaining('a.txt'), change: 'created' }]);
    const { hunks } = state.reviews[0]!;
    expect(hunks.flatMap(({ chapterIds }) => chapterIds)).toEqual([newestChapter(state).id]);
  });

  it.skipIf(process.platform === 'win32')(
    'and what its commands wrote is put back by a rewind, and comes back when that is undone',
    async () => {
      const world = await newWorld();
      await world.turn('one', write('a.txt', 'one\n'));
      await world.turn(
        'two',
        send,
        write('a.txt', 'two\n'),
        write('b.txt', 'b\n'),
        shell('echo three > a.txt'),
        done,
      );
      expect(await world.readFiles()).toEqual({ 'a.txt': 'three\n', 'b.txt': 'b\n' });
      await world.session.rewind(promptsOf(world.session.state)[1]!, 'both');
      expect(await world.readFiles()).toEqual({ 'a.txt': 'one\n' });
      await world.reopen();
      await world.session.undoRewind();
      expect(await world.readFiles()).toEqual({ 'a.txt': 'three\n', 'b.txt': 'b\n' });
    },
  );

  it.skipIf(process.platform === 'win32')(
    'goes back with its call, tools and commands alike, and nothing that others wrote since',
    async () => {
      const world = await newWorld();
      await world.turn('one', write('a.txt', 'one\n'), write('kept.txt', 'kept\n'));
      await world.turn('two', send, write('a.txt', 'two\n'), shell('echo b > b.txt'), done);
      await world.turn('three', write('kept.txt', 'later\n'));
      const items = world.session.state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
      const sent = items.find(item => item.type === 'call' && item.agent);
      const to = { kind: 'call', callId: sent!.id } as const;
      expect((await world.session.previewRewind(to)).map(({ path }) => path).toSorted()).toEqual([
        'a.txt',
        'b.txt',
      ]);
      await world.reopen();
      await world.session.rewind(to, 'files');
      expect(await world.readFiles()).toEqual({ 'a.txt': 'one\n', 'kept.txt': 'later\n' });
      await world.session.undoRewind();
      expect(await world.readFiles()).toEqual({ 'a.txt': 'two\n', 'b.txt': 'b\n', 'kept.txt': 'later\n' });
    },
  );

  it('is told by its journal as it was live, also after a resume', async () => {
    const world = await newWorld();
    await world.turn('one', send, write('a.txt', 'a\n'), done);
    const { state } = world.session;
    await world.reopen();
    expect(world.session.state.chapters).toEqual(state.chapters);
  });
});

describe('the first request of an agent', () => {
  it('knows the rules, the workspace and its tools, and stays small', async () => {
    const world = await newWorld();
    await world.turn(
      'one',
      ['invoke_agent', { agent_name: 'codebase_investigator', prompt: 'Look' }],
      ['complete_task', { SummaryOfFindings: 'x', ExplorationTrace: [], RelevantLocations: [] }],
    );
    expect(world.model.requests).toHaveLength(3);
    expect(world.model.requests[1]!.messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Look' }] },
    ]);
  });
});
