import { describe, expect, it } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const path = '/w/a.txt';
const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nd\nE\n';

async function writtenByAgent(text = after, base: string | null = before) {
  const files = new MemoryFileSystem();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const ledger = new ReviewLedger({
    files,
    log,
    blobs: new MemoryBlobStore(),
    clock: new ManualClock(),
    show: async each => each,
    emit: () => undefined,
  });
  await files.writeText(path, text, utf8Format);
  ledger.agentWrote(path, base, text, utf8Format, 'c1');
  /** What an editor does on undo and redo: another text stands there. */
  const becomes = async (changed: string) => {
    await files.writeText(path, changed, utf8Format);
    ledger.follow(path, changed);
  };
  const statuses = () => ledger.review(path)?.hunks.map(({ status }) => status) ?? [];
  const text2 = async () => (await files.readText(path)).text;
  return { ledger, files, becomes, statuses, text: text2 };
}

describe('undo and redo in the editor', () => {
  it('of a rejection brings the hunks back as pending, and takes them away again', async () => {
    const { ledger, becomes, statuses, text } = await writtenByAgent();
    await ledger.reject({ path });
    expect(statuses()).toEqual(['rejected', 'rejected']);
    await becomes(after);
    expect(statuses()).toEqual(['pending', 'pending']);
    await becomes(before);
    expect(statuses()).toEqual(['rejected', 'rejected']);
    await becomes(after);
    await ledger.reject({ path });
    expect(await text()).toBe(before);
  });

  it('of the agent’s write leaves nothing to review, and redo has it all again', async () => {
    const { ledger, becomes, statuses } = await writtenByAgent();
    await becomes(before);
    expect(ledger.paths).toEqual([]);
    await becomes(`${before}typed\n`);
    await becomes(before);
    await becomes(after);
    expect(statuses()).toEqual(['pending', 'pending']);
    expect(ledger.review(path)?.base.join('')).toBe(before);
  });

  it('does not ask again about what was accepted', async () => {
    const { ledger, becomes } = await writtenByAgent();
    const [first, second] = ledger.review(path)!.hunks;
    await ledger.reject({ path, hunkId: second!.id });
    ledger.accept({ path, hunkId: first!.id });
    await becomes(after);
    expect(ledger.review(path)?.hunks.map(({ id, status }) => [id, status])).toEqual([
      [second!.id, 'pending'],
    ]);
    ledger.accept({});
    await becomes(before);
    await becomes(after);
    expect(ledger.paths).toEqual([]);
  });

  it('with other text typed around it brings a single rejected hunk back too', async () => {
    const { ledger, becomes, statuses } = await writtenByAgent();
    const [first] = ledger.review(path)!.hunks;
    await ledger.reject({ path, hunkId: first!.id });
    await becomes('top\na\nb\nc\nd\nE\n');
    await becomes('top\na\nB\nc\nd\nE\n');
    expect(statuses()).toEqual(['pending', 'pending']);
  });
});

describe('a created file', () => {
  it('that was rejected, and is gone, can be brought back', async () => {
    const { ledger, files, statuses, text } = await writtenByAgent('new\nfile\n', null);
    const [hunk] = ledger.review(path)!.hunks;
    await ledger.reject({ path });
    expect(await files.stat(path)).toBeUndefined();
    ledger.follow(path, null);
    await ledger.catchUp(path);
    expect(statuses()).toEqual(['rejected']);
    expect(await ledger.bringBack(path, hunk!.id)).toEqual([]);
    expect(await text()).toBe('new\nfile\n');
    expect(statuses()).toEqual(['pending']);
  });
});

describe('line breaks that an editor evens out', () => {
  it('touch no hunk and are kept by a rejection', async () => {
    const { ledger, becomes, text } = await writtenByAgent('a\r\nB\nc\r\n', 'a\r\nb\nc\r\n');
    await becomes('a\r\nB\r\nc\r\ntyped\r\n');
    expect(ledger.review(path)?.hunks).toMatchObject([{ touched: false, count: 1 }]);
    await ledger.reject({});
    expect(await text()).toBe('a\r\nb\r\nc\r\ntyped\r\n');
  });

  it('are found again when the file is as the agent wrote it', async () => {
    const uneven = 'a\r\nB\nc\r\n';
    const { ledger, becomes } = await writtenByAgent(uneven, 'a\r\nb\nc\r\n');
    await becomes('a\r\nB\r\nc\r\ntyped\r\n');
    await becomes(uneven);
    expect(ledger.review(path)?.hunks).toMatchObject([{ touched: false, count: 1 }]);
    expect(ledger.review(path)?.base.join('')).toBe('a\r\nb\nc\r\n');
  });
});

describe('what is told while Folio itself writes', () => {
  it('is the text of before, and does not bring a rejected hunk back', async () => {
    const { ledger, files, statuses, text } = await writtenByAgent();
    const write = files.writeText.bind(files);
    let reported = false;
    files.writeText = async (...args) => {
      await ledger.catchUp(path);
      ledger.follow(path, after);
      reported = true;
      await write(...args);
    };
    await ledger.reject({ path });
    expect(reported).toBe(true);
    expect(statuses()).toEqual(['rejected', 'rejected']);
    expect(await text()).toBe(before);
  });

  it('two decisions at once are carried out one after the other', async () => {
    const { ledger, statuses, text } = await writtenByAgent();
    const [first, second] = ledger.review(path)!.hunks;
    const problems = await Promise.all([
      ledger.reject({ path, hunkId: first!.id }),
      ledger.reject({ path, hunkId: second!.id }),
      ledger.bringBack(path, first!.id),
    ]);
    expect(problems.flat()).toEqual([]);
    expect(statuses()).toEqual(['pending', 'rejected']);
    expect(await text()).toBe('a\nB\nc\nd\ne\n');
  });

  it('and typed by the user is learned right after', async () => {
    const { ledger, files, statuses } = await writtenByAgent();
    const write = files.writeText.bind(files);
    files.writeText = async (file, written, format, expected) => {
      await write(file, written, format, expected);
      await write(file, `top\n${written}`, format);
    };
    await ledger.reject({ path });
    expect(statuses()).toEqual(['rejected', 'rejected']);
    expect(ledger.review(path)?.base.join('')).toBe(`top\n${before}`);
  });
});
