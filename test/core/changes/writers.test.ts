import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { PendingApprovals } from '../../../src/extension/core/calls/approvals.ts';
import type { CallServices } from '../../../src/extension/core/calls/calling.ts';
import { ProposedContents } from '../../../src/extension/core/calls/proposals.ts';
import { RestartableCommands } from '../../../src/extension/core/calls/restartableCommands.ts';
import { runCalls } from '../../../src/extension/core/calls/scheduler.ts';
import type { AttributedFileSystem } from '../../../src/extension/core/changes/attributedFileSystem.ts';
import { ChangeTracker } from '../../../src/extension/core/changes/changeTracker.ts';
import { ConcurrentRuns } from '../../../src/extension/core/changes/concurrentRuns.ts';
import { type AnyTool, defineTool } from '../../../src/extension/core/tool.ts';
import { NodeFileSystem } from '../../../src/extension/node/files/nodeFileSystem.ts';
import { SystemClock } from '../../../src/extension/node/systemClock.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import type { Writer } from '../../../src/protocol/values.ts';
import { noDiagnostics } from '../../support/absentPorts.ts';
import { makeDiskWorld } from '../../support/diskWorld.ts';
import { initRepository, makeFolder } from '../../support/gitRepository.ts';
import { HostedGit } from '../../support/hostedGit.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const never = new AbortController().signal;
const first = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

class Folder {
  readonly root: string;
  readonly dispose: () => Promise<void>;
  readonly events: SessionEvent[] = [];
  readonly changes: ChangeTracker;

  constructor(root: string, dispose: () => Promise<void>) {
    this.root = root;
    this.dispose = dispose;
    this.changes = new ChangeTracker({
      folders: [root],
      files: new NodeFileSystem(),
      blobs: new MemoryBlobStore(),
      versionControl: new HostedGit(),
      clock: new SystemClock(),
      log,
      concurrentRuns: new ConcurrentRuns().beside(),
      emit: this.emit,
      recorded: async () => {},
      chapterId: () => 'chapter',
    });
  }

  readonly emit = (body: SessionEventBody): void => {
    const event: SessionEvent = { ...body, seq: this.events.length + 1, at: 0 };
    this.events.push(event);
    this.changes.fold(event);
  };

  call(callId: string, scan: 'seen' | 'unseen' = 'unseen'): AttributedFileSystem {
    return this.changes.filesOf({ kind: 'call', callId, words: `Write as ${callId}` }, scan);
  }

  command(line: string, run: () => Promise<void>) {
    const files = this.changes.filesOf({ kind: 'command', callId: 'command', line }, 'unseen');
    return this.changes.watch({ effect: 'run', files, reads: false, signal: never }, run);
  }

  write(files: AttributedFileSystem, name: string, text: string): Promise<void> {
    return files.writeText(join(this.root, name), text, utf8Format);
  }

  /** Everything is allowed. */
  calling(tool: AnyTool): CallServices {
    const { emit, changes } = this;
    return {
      caller: { tools: new Map([[tool.name, tool]]), mode: () => 'yolo', emit },
      policy: {
        interactive: true,
        classify: async () => ({ kind: 'allow' }),
        classifyHosts: async () => ({ kind: 'allow' }),
        onlyReads: async () => false,
        forbids: () => false,
        remember: async () => undefined,
      },
      approvals: new PendingApprovals(),
      restarts: new RestartableCommands(),
      changes,
      proposals: new ProposedContents(),
      outputs: { limit: 1_000, save: async () => '', keep() {} },
      diagnostics: { ...noDiagnostics, settle: async () => [] },
      clock: new SystemClock(),
      log,
    };
  }

  /** Who wrote each file, in order: ids of calls, lines of commands, decisions of the user. */
  get writers(): Readonly<Record<string, readonly string[]>> {
    const writers: Record<string, string[]> = {};
    for (const event of this.events) {
      if (event.type !== 'file.written') continue;
      const name = relative(this.root, event.path);
      writers[name] = [...(writers[name] ?? []), nameOf(event.writer)];
    }
    return writers;
  }

  get written(): number {
    return this.events.filter(({ type }) => type === 'file.written').length;
  }

  async texts(): Promise<Readonly<Record<string, string>>> {
    const names = Object.keys(first);
    const texts = names.map(async name => [name, await readFile(join(this.root, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(texts));
  }

  restore() {
    return this.changes.restorer.restore({ from: 0, reviews: [] });
  }
}

function nameOf(writer: Writer | undefined): string {
  switch (writer?.kind) {
    case 'call':
      return writer.callId;
    case 'command':
      return writer.line;
    case 'meanwhile':
      return `while ${writer.words}`;
    case 'session':
      return writer.name;
    case 'person':
      return writer.decision;
    case undefined:
      return 'nobody';
  }
}

describe('two writers at once', () => {
  let folder: Folder;
  beforeEach(async () => {
    const { root, dispose } = await makeFolder();
    if (hasGit) await initRepository(root, first);
    for (const [name, text] of Object.entries(first)) await writeFile(join(root, name), text);
    folder = new Folder(root, dispose);
  });
  afterEach(() => folder.dispose());

  test('calls that write by turns each have their own changes, reviews and checkpoints', async () => {
    const one = folder.call('one');
    const two = folder.call('two', 'seen');
    await folder.write(one, 'a.txt', 'one\n');
    await folder.write(two, 'b.txt', 'two\n');
    await Promise.all([folder.write(one, 'c.txt', 'one\n'), folder.write(two, 'b.txt', 'two again\n')]);
    expect(folder.writers).toEqual({ 'a.txt': ['one'], 'b.txt': ['two', 'two'], 'c.txt': ['one'] });
    const waiting = folder.changes.ledger.paths.map(path => relative(folder.root, path)).sort();
    expect(waiting).toEqual(['a.txt', 'c.txt']);
    expect(await folder.changes.ledger.reject({ path: join(folder.root, 'c.txt') })).toEqual([]);
    expect(folder.writers['c.txt']).toEqual(['one', 'review']);
    const restored = await folder.restore();
    expect(restored.map(({ path, result }) => [path, result]).sort()).toEqual([
      ['a.txt', 'restored'],
      ['b.txt', 'restored'],
    ]);
    expect(await folder.texts()).toEqual(first);
    expect(folder.writers['a.txt']).toEqual(['one', 'rewind']);
  });

  test('calls that write one file at the same time do it one after the other, and neither is taken for the user', async () => {
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map(name => folder.write(folder.call(name), 'a.txt', `a\n${name}\n`)));
    // Whose turn comes first is the disk's choice.
    const written = folder.writers['a.txt']!;
    expect(written.toSorted()).toEqual(names.toSorted());
    expect(folder.events.filter(({ type }) => type === 'checkpoint.taken')).toHaveLength(1);
    expect((await folder.texts())['a.txt']).toBe(`a\n${written.at(-1)}\n`);
    expect(await folder.restore()).toMatchObject([{ path: 'a.txt', result: 'restored' }]);
    expect(await folder.texts()).toEqual(first);
  });

  test('calls that run at the same time write through files of their own', async () => {
    const places = new Map([
      ['one', [0, 2]],
      ['two', [1, 3]],
    ]);
    const writeByTurns = defineTool({
      name: 'write_by_turns',
      description: 'Writes a file, waits for the other call, and writes another one.',
      input: () => z.object({ files: z.array(z.string()) }),
      effect: 'edit',
      title: ({ files }) => `Write ${files.join(' and ')}`,
      prepare: async () => ({ plan: undefined }),
      run: async ({ files }, _plan, call) => {
        for (const [at, name] of files.entries()) {
          const place = places.get(call.callId)![at]!;
          await expect.poll(() => folder.written, { timeout: 60_000 }).toBe(place);
          await call.files.writeText(join(folder.root, name), `${call.callId}\n`, utf8Format);
        }
        return { text: 'Written.', display: { summary: () => 'Written' } };
      },
    });
    const run = (id: string, ...files: readonly string[]) => {
      const part = { kind: 'call', id, name: writeByTurns.name, args: { files } } as const;
      return runCalls([part], 'step', folder.calling(writeByTurns), never);
    };
    const results = await Promise.all([run('one', 'a.txt', 'b.txt'), run('two', 'b.txt', 'c.txt')]);
    expect(results.flat().map(({ ok }) => ok)).toEqual([true, true]);
    expect(folder.writers).toEqual({ 'a.txt': ['one'], 'b.txt': ['two', 'one'], 'c.txt': ['two'] });
    await folder.restore();
    expect(await folder.texts()).toEqual(first);
  });

  test.skipIf(!hasGit)(
    'what a call writes while a command runs is not the command’s doing, and what the command did is',
    async () => {
      const { changes } = await folder.command('npm run format', async () => {
        await folder.write(folder.call('one'), 'a.txt', 'one\n');
        await folder.write(folder.call('one'), 'c.txt', 'one\n');
        await writeFile(join(folder.root, 'b.txt'), 'formatted\n');
        await writeFile(join(folder.root, 'c.txt'), 'one, formatted\n');
      });
      expect(folder.writers).toEqual({
        'a.txt': ['one'],
        'b.txt': ['npm run format'],
        'c.txt': ['one', 'npm run format'],
      });
      expect(changes?.touched.map(({ path }) => path).sort()).toEqual(['b.txt', 'c.txt']);
      await folder.restore();
      expect(await folder.texts()).toEqual(first);
    },
  );
});

test('the journal names the call, the command and the user, in the words of their cards', async () => {
  const world = await makeDiskWorld();
  onTestFinished(() => world.dispose());
  const write = ['write_file', { file_path: 'a.txt', content: 'one\n' }] as const;
  const command = ['run_shell_command', { command: 'echo two > a.txt' }] as const;
  await world.turn('go', write, command);
  await world.reopen();
  await world.session.rewind({ kind: 'turn', turnId: turnOf(world.events) }, 'both');
  const writers = world.events.flatMap(event => (event.type === 'file.written' ? [event.writer] : []));
  expect(writers).toEqual([
    { kind: 'call', callId: 'call1', words: 'Write a.txt' },
    { kind: 'command', callId: 'call2', line: 'echo two > a.txt' },
    { kind: 'person', decision: 'rewind' },
  ]);
});

function turnOf(events: readonly SessionEvent[]): string {
  const started = events.find(event => event.type === 'turn.started');
  return started?.type === 'turn.started' ? started.turnId : '';
}
