import { beforeEach, describe, expect, it } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { wholeOf } from '../../../src/extension/core/changes/wholeFiles.ts';
import { plainText } from '../../../src/extension/platform/fileSystem.ts';
import { pendingChanges } from '../../../src/extension/review/fileMode.ts';
import { writerNames } from '../../../src/protocol/changes.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { notebookSamples } from '../../support/notebookSamples.ts';

const path = '/w/a.txt';
const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nd\nE\n';
const writer = { kind: 'command', callId: 'c1', line: 'sed -i' } as const;

describe('what waits in a file that another branch has without it', () => {
  let files: MemoryFileSystem;
  let blobs: MemoryBlobStore;
  let ledger: ReviewLedger;
  beforeEach(() => {
    files = new MemoryFileSystem();
    blobs = new MemoryBlobStore();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const show = async (each: string) => each;
    ledger = new ReviewLedger({ files, blobs, clock: new ManualClock(), log, show, emit() {} });
  });

  const write = async (text: string | Uint8Array | null, at = path) => {
    if (text === null) await files.delete(at);
    else await files.writeBytes(at, Buffer.from(text));
    await ledger.catchUp(at);
  };
  const agentWrites = async (from: string | null, to: string, at = path) => {
    await files.writeText(at, to, plainText);
    ledger.agentWrote(at, from, to, plainText, 'chapter', writer);
  };
  const waiting = (at = path) => {
    const review = ledger.review(at);
    return (review ? pendingChanges(review) : []).map(hunk => [hunk.id, writerNames(hunk), hunk.touched]);
  };

  it('waits again as it was, with what was typed beside it before, and goes back', async () => {
    await agentWrites(before, after);
    await write(`mine\n${after}`);
    const there = waiting();
    expect(there).toHaveLength(2);
    await write(before);
    expect(waiting()).toEqual([]);
    await write(`mine\n${after}`);
    expect(waiting()).toEqual(there);
    expect(await ledger.reject({})).toEqual([]);
    expect((await files.readText(path)).text).toBe(`mine\n${before}`);
  });

  it('waits again also where its file is gone there, or lines beside it are others on the way back', async () => {
    await agentWrites(null, after);
    const there = waiting();
    await write(null);
    expect(waiting()).toEqual([]);
    await write(`${after}theirs\n`);
    expect(waiting()).toEqual(there);
  });

  it('waits again as a whole, and by cell', async () => {
    const picture = Buffer.of(0, 2);
    await files.writeBytes(path, picture);
    const change = { before: wholeOf({ bytes: Buffer.of(0, 1) }), after: wholeOf({ bytes: picture }) };
    ledger.agentLeft(path, change, 'chapter', writer);
    const notebook = '/w/tides.ipynb';
    const { text } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;
    await agentWrites(text, text.replace('tides.read()', 'tides.load()'), notebook);
    const there = [waiting(), waiting(notebook)];
    expect(there.map(all => all.length)).toEqual([1, 1]);
    await write(Buffer.of(0, 1));
    await write(text, notebook);
    expect([waiting(), waiting(notebook)]).toEqual([[], []]);
    await write(picture);
    await write(text.replace('tides.read()', 'tides.load()'), notebook);
    expect([waiting(), waiting(notebook)]).toEqual(there);
  });

  it('waits without what was accepted there, and no more once the agent has written', async () => {
    await agentWrites(before, after);
    const [[first], [second]] = waiting() as [[number], [number]];
    await write(before.replace('b', 'B'));
    expect(waiting().map(([id]) => id)).toEqual([first]);
    ledger.accept({ path });
    await write(after);
    expect(waiting().map(([id]) => id)).toEqual([second]);

    await write(before);
    await agentWrites(before, `${before}f\n`);
    const there = waiting();
    await write(`${after}f\n`);
    expect(waiting()).toEqual(there);
  });
});
