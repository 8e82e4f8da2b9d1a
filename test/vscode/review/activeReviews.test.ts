import { describe, expect, test } from 'vitest';
import { ReviewLedger } from '../../../src/extension/core/changes/ledger.ts';
import { utf8Format } from '../../../src/extension/platform/fileSystem.ts';
import { ActiveReviews, type ReviewedSession } from '../../../src/extension/vscode/review/activeReviews.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryBlobStore } from '../../support/memoryBlobStore.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

const path = '/w/a.txt';
const before = 'a\nb\nc\nd\ne\n';
const after = 'a\nB\nc\nd\nE\n';

async function makeSession() {
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
  await files.writeText(path, after, utf8Format);
  ledger.agentWrote(path, before, after, utf8Format, 'c1');
  const listeners = new Set<() => void>();
  let present: ReviewedSession['present'] = { changes: { ledger } };
  const session: ReviewedSession = {
    get present() {
      return present;
    },
    onDidSwitch: listener => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const leave = () => {
    present = undefined;
    for (const listener of listeners) listener();
  };
  return { files, ledger, session, leave };
}

describe('what waits for review in the open session', () => {
  test('is told once, however many hunks are decided at once', async () => {
    const { ledger, session } = await makeSession();
    const reviews = new ActiveReviews(session);
    const reported: string[][] = [];
    reviews.onDidChange(paths => reported.push([...paths]));
    await Promise.resolve();
    expect(reviews.pending).toHaveLength(1);
    for (const { id } of ledger.review(path)!.hunks) ledger.accept({ path, hunkId: id });
    await Promise.resolve();
    expect(reported).toEqual([[path], [path]]);
    expect(reviews.pending).toEqual([]);
  });

  test('is told of hundreds of files in a few goes', async () => {
    const { ledger, session } = await makeSession();
    const reviews = new ActiveReviews(session);
    const reported: ReadonlySet<string>[] = [];
    reviews.onDidChange(paths => reported.push(paths));
    const paths = Array.from({ length: 300 }, (_, at) => `/w/${at}.txt`);
    for (const each of paths) {
      ledger.agentWrote(each, before, after, utf8Format, 'c1');
      await Promise.resolve();
    }
    const known = () => new Set(reported.flatMap(each => [...each]));
    await expect.poll(() => known().size).toBe(1 + paths.length);
    expect(reported.length).toBeLessThan(30);
    // After a pause the next one is told at once again.
    const acceptNext = async () => {
      const goes = reported.length;
      ledger.accept({ path: paths.pop()! });
      await Promise.resolve();
      return reported.length - goes;
    };
    await expect.poll(acceptNext, { interval: 300 }).toBe(1);
    reviews.dispose();
  });

  test('is gone with the session, and that is told', async () => {
    const { session, leave } = await makeSession();
    const reviews = new ActiveReviews(session);
    await Promise.resolve();
    const reported: string[][] = [];
    reviews.onDidChange(paths => reported.push([...paths]));
    leave();
    await Promise.resolve();
    expect(reported).toEqual([[path]]);
    expect(reviews.pendingIn(path)).toBeUndefined();
  });

  test('knows what was rejected last, through undo and redo', async () => {
    const { files, ledger, session } = await makeSession();
    const reviews = new ActiveReviews(session);
    const [first, second] = ledger.review(path)!.hunks;
    const becomes = async (text: string) => {
      await files.writeText(path, text, utf8Format);
      ledger.follow(path, text);
      await Promise.resolve();
    };
    await ledger.reject({ path, hunkId: second!.id });
    await becomes(after);
    expect(reviews.lastRejected).toBeUndefined();
    await becomes('a\nB\nc\nd\ne\n');
    expect(reviews.lastRejected?.hunkId).toBe(second!.id);
    await ledger.reject({ path, hunkId: first!.id });
    await Promise.resolve();
    expect(reviews.lastRejected?.hunkId).toBe(first!.id);
    await ledger.bringBack(path, first!.id);
    await Promise.resolve();
    expect(reviews.lastRejected?.hunkId).toBe(second!.id);
  });
});
