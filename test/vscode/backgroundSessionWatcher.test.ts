import { expect, test } from 'vitest';
import { Emitter } from '../../src/extension/base/emitter.ts';
import { BackgroundSessionWatcher } from '../../src/extension/vscode/features/sessions/backgroundSessionWatcher.ts';
import { WatchedSession } from '../../src/extension/vscode/features/sessions/watchedSession.ts';
import type { BackgroundOrder, BackgroundReply, BackgroundSession } from '../../src/protocol/background.ts';

const session: BackgroundSession = { sessionId: 's', title: 'Work', status: 'working', folders: [] };
const settled = () => new Promise(resolve => setImmediate(resolve));

/** A connection of the host: replies in order, then the end, which tests set off. */
class Scripted {
  private readonly replies: (BackgroundReply | Error | undefined)[] = [{ type: 'caughtUp' }];
  private wake: (() => void) | undefined;
  isClosed = false;

  async next(): Promise<BackgroundReply | undefined> {
    while (this.replies.length === 0) await new Promise<void>(resolve => (this.wake = resolve));
    const reply = this.replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  }

  push(reply: BackgroundReply | Error | undefined): void {
    this.replies.push(reply);
    this.wake?.();
  }

  sendLine(): void {}

  close(): void {
    this.isClosed = true;
    this.push(undefined);
  }
}

function makeWatch() {
  const changed = new Emitter<void>();
  const list = { known: [session] as readonly BackgroundSession[], onDidChange: changed.event };
  const connections: Scripted[] = [];
  const warned: string[] = [];
  let isRunning = true;
  let offered = 0;
  let wantsRetry = false;
  const connect = async (order: BackgroundOrder) => {
    expect(order).toEqual({ type: 'attach', sessionId: 's' });
    if (!isRunning) return undefined;
    const made = new Scripted();
    connections.push(made);
    return made;
  };
  const watch = new BackgroundSessionWatcher({ connect }, list, async () => {
    offered++;
    return wantsRetry;
  });
  const watched = new WatchedSession('s', { warn: sentence => void warned.push(sentence) });
  return {
    watch,
    watched,
    connections,
    warned,
    offered: () => offered,
    setRunning: (value: boolean) => (isRunning = value),
    setRetry: (value: boolean) => (wantsRetry = value),
    setList(known: readonly BackgroundSession[]) {
      list.known = known;
      changed.fire();
    },
  };
}

test('a reply that cannot be read is logged, and the session is followed again: it has not ended', async () => {
  const { watch, watched, connections, warned, offered } = makeWatch();
  expect(await watch.watch(watched)).toBe(true);
  connections[0]!.push(new Error('A line of the input is longer than 64 MB.'));
  await settled();
  expect(warned).toEqual([expect.stringContaining('longer than 64 MB')]);
  expect(connections).toHaveLength(2);
  expect(connections[0]!.isClosed).toBe(true);
  expect(watched.hasLeft).toBe(false);
  expect(watched.send({ type: 'turn.stop' })).toBe(true);
  expect(offered()).toBe(0);
});

test('what breaks again is tried once more only when the user says so', async () => {
  const { watch, watched, connections, offered, setRetry } = makeWatch();
  await watch.watch(watched);
  connections[0]!.push(new Error('Broken.'));
  await settled();
  setRetry(true);
  connections[1]!.push(new Error('Broken.'));
  await settled();
  expect([offered(), connections.length]).toEqual([1, 3]);
  setRetry(false);
  connections[2]!.push(new Error('Broken.'));
  await settled();
  expect([offered(), connections.length]).toEqual([2, 3]);
  expect(watched.hasLeft).toBe(false);
  expect(watched.send({ type: 'turn.stop' })).toBe(false);
});

test('a connection that ends alone is made again, while the list stays as it is', async () => {
  const { watch, watched, connections } = makeWatch();
  await watch.watch(watched);
  connections[0]!.push(undefined);
  await settled();
  expect(connections).toHaveLength(2);
  expect(watched.hasLeft).toBe(false);
});

test('a session whose host is gone is followed in the next one, and ends where that has it not', async () => {
  const { watch, watched, connections, setRunning, setList } = makeWatch();
  await watch.watch(watched);
  setRunning(false);
  connections[0]!.push(undefined);
  await settled();
  setRunning(true);
  setList([{ ...session, status: 'interrupted' }]);
  await settled();
  expect(connections).toHaveLength(1);
  setList([{ ...session, status: 'coming' }]);
  await settled();
  expect(connections).toHaveLength(2);
  setRunning(false);
  connections[1]!.push(undefined);
  await settled();
  setList([]);
  await settled();
  expect(watched.hasLeft).toBe(true);
});

test('a session that ended is over, and one that no page shows any more is not followed again', async () => {
  const one = makeWatch();
  await one.watch.watch(one.watched);
  one.connections[0]!.push({ type: 'ended' });
  await settled();
  expect([one.watched.hasLeft, one.connections.length]).toEqual([true, 1]);
  const two = makeWatch();
  await two.watch.watch(two.watched);
  two.watched.dispose();
  await settled();
  expect(two.connections).toHaveLength(1);
});
