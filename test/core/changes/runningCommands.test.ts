import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Hunk } from '../../../src/extension/review/hunk.ts';
import { writerNames } from '../../../src/protocol/changes.ts';
import { iterate } from '../../../src/protocol/pagedList.ts';
import { CheckpointedFolder } from '../../support/checkpointedFolder.ts';
import { type DiskWorld, makeDiskWorld } from '../../support/diskWorld.ts';
import { eachTest } from '../../support/eachTest.ts';
import { initRepository } from '../../support/gitRepository.ts';
import { UserEditor } from '../../support/userEditor.ts';

const committed = { 'x.ts': 'a\nb\nc\nd\n', 'y.ts': 'y\n', 'z.ts': 'z\n' };

const ways = {
  'under Git': (workspace: string) => initRepository(workspace, committed),
  'without Git': async (workspace: string) => {
    for (const [name, text] of Object.entries(committed)) await writeFile(join(workspace, name), text);
  },
};

describe.each(Object.entries(ways))('a command that still runs %s', (way, settle) => {
  /** How a change is found differs without Git; whose it is does not. */
  const once = { tags: way === 'under Git' ? [] : ['longer'] };
  let world: DiskWorld;
  let user: UserEditor;
  beforeEach(async () => {
    user = new UserEditor();
    world = await makeDiskWorld(undefined, { user });
    await settle(world.workspace);
  });
  afterEach(async () => {
    // Commands of the background end automatically.
    for (const name of ['go', 'on']) await writeFile(at(`../${name}`), '');
    await world.dispose();
  });

  const ledger = () => world.session.changes.ledger;
  const at = (name: string) => join(world.workspace, name);
  const read = (name: string) => readFile(at(name), 'utf8');
  const hunksOf = (name: string): readonly Hunk[] => ledger().review(at(name))?.hunks ?? [];
  const touchedBy = (callId: string) => {
    const items = world.session.state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
    const call = items.find(item => item.type === 'call' && item.id === callId);
    return call?.type === 'call' && call.status.kind === 'ended' ? call.status.display.touched : undefined;
  };
  const namesOf = (name: string) => hunksOf(name).flatMap(writerNames);
  /** Waits for a file, and no longer once the world is gone. */
  const until = (name: string) => `until [ -e ../${name} ] || [ ! -d "$PWD" ]; do sleep 0.02; done`;
  const eventually = (scan: () => unknown) => expect.poll(scan, { timeout: 240_000 });
  const inBackground = (command: string) =>
    world.turn('go', ['run_shell_command', { command, is_background: true, delay_ms: 0 }]);
  const hasEnded = (name: string) =>
    eventually(() => readFile(at(`../${name}`)).then(Boolean, () => false)).toBe(true);

  test('shows what it has changed, and its card lists all of it', async () => {
    const command = `sed -i s/b/B/ x.ts; ${until('go')}; sed -i s/y/Y/ y.ts`;
    const turn = world.turn('go', ['run_shell_command', { command }]);
    await eventually(() => hunksOf('x.ts').length).toBe(1);
    expect(hunksOf('x.ts')).toMatchObject([{ writers: [{ kind: 'command', callId: 'call1' }] }]);
    expect([await read('y.ts'), hunksOf('y.ts')]).toEqual(['y\n', []]);
    await writeFile(at('../go'), '');
    await turn;
    const ended = world.events.find(event => event.type === 'call.ended');
    expect(ended?.type === 'call.ended' && ended.display.touched).toEqual([
      { path: 'x.ts', added: 1, removed: 1 },
      { path: 'y.ts', added: 1, removed: 1 },
    ]);
    await ledger().reject({});
    expect([await read('x.ts'), await read('y.ts')]).toEqual([committed['x.ts'], 'y\n']);
  });

  test('has its hunks decided on meanwhile, and what it writes then waits again', once, async () => {
    const command = `sed -i s/b/B/ x.ts; ${until('go')}; sed -i s/d/D/ x.ts`;
    const turn = world.turn('go', ['run_shell_command', { command }]);
    await eventually(() => hunksOf('x.ts').length).toBe(1);
    expect(await ledger().reject({})).toEqual([]);
    expect(await read('x.ts')).toBe(committed['x.ts']);
    await writeFile(at('../go'), '');
    await turn;
    expect(hunksOf('x.ts').filter(({ status }) => status === 'pending')).toMatchObject([
      { start: 3, count: 1, writers: [{ callId: 'call1' }] },
    ]);
  });

  test('in the background is named as the writer until it ends, and no longer', async () => {
    await inBackground(`${until('go')}; sed -i s/b/B/ x.ts; ${until('on')}; rm y.ts; touch ../ended`);
    expect(ledger().paths).toEqual([]);
    await writeFile(at('../go'), '');
    await eventually(() => hunksOf('x.ts').length).toBe(1);
    expect(hunksOf('x.ts')).toMatchObject([{ writers: [{ kind: 'command', callId: 'call1' }] }]);
    await writeFile(at('../on'), '');
    await eventually(() => ledger().review(at('y.ts'))?.by).toBe('file');
    await hasEnded('ended');
    const all = [
      { path: 'x.ts', added: 1, removed: 1 },
      { path: 'y.ts', added: 0, removed: 1 },
    ];
    // The card, and what is counted for the chapter, follow until the command has ended.
    await eventually(() => touchedBy('call1')).toMatchObject(all);
    expect(world.session.state.chapters.flatMap(({ files }) => files)).toMatchObject(all);
    await writeFile(at('z.ts'), 'by a user\n');
    await world.turn('again', ['run_shell_command', { command: 'true' }]);
    expect(hunksOf('z.ts')).toEqual([]);
    await ledger().reject({});
    expect([await read('x.ts'), await read('y.ts')]).toEqual([committed['x.ts'], 'y\n']);
  });

  test('in the background keeps its name where another call writes the same file next', once, async () => {
    await inBackground(`${until('go')}; sed -i s/b/B/ x.ts; touch ../begun; ${until('on')}`);
    await writeFile(at('../go'), '');
    await hasEnded('begun');
    const read = ['read_file', { file_path: 'x.ts' }] as const;
    await world.turn('edit', read, ['write_file', { file_path: 'x.ts', content: 'a\nB\nc\nd\ne\n' }]);
    expect(namesOf('x.ts')).toEqual([expect.stringContaining('sed -i s/b/B/ x.ts'), 'Write x.ts']);
    await world.turn('run', ['run_shell_command', { command: 'sed -i s/z/Z/ z.ts' }]);
    expect(namesOf('z.ts')).toEqual(['another program, while sed -i s/z/Z/ z.ts ran']);
  });

  test('in the background leaves to a user what they save, and a rewind undoes its own', once, async () => {
    await inBackground(`${until('go')}; sed -i s/b/B/ x.ts; ${until('on')}`);
    await user.type(at('y.ts'), text => `mine\n${text}`);
    await user.save(at('y.ts'));
    await writeFile(at('../go'), '');
    await eventually(() => hunksOf('x.ts').length).toBe(1);
    expect(ledger().paths).toEqual([at('x.ts')]);
    const started = world.events.find(event => event.type === 'turn.started');
    const turnId = started?.type === 'turn.started' ? started.turnId : '';
    await world.session.rewind({ kind: 'turn', turnId }, 'files');
    expect([await read('x.ts'), await read('y.ts')]).toEqual([committed['x.ts'], 'mine\ny\n']);
    expect(ledger().paths).toEqual([]);
  });
});

describe('a look while a command runs', () => {
  const folder = eachTest(() => CheckpointedFolder.make());
  beforeEach(async () => {
    await initRepository(folder.root, committed);
  });

  const reportedIn = () =>
    folder.events.flatMap(event => (event.type === 'file.written' ? [event.path] : []));
  const write = (name: string, text: string) => writeFile(folder.path(name), text);

  test('reports a file once it has stood as it is for two looks, and of each state once', async () => {
    const watch = await folder.watch();
    await write('x.ts', 'one\n');
    expect(await watch.scanSettled()).toBe('busy');
    await write('x.ts', 'one and two\n');
    expect(await watch.scanSettled()).toBe('busy');
    expect(reportedIn()).toEqual([]);
    expect(await watch.scanSettled()).toBe('quiet');
    expect(reportedIn()).toEqual([folder.path('x.ts')]);
    expect(await watch.scanSettled()).toBe('quiet');
    expect(await watch.end()).toEqual({ touched: [{ path: 'x.ts', added: 1, removed: 4 }] });
    expect(reportedIn()).toHaveLength(1);
  });

  test('leaves no trace on the card of a file that was only there for a while', async () => {
    const watch = await folder.watch();
    await write('passing.ts', 'here\n');
    await watch.scanSettled();
    await watch.scanSettled();
    expect(reportedIn()).toEqual([folder.path('passing.ts')]);
    await folder.files.delete(folder.path('passing.ts'));
    expect(await watch.end()).toEqual({ touched: [] });
    expect(reportedIn()).toHaveLength(2);
  });

  test('notices that a file is as it was committed again', async () => {
    const watch = await folder.watch();
    const place = folder.beginTurn();
    await write('x.ts', 'one\n');
    expect(await watch.scanAll()).toMatchObject({ touched: [{ path: 'x.ts' }] });
    await write('x.ts', committed['x.ts']);
    expect(await watch.end()).toEqual({ touched: [] });
    expect(folder.written(place)).toMatchObject([{ before: { executable: false }, edits: [] }]);
    await folder.restoreTo(place);
    expect(await folder.files.readText(folder.path('x.ts'))).toMatchObject({ text: committed['x.ts'] });
  });
});
