import { describe, expect, it } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import type { ReviewedFile } from '../../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const path = '/w/a.txt';
const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nd\nE\n';

function makeLedger() {
  const files = new MemoryFileSystem();
  const blobs = new MemoryBlobStore();
  const events: SessionEventBody[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const parts = { files, blobs, clock: new ManualClock(), log, show: async (each: string) => each };
  const make = () => new ReviewLedger({ ...parts, emit: event => events.push(event) });
  const reviews = () => {
    const found = new Map<string, ReviewedFile | undefined>();
    for (const event of events) if (event.type === 'review.changed') found.set(event.path, event.review);
    return [...found.values()].filter(review => review !== undefined);
  };
  return { files, blobs, events, ledger: make(), make, reviews };
}

async function writtenByAgent() {
  const world = makeLedger();
  await world.files.writeText(path, after, utf8Format);
  world.ledger.agentWrote(path, before, after, utf8Format, 'c1');
  await world.ledger.flush();
  return world;
}

async function textOf(files: MemoryFileSystem): Promise<string> {
  return (await files.readText(path)).text;
}

describe('the ledger', () => {
  it('tells the journal of each hunk with what the panel shows', async () => {
    const { reviews } = await writtenByAgent();
    expect(reviews()).toMatchObject([
      {
        path,
        change: 'modified',
        hunks: [
          {
            id: 2,
            chapterIds: ['c1'],
            lines: [
              { kind: 'removed', text: 'b' },
              { kind: 'added', text: 'B' },
            ],
          },
          { id: 1, status: 'pending' },
        ],
      },
    ]);
  });

  it('decides on what was told and nothing else, where a decision names the files that were shown', async () => {
    const { ledger, files, reviews } = await writtenByAgent();
    const more = 'a\nB and more\nc\nd\nE\n';
    await files.writeText(path, more, utf8Format);
    // Nobody was told of it yet, as nobody was of a file that is new.
    ledger.agentWrote(path, after, more, utf8Format, 'c1');
    ledger.agentWrote('/w/new.txt', null, 'new\n', utf8Format, 'c1');
    ledger.accept({ paths: [path, '/w/new.txt'] });
    await ledger.flush();
    expect(reviews().map(each => [each.path, each.hunks.map(({ id }) => id)])).toEqual([
      [path, [2]],
      ['/w/new.txt', [1]],
    ]);
    ledger.accept({ paths: ['/w/new.txt'] });
    expect(ledger.paths).toEqual([path]);
    await ledger.reject({ paths: [path] });
    expect(await textOf(files)).toBe('a\nb\nc\nd\nE\n');
  });

  it('shows nothing of a file after a reload in which everything was rejected', async () => {
    const { ledger, make, reviews, files } = await writtenByAgent();
    await ledger.reject({});
    await ledger.flush();
    expect(reviews().flatMap(({ hunks }) => hunks.map(({ status }) => status))).toEqual([
      'rejected',
      'rejected',
    ]);
    const again = make();
    await again.restore(reviews());
    await again.flush();
    expect([reviews(), again.paths]).toEqual([[], []]);
    expect(await textOf(files)).toBe(before);
  });

  it('decides on what one writer wrote', async () => {
    const { ledger, files } = await writtenByAgent();
    const more = after.replace('c', 'C');
    await files.writeText(path, more, utf8Format);
    ledger.agentWrote(path, after, more, utf8Format, 'c1', {
      kind: 'command',
      callId: 'x',
      line: 'sed -i s/c/C/ a.txt',
    });
    expect(await ledger.reject({ writer: 'rm a.txt' })).toEqual([]);
    expect(await textOf(files)).toBe(more);
    expect(await ledger.reject({ writer: 'sed -i s/c/C/ a.txt' })).toEqual([]);
    expect(await textOf(files)).toContain('c\n');
  });

  it('decides on what was told also where an editor has evened its line breaks since', async () => {
    const { ledger, files } = await writtenByAgent();
    const evened = after.replaceAll('\n', '\r\n');
    await files.writeText(path, evened, utf8Format);
    ledger.follow(path, evened);
    expect(await ledger.reject({ paths: [path] })).toEqual([]);
    expect(await textOf(files)).toBe(before.replaceAll('\n', '\r\n'));
  });

  it('accepts without writing', async () => {
    const { ledger, files, reviews } = await writtenByAgent();
    files.failNextWrite = 'noSpace';
    ledger.accept({ path });
    await ledger.flush();
    expect(await textOf(files)).toBe(after);
    expect(reviews()).toEqual([]);
    expect(ledger.paths).toEqual([]);
  });

  it('rejects one hunk and leaves the other and the typing', async () => {
    const { ledger, files } = await writtenByAgent();
    const typed = after.replace('c\n', 'c\ntyped\n');
    await files.writeText(path, typed, utf8Format);
    ledger.follow(path, typed);
    expect(await ledger.reject({ path, hunkId: 2 })).toEqual([]);
    expect(await textOf(files)).toBe('a\nb\nc\ntyped\nd\nE\n');
    expect(await ledger.bringBack(path, 2)).toEqual([]);
    expect(await textOf(files)).toBe(typed);
  });

  it('sees what was typed without being told before it writes', async () => {
    const { ledger, files } = await writtenByAgent();
    await files.writeText(path, `top\n${after}`, utf8Format);
    expect(await ledger.reject({})).toEqual([]);
    expect(await textOf(files)).toBe(`top\n${before}`);
  });

  it('undoes a hunk that the user wrote into only when they say so', async () => {
    const { ledger, files } = await writtenByAgent();
    const typed = after.replace('B\n', 'mine\n');
    await files.writeText(path, typed, utf8Format);
    expect(await ledger.reject({ path })).toMatchObject([{ kind: 'touched', hunkIds: [2] }]);
    expect(await textOf(files)).toBe(typed.replace('E\n', 'e\n'));
    expect(await ledger.reject({ path }, 'evenTouched')).toEqual([]);
    expect(await textOf(files)).toBe(before);
  });

  it('says so when the file cannot be written, and keeps the hunk', async () => {
    const { ledger, files } = await writtenByAgent();
    files.failNextWrite = 'denied';
    expect(await ledger.reject({ path })).toMatchObject([{ kind: 'failed' }]);
    expect(await textOf(files)).toBe(after);
    expect(ledger.review(path)!.hunks.map(hunk => hunk.status)).toEqual(['pending', 'pending']);
  });

  it('decides by chapter', async () => {
    const { ledger, files } = await writtenByAgent();
    const again = `new\n${after}`;
    await files.writeText(path, again, utf8Format);
    ledger.agentWrote(path, after, again, utf8Format, 'c2');
    await ledger.reject({ chapterId: 'c2' });
    expect(await textOf(files)).toBe(after);
    ledger.accept({ chapterId: 'c1' });
    expect(ledger.review(path)?.hunks.filter(hunk => hunk.status === 'pending') ?? []).toEqual([]);
  });

  it('takes a created file away when all of it is rejected', async () => {
    const { ledger, files } = makeLedger();
    await files.writeText(path, 'new\n', utf8Format);
    ledger.agentWrote(path, null, 'new\n', utf8Format, 'c1');
    await ledger.reject({});
    expect(await files.stat(path)).toBeUndefined();
  });

  it('takes what another program put back for decided: a hunk, the whole file, a file that was new', async () => {
    const { ledger, files } = await writtenByAgent();
    await files.writeText(path, after.replace('B', 'b'), utf8Format);
    await ledger.catchUp(path);
    expect(ledger.review(path)?.hunks).toMatchObject([{ status: 'pending', start: 4 }]);
    await files.writeText(path, before, utf8Format);
    await ledger.catchUp(path);
    expect(ledger.paths).toEqual([]);
    ledger.agentWrote('/w/new.txt', null, 'new\n', utf8Format, 'c1');
    await ledger.catchUp('/w/new.txt');
    expect(ledger.paths).toEqual([]);
  });

  it('follows a rename and forgets a file that is gone', async () => {
    const { ledger, files } = await writtenByAgent();
    ledger.rename(path, '/w/b.txt');
    await files.writeText('/w/b.txt', after, utf8Format);
    await ledger.reject({ path: '/w/b.txt', hunkId: 2 });
    expect((await files.readText('/w/b.txt')).text).toBe('a\nb\nc\nd\nE\n');
    ledger.follow('/w/b.txt', null);
    expect(ledger.paths).toEqual([]);
  });

  it('comes back from the journal, also when the file was edited in between', async () => {
    const { files, make, reviews } = await writtenByAgent();
    await files.writeText(path, `${after}late\n`, utf8Format);
    const resumed = make();
    await resumed.restore(reviews());
    expect(resumed.review(path)!.hunks.map(hunk => hunk.id)).toEqual([2, 1]);
    await resumed.reject({});
    expect(await textOf(files)).toBe(`${before}late\n`);
  });

  it('gives a review up whose texts are no longer kept', async () => {
    const { blobs, make, reviews } = await writtenByAgent();
    blobs.kept.clear();
    const resumed = make();
    await resumed.restore(reviews());
    expect(resumed.paths).toEqual([]);
    expect(reviews()).toEqual([]);
  });

  it('hears nothing about a file while it is written by Folio itself', async () => {
    const { ledger } = await writtenByAgent();
    await ledger.hold(path, async () => ledger.follow(path, 'half'));
    expect(ledger.review(path)!.present.join('')).toBe(after);
  });
});
