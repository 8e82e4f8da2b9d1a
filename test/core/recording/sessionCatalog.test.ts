import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import { SessionCatalog } from '../../../src/extension/core/recording/sessionCatalog.ts';
import { NodeSessionStore } from '../../../src/extension/node/sessions/nodeSessionStore.ts';
import type { JournalChunk } from '../../../src/extension/platform/storage.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const day = 24 * 60 * 60 * 1000;

/** Notes which journals are read for the list. */
class WatchedStore extends NodeSessionStore {
  readonly scans: string[] = [];

  override scanJournal(sessionId: string, from: number): AsyncIterable<JournalChunk> {
    this.scans.push(`${sessionId} ${from > 0 ? 'further' : 'again'}`);
    return super.scanJournal(sessionId, from);
  }
}

describe('the sessions on the disk', () => {
  let root: string;
  let now: number;
  let warnings: string[];

  beforeEach(async () => {
    root = join(await temporaryFolder('folio-catalog-'), 'sessions');
    now = 1000 * day;
    warnings = [];
  });

  /** A window that has just opened. */
  function openWindow() {
    const store = new WatchedStore(root);
    const clock = {
      now: () => now,
      sleep: async () => {},
      after: () => () => {},
      random: () => 0,
      newId: () => 'id',
    };
    const log = { debug() {}, info() {}, warn: (text: string) => void warnings.push(text), error() {} };
    return { store, catalog: new SessionCatalog({ store, clock, log }) };
  }

  async function add(sessionId: string, at: number, ...bodies: readonly SessionEventBody[]): Promise<void> {
    const store = new NodeSessionStore(root);
    const journal = await store.openJournal(sessionId);
    const before = (await store.readJournal(sessionId)).length;
    bodies.forEach((body, index) => {
      journal.append(JSON.stringify({ ...body, seq: before + index + 1, at }));
    });
    await journal.close();
  }

  const asks = (text: string): SessionEventBody => ({
    type: 'turn.started',
    turnId: text,
    text,
    attachments: [],
  });
  const opens = (chapterId: string, title: string): SessionEventBody => ({
    type: 'chapter.started',
    chapterId,
    title,
  });
  const titles = async (catalog: SessionCatalog, query = '') =>
    (await catalog.list(query)).sessions.map(({ title }) => title);

  test('are listed by when something was last done in them, without those in which nothing was asked', async () => {
    await add('a', 3 * day, asks('First\nsecond line'), opens('c1', 'Reading'));
    await add('b', 5 * day, asks('Newest'));
    await add('c', 4 * day, asks('Middle'));
    await add('empty', 9 * day, { type: 'mode.changed', mode: 'plan' });
    await add('a', 8 * day, { type: 'session.resumed' }, { type: 'mode.changed', mode: 'plan' });
    const { catalog } = openWindow();
    expect(await catalog.list()).toEqual({
      sessions: [
        { sessionId: 'b', title: 'Newest', changedAt: 5 * day, chapters: [] },
        { sessionId: 'c', title: 'Middle', changedAt: 4 * day, chapters: [] },
        { sessionId: 'a', title: 'First', changedAt: 3 * day, chapters: ['Reading'] },
      ],
      limited: false,
    });
  });

  test('are found by all words of a query in title, chapters and prompts, without case and accents', async () => {
    await add('a', 1, asks('Fix the login'), opens('c1', 'Žluté testy'), asks('Now the Database'));
    await add('b', 2, asks('Write the login page'), { type: 'chapter.renamed', chapterId: 'c1', title: 'x' });
    const { catalog } = openWindow();
    expect(await titles(catalog, 'login')).toEqual(['Write the login page', 'Fix the login']);
    for (const query of ['zlute', 'LOGIN fix', 'database  login', 'testy database'])
      expect(await titles(catalog, query)).toEqual(['Fix the login']);
    expect(await titles(catalog, 'login nowhere')).toEqual([]);
  });

  test('are found by words of answers and names of files, and the hit shows them', async () => {
    const answers = (text: string): SessionEventBody => ({
      type: 'message.added',
      message: { role: 'model', parts: [{ kind: 'text', text }] },
    });
    const sees = (path: string): SessionEventBody => ({ type: 'file.seen', path, digest: 'd' });
    const reported =
      'I looked at each of the places where sums are made. The loop over the lines was off by one.';
    await add('a', 1, asks('Fix the total'), sees('/home/ann/shop/src/invoice.js'), answers(reported));
    await add('b', 2, asks('Fix the rest'), {
      type: 'message.added',
      message: { role: 'user', parts: [{ kind: 'text', text: 'Nothing is off by one in invoice.js' }] },
    });
    const { catalog } = openWindow();
    const found = async (query: string) => (await catalog.list(query)).sessions.map(each => each.found);
    expect(await found('off by one')).toEqual(['…loop over the lines was off by one.']);
    expect(await found('total loop')).toEqual([
      '…where sums are made. The loop over the lines was off by one.',
    ]);
    expect(await found('INVOICE.js')).toEqual(['src/invoice.js']);
    expect(await found('src/invoice.js')).toEqual(['src/invoice.js']);
    expect(await found('total')).toEqual([undefined]);
    expect(await titles(catalog, 'shop')).toEqual([]);
    expect(await catalog.findByFiles(['/elsewhere/src/invoice.js', '/home/ann/shop/notes.md'])).toEqual([
      'a',
    ]);
    expect(await catalog.findByFiles(['/home/ann/shop/invoice.js'])).toEqual([]);
  });

  test('show the words of an answer without the marks of Markdown', async () => {
    const text =
      '## Result\n- **The sum** is off in [`invoice.js`](src/invoice.js), see `__init__`\n```js\nsum(a * b * c)\n```';
    await add('a', 1, asks('Fix the total'), {
      type: 'message.added',
      message: { role: 'model', parts: [{ kind: 'text', text }] },
    });
    const { catalog } = openWindow();
    const found = async (query: string) => (await catalog.list(query)).sessions.map(each => each.found);
    expect(await found('sum is off')).toEqual([
      'Result The sum is off in invoice.js, see __init__ sum(a * b * c)',
    ]);
  });

  test('name the worktree that they work in, are found by it, and not once they have left it', async () => {
    const worktree = { name: 'fix-rounding', path: '/wt/fix', home: '/home/ann', base: 'abc' };
    await add('a', 1, asks('One'), { type: 'session.moved', folders: ['/wt/fix'], worktree });
    await add('b', 2, asks('Two'));
    const places = async (query = '') =>
      (await openWindow().catalog.list(query)).sessions.map(each => each.worktree);
    expect(await places()).toEqual([undefined, 'fix-rounding']);
    // From the index now, which has entries without a name as those of before.
    expect(await places()).toEqual([undefined, 'fix-rounding']);
    expect(await places('rounding one')).toEqual(['fix-rounding']);
    await add('a', 3, { type: 'session.moved', folders: ['/home/ann'] });
    expect(await places()).toEqual([undefined, undefined]);
  });

  test('say that their commands run in a container, and not once they have left it', async () => {
    const container = { inside: '/workspaces/shop' };
    await add('a', 1, asks('One'), { type: 'session.moved', folders: ['/home/ann'], container });
    await add('b', 2, asks('Two'));
    const places = async () => (await openWindow().catalog.list()).sessions.map(each => each.container);
    expect(await places()).toEqual([undefined, true]);
    expect(await places()).toEqual([undefined, true]);
    await add('a', 3, { type: 'session.moved', folders: ['/home/ann'] });
    expect(await places()).toEqual([undefined, undefined]);
  });

  test('name the agent of another maker that drives them, and are found by it', async () => {
    await add('a', 1, asks('One'), { type: 'agent.chosen', name: 'Gemini CLI' });
    await add('b', 2, asks('Two'));
    const drivers = async (query = '') =>
      (await openWindow().catalog.list(query)).sessions.map(each => each.driver);
    expect(await drivers()).toEqual([undefined, 'Gemini CLI']);
    expect(await drivers('gemini one')).toEqual(['Gemini CLI']);
  });

  test('that are more than a hundred are limited, and the list says so', async () => {
    for (let index = 0; index < 103; index++) await add(`s${index}`, index + 1, asks(`Task ${index}`));
    const { catalog } = openWindow();
    const all = await catalog.list();
    expect([all.sessions.length, all.limited, all.sessions[0]?.title]).toEqual([100, true, 'Task 102']);
    expect((await catalog.list('Task')).limited).toBe(true);
    expect(await catalog.list('102')).toMatchObject({ sessions: [{ title: 'Task 102' }], limited: false });
  });

  describe('and their index', () => {
    beforeEach(async () => {
      await add('a', 1, asks('One'));
      await add('b', 2, asks('Two'));
      await openWindow().catalog.list();
    });

    test('saves reading journals that are as they were', async () => {
      const { store, catalog } = openWindow();
      expect(await titles(catalog)).toEqual(['Two', 'One']);
      expect(store.scans).toEqual([]);
    });

    test('is read further for a journal that has grown', async () => {
      await add('a', 3, opens('c1', 'Later'), asks('Three'));
      const { store, catalog } = openWindow();
      expect((await catalog.list('three later')).sessions).toMatchObject([
        { title: 'One', chapters: ['Later'] },
      ]);
      expect(store.scans).toEqual(['a further']);
      expect((await catalog.list()).sessions[0]).toMatchObject({ title: 'One', changedAt: 3 });
      expect(store.scans).toHaveLength(1);
    });

    test('does not count for a journal that was replaced', async () => {
      await rm(join(root, 'a'), { recursive: true });
      await add('a', 1, asks('X'));
      expect(await titles(openWindow().catalog)).toEqual(['Two', 'X']);
      await rm(join(root, 'a'), { recursive: true });
      await add('a', 1, asks('Another and longer one, in which no line begins where one began'));
      expect((await titles(openWindow().catalog))[1]).toContain('Another and longer');
    });

    test.each(['', '{', '[]', '{"version":99,"sessions":{}}', '{"version":2,"sessions":{"a":{"size":1}}}'])(
      'is made again when its file holds %j',
      async text => {
        await writeFile(join(root, '.index.json'), text);
        const { store, catalog } = openWindow();
        expect(await titles(catalog)).toEqual(['Two', 'One']);
        expect(store.scans.toSorted()).toEqual(['a again', 'b again']);
        expect(JSON.parse(await readFile(join(root, '.index.json'), 'utf8')).version).toBe(2);
      },
    );

    test('may be written by many windows at once', async () => {
      const windows = Array.from({ length: 5 }, openWindow);
      await add('c', 3, asks('Three'));
      const lists = await Promise.all(windows.map(({ catalog }) => titles(catalog)));
      for (const list of lists) expect(list).toEqual(['Three', 'Two', 'One']);
      const { store, catalog } = openWindow();
      expect(await titles(catalog)).toEqual(['Three', 'Two', 'One']);
      expect(store.scans).toEqual([]);
    });

    test('leaves out what cannot be read, and leaves it alone', async () => {
      const path = join(root, 'damaged', 'journal.jsonl');
      await mkdir(path, { recursive: true });
      expect(await titles(openWindow().catalog)).toEqual(['Two', 'One']);
      expect(warnings).toEqual([expect.stringContaining('Session damaged could not be read')]);
      expect((await stat(path)).isDirectory()).toBe(true);
    });

    test('that cannot be written costs nothing but time', async () => {
      const { store, catalog } = openWindow();
      store.writeIndex = async () => {
        throw new Error('This disk can only be read.');
      };
      await add('c', 3, asks('Three'));
      expect(await titles(catalog)).toEqual(['Three', 'Two', 'One']);
      expect(warnings).toEqual([expect.stringContaining('can only be read')]);
    });
  });

  test('are copied under a name as they are, but for what waits, and stay the newer of the two', async () => {
    const review = {
      path: '/w/a',
      shown: 'a',
      change: 'created',
      base: 'b',
      present: 'p',
      hunks: [],
    } as const;
    await add(
      'first',
      now - day,
      { type: 'session.started', sessionId: 'first', folders: ['/w'], model: 'm', mode: 'default' },
      asks('Fix the tax'),
      { type: 'review.changed', path: '/w/a', review },
      { type: 'prompt.queued', prompt: { id: 'q', text: 'Then?', attachments: [], when: 'next' } },
    );
    const { catalog, store } = openWindow();
    const from = await store.readJournal('first');
    const copyId = await catalog.copy('first', ' before\nthe fix ');
    const copy = await catalog.read(copyId);
    expect(copy).toMatchObject({ sessionId: copyId, title: 'before the fix', folders: ['/w'] });
    expect(copy).toMatchObject({ queue: [], reviews: [] });
    expect(copy.chapters[0]!.items).toHaveLength(1);
    expect(await store.readJournal('first')).toEqual(from);
    expect((await catalog.list()).sessions.map(each => each.sessionId)).toEqual(['first', copyId]);
    expect((await catalog.named()).map(each => each.title)).toEqual(['before the fix']);
  });

  test('keep a name that they are given, behind a torn line too, and their place in the list', async () => {
    await add('a', 1, asks('One'));
    await add('b', 2, asks('Two'));
    const path = join(root, 'a', 'journal.jsonl');
    await writeFile(path, `${await readFile(path, 'utf8')}{"type":"turn.en`);
    const { store, catalog } = openWindow();
    await catalog.rename('a', '  My  name \u202e ');
    expect(await titles(catalog)).toEqual(['Two', 'My name']);
    const { state, events, unreadable } = restoreSession(await store.readJournal('a'));
    expect([state.title, events.map(({ seq }) => seq), unreadable]).toEqual(['My name', [1, 2], 0]);
    await catalog.rename('a', ' ');
    expect((await catalog.read('a')).title).toBe('My name');
    await expect(catalog.rename('none', 'x')).rejects.toThrow('There is no session none.');
  });

  describe('that are old', () => {
    const old = () => now - 40 * day;
    const tidy = (days: number, ...open: readonly string[]) =>
      openWindow().catalog.tidy({ days, isOpen: id => open.includes(id) });
    const left = async () => (await openWindow().catalog.list()).sessions.map(({ sessionId }) => sessionId);

    test('go to the trash, unless open, named, waiting for review or damaged', async () => {
      const review = {
        path: '/f',
        shown: 'f',
        change: 'modified',
        base: '0',
        present: '1',
        hunks: [],
      } as const;
      await add('plain', old(), asks('Plain'));
      await add('open', old(), asks('Open'));
      await add('named', old(), asks('Named'), { type: 'session.renamed', title: 'Mine' });
      await add('waiting', old(), asks('Waiting'), { type: 'review.changed', path: '/f', review });
      await add('damaged', old(), asks('Damaged'));
      const path = join(root, 'damaged', 'journal.jsonl');
      await writeFile(path, `${await readFile(path, 'utf8')}what is this\n`);
      await add('young', now - 20 * day, asks('Young'));
      await tidy(30, 'open');
      expect((await left()).toSorted()).toEqual(['damaged', 'named', 'open', 'waiting', 'young']);
      await openWindow().catalog.bringBack('plain');
      expect(await left()).toContain('plain');
    });

    test('stay when nothing is set', async () => {
      await add('plain', old(), asks('Plain'));
      await tidy(0);
      expect(await left()).toEqual(['plain']);
    });

    test('are deleted for good after a week in the trash', async () => {
      await add('plain', old(), asks('Plain'));
      await tidy(30);
      now += 6 * day;
      await tidy(0);
      await openWindow().catalog.bringBack('plain');
      await tidy(30);
      now += 8 * day;
      await tidy(0);
      await expect(openWindow().catalog.bringBack('plain')).rejects.toThrow('no longer in the trash');
    });
  });

  test('a thousand of them are listed from the index with none of them read', async () => {
    for (let index = 0; index < 1000; index++) {
      await mkdir(join(root, `s${index}`), { recursive: true });
      const line = JSON.stringify({ ...asks(`Task ${index}`), seq: 1, at: index + 1 });
      await writeFile(join(root, `s${index}`, 'journal.jsonl'), `${line}\n`);
    }
    await openWindow().catalog.list();
    await add('s500', 5000, asks('Again'));
    const { store, catalog } = openWindow();
    expect((await catalog.list('again')).sessions).toMatchObject([{ sessionId: 's500' }]);
    expect(store.scans).toEqual(['s500 further']);
  });
});
