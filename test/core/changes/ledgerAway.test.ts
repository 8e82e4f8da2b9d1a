import { beforeEach, describe, expect, it } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { toWholeFile } from '../../../src/extension/core/changes/wholeFiles.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { pendingChanges } from '../../../src/extension/review/fileMode.ts';
import { writerNames } from '../../../src/protocol/changes.ts';
import type { SessionEventBody } from '../../../src/protocol/events.ts';
import { reduce } from '../../../src/protocol/fold/reduce.ts';
import { emptySession, type SessionState } from '../../../src/protocol/state.ts';
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
  let state: SessionState;
  const makeLedger = () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const show = async (each: string) => each;
    const emit = (event: SessionEventBody) => {
      state = reduce(state, { ...event, seq: state.seq + 1, at: 1 });
    };
    return new ReviewLedger({ files, blobs, clock: new ManualClock(), log, show, emit });
  };
  const changeOf = async (file: string, was: Buffer, is: Buffer) => ({
    before: await toWholeFile(files, file, { bytes: was }),
    after: await toWholeFile(files, file, { bytes: is }),
  });
  beforeEach(() => {
    files = new MemoryFileSystem();
    blobs = new MemoryBlobStore();
    state = emptySession;
    ledger = makeLedger();
  });
  /** Folio is killed, and reads from the journal what is known. */
  const kill = async () => {
    await ledger.flush();
    ledger = makeLedger();
    await ledger.restore(state.reviews, state.shelved);
  };

  const write = async (text: string | Uint8Array | null, at = path) => {
    if (text === null) await files.delete(at);
    else await files.writeBytes(at, Buffer.from(text));
    await ledger.catchUp(at);
  };
  const agentWrites = async (from: string | null, to: string, at = path) => {
    await files.writeText(at, to, utf8Format);
    ledger.agentWrote(at, from, to, utf8Format, 'chapter', writer);
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
    const change = await changeOf(path, Buffer.of(0, 1), picture);
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

  it('waits again after Folio was killed there, on this branch or on the way back', async () => {
    const picture = Buffer.of(0, 2);
    const other = '/w/b.png';
    await blobs.put(Buffer.of(0, 1));
    await agentWrites(before, after);
    await files.writeBytes(other, picture);
    const change = await changeOf(other, Buffer.of(0, 1), picture);
    ledger.agentLeft(other, change, 'chapter', writer);
    const there = [waiting(), waiting(other)];
    await write(before);
    await write(Buffer.of(0, 1), other);
    await kill();
    expect([waiting(), waiting(other)]).toEqual([[], []]);
    expect(ledger.followed).toEqual([path, other]);
    await write(`mine\n${after}`);
    await write(picture, other);
    expect([waiting(), waiting(other)]).toEqual(there);
    await write(before);
    await ledger.flush();
    await files.writeText(path, after, utf8Format);
    await kill();
    expect([waiting(), waiting(other)]).toEqual(there);
    expect(await ledger.reject({})).toEqual([]);
    expect((await files.readText(path)).text).toBe(before);
  });

  it('waits again after a kill with what waits on the other branch in the same file', async () => {
    await agentWrites(before, after);
    const there = waiting();
    const [[first]] = there as [[number]];
    await write(before.replace('b', 'B'));
    await kill();
    expect(waiting().map(([id]) => id)).toEqual([first]);
    await write(after);
    expect(waiting()).toEqual(there);
  });

  it('is forgotten by the journal, too, where the agent has written since', async () => {
    await agentWrites(before, after);
    await write(before);
    await kill();
    expect(state.shelved.map(each => each.path)).toEqual([path]);
    await agentWrites(before, `${before}f\n`);
    const there = waiting();
    await kill();
    expect(state.shelved).toEqual([]);
    await write(`${after}f\n`);
    expect(waiting()).toEqual(there);
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
