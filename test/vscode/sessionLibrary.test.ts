import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActiveSession } from '../../src/extension/vscode/activeSession.ts';
import { SessionLibrary } from '../../src/extension/vscode/sessionLibrary.ts';
import { iterate } from '../../src/protocol/pagedList.ts';
import { makeDiskWorld } from '../support/diskWorld.ts';
import { eachTest } from '../support/eachTest.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const preview = { folders: [], model: 'm', mode: 'plan' as const };

describe('the sessions of a window', () => {
  const world = eachTest(() => makeDiskWorld(undefined, { mode: 'yolo' }));
  let session: ActiveSession;
  let library: SessionLibrary;
  let tidiedAt: number | undefined;
  let days: number;

  beforeEach(async () => {
    const agent = async () => world.agent;
    const last = { read: () => undefined, write: () => {} };
    session = new ActiveSession(
      agent,
      last,
      () => preview,
      () => {},
      log,
    );
    tidiedAt = undefined;
    days = 0;
    library = new SessionLibrary(session, agent, () => days, {
      read: () => tidiedAt,
      write: at => {
        tidiedAt = at;
      },
    });
  });

  afterEach(async () => {
    await session.close();
  });

  async function ask(text: string): Promise<string> {
    world.model.script();
    await session.startNew();
    await session.send(text, []);
    // Sessions are ordered, and are old, by milliseconds.
    await sleep(2);
    return session.present!.id;
  }

  test('are listed with the status of those that are open, and renamed whether they are or not', async () => {
    const first = await ask('First');
    const second = await ask('Second');
    await session.closeSession(second);
    let changes = 0;
    library.onDidChange(() => changes++);
    await library.rename(first, 'Open one');
    await library.rename(second, 'Closed one');
    expect(changes).toBe(2);
    const { sessions } = await library.list('');
    expect(sessions).toMatchObject([
      { sessionId: second, title: 'Closed one' },
      { sessionId: first, title: 'Open one', status: 'resting' },
    ]);
    expect(sessions[0]).not.toHaveProperty('status');
    expect(session.opened.find(first)?.state.title).toBe('Open one');
    expect((await library.read(second)).title).toBe('Closed one');
    await session.switchTo(second);
    expect(session.state.title).toBe('Closed one');
  });

  test('are copied under a name while they are open, and each continues automatically', async () => {
    const first = await ask('First');
    await library.copy(first, 'early');
    world.model.script();
    await session.send('Second', []);
    const [chat, ...others] = await library.named();
    expect(chat).toMatchObject({ name: 'early' });
    expect(others).toEqual([]);
    await session.switchTo(chat!.sessionId);
    expect(session.state.title).toBe('early');
    const prompts = session.state.chapters.flatMap(({ items }) => [...iterate(items)]);
    expect(prompts.filter(({ type }) => type === 'prompt')).toMatchObject([{ text: 'First' }]);
    await library.remove(chat!.sessionId);
    expect(await library.named()).toEqual([]);
    expect((await library.list('')).sessions).toMatchObject([{ sessionId: first, title: 'First' }]);
  });

  test('are gone once deleted, also the shown one, and come back whole', async () => {
    const id = await ask('First');
    await library.remove(id);
    expect(session.present).toBeUndefined();
    expect((await library.list('')).sessions).toEqual([]);
    await expect(session.switchTo(id)).rejects.toThrow('There is no session');
    await library.bringBack(id);
    expect((await library.list('')).sessions).toMatchObject([{ sessionId: id, title: 'First' }]);
    await session.switchTo(id);
    world.model.script();
    expect(await session.send('And more', [])).toEqual({ kind: 'rested' });
  });

  test('come back when the deletion is undone before it is done, and one that was kept stays', async () => {
    const id = await ask('First');
    await Promise.all([library.remove(id), library.bringBack(id)]);
    expect((await library.list('')).sessions).toMatchObject([{ sessionId: id }]);
    await session.switchTo(id);
    await library.bringBack(id);
    expect(session.present?.id).toBe(id);
    await expect(library.bringBack('none')).rejects.toThrow('no longer in the trash');
  });

  test('that are chosen while they are being deleted do not open and write on in the trash', async () => {
    const id = await ask('First');
    let closed = () => {};
    const isClosed = new Promise<void>(resolve => {
      closed = resolve;
    });
    // Between closing and deleting there is time, as a busy disk needs it.
    const slow = async () => {
      closed();
      await sleep(200);
      return world.agent;
    };
    const tidied = { read: () => undefined, write: () => {} };
    const slowly = new SessionLibrary(session, slow, () => 0, tidied);
    const removed = slowly.remove(id);
    await isClosed;
    await expect(session.switchTo(id)).rejects.toThrow('There is no session');
    await removed;
    expect(session.opened.find(id)).toBeUndefined();
    await library.bringBack(id);
    expect((await library.list('')).sessions).toMatchObject([{ sessionId: id }]);
  });

  test('that are renamed while they open have their new name and lose nothing', async () => {
    const id = await ask('First');
    await session.closeSession(id);
    const opening = session.switchTo(id);
    await Promise.all([opening, library.rename(id, 'Renamed')]);
    expect(session.state.title).toBe('Renamed');
    world.model.script();
    await session.send('And more', []);
    await session.closeSession(id);
    await session.switchTo(id);
    expect(session.state.title).toBe('Renamed');
    const items = session.state.chapters.flatMap(chapter => [...iterate(chapter.items)]);
    // A line that could not be read would be told.
    expect(items.filter(({ type }) => type === 'notice')).toEqual([]);
    expect(items.filter(({ type }) => type === 'prompt')).toHaveLength(2);
  });

  test('are looked through for old ones once a day, and open ones are left alone', async () => {
    const open = await ask('Open');
    const closed = await ask('Closed');
    await session.closeSession(closed);
    days = 1e-9;
    const now = Date.now();
    await library.tidy(now);
    expect((await library.list('')).sessions.map(({ sessionId }) => sessionId)).toEqual([open]);
    await library.bringBack(closed);
    await library.tidy(now + 1000);
    expect((await library.list('')).sessions).toHaveLength(2);
    await library.tidy(now + 25 * 60 * 60 * 1000);
    expect((await library.list('')).sessions).toHaveLength(1);
  });

  test('that come back into view know what was written into files under review meanwhile', async () => {
    const path = join(world.workspace, 'notes.txt');
    await writeFile(path, 'one\ntwo\n');
    world.model.script([
      'replace',
      { file_path: 'notes.txt', instruction: 'i', old_string: 'two', new_string: '2' },
    ]);
    await session.startNew();
    await session.send('Write', []);
    const first = session.present!;
    const review = () => first.changes.ledger.review(path);
    expect(review()?.present.join('\n')).toContain('2');
    await session.startNew();
    world.model.script([
      'replace',
      { file_path: 'notes.txt', instruction: 'i', old_string: '2', new_string: '2\nof another session' },
    ]);
    await session.send('Write too', []);
    const second = session.present!;
    await appendFile(path, 'by hand\n');
    expect(review()?.present.join('\n')).not.toContain('by hand');
    await session.switchTo(first.id);
    await expect.poll(() => review()?.present.join('\n')).toContain('by hand');
    // What others wrote is not the session's to undo.
    expect(await first.changes.ledger.reject({ path })).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nof another session\nby hand\n');
    await session.switchTo(second.id);
    await expect.poll(() => second.changes.ledger.review(path)?.present.join('\n')).toContain('two');
    expect(await second.changes.ledger.reject({ path })).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nby hand\n');
  });
});
