import { describe, expect, test } from 'vitest';
import type { SessionStore } from '../../src/extension/platform/storage.ts';

export interface SessionStoreUnderTest {
  readonly store: SessionStore;
  readonly dispose: () => Promise<void> | void;
}

/** What every `SessionStore` promises within one process; call it with a maker for each adapter. */
export function sessionStoreContract(name: string, make: () => Promise<SessionStoreUnderTest>): void {
  const check = (behaviour: string, body: (store: SessionStore) => Promise<void>) =>
    test(behaviour, async () => {
      const { store, dispose } = await make();
      try {
        await body(store);
      } finally {
        await dispose();
      }
    });

  describe(`${name} keeps the contract of session stores`, () => {
    contractOfJournals(check);
    contractOfTrash(check);
    contractOfCallOutputs(check);

    check('the index comes back as it was written, and is not there before', async store => {
      expect(await store.readIndex('sessions')).toBeUndefined();
      await store.writeIndex('sessions', '{"a":1}');
      await store.writeIndex('sessions', '{"žluť":2}');
      expect(await store.readIndex('sessions')).toBe('{"žluť":2}');
      expect(await store.readIndex('statistics')).toBeUndefined();
      await store.writeIndex('statistics', '{"b":3}');
      expect(await store.readIndex('sessions')).toBe('{"žluť":2}');
      expect(await store.list()).toEqual([]);
    });
  });
}

type Check = (behaviour: string, body: (store: SessionStore) => Promise<void>) => void;

function contractOfJournals(check: Check): void {
  check('what was appended can be read at once, without waiting for the disk', async store => {
    const journal = await store.openJournal('s1');
    journal.append('one');
    expect(journal.waiting).toBe(0);
    expect(await store.readJournal('s1')).toEqual(['one']);
    await journal.close();
  });

  check('a scan gives what is behind a place, and where that ends', async store => {
    await write(store, 's1', 'one', 'žwei', 'three');
    const first = await scan(store, 's1', 0);
    expect(first).toEqual({ lines: ['one', 'žwei', 'three'], start: 0, end: 16 });
    expect(await scan(store, 's1', 4)).toEqual({ lines: ['žwei', 'three'], start: 4, end: 16 });
    expect(await scan(store, 's1', 16)).toEqual({ lines: [], start: -1, end: 0 });
    await write(store, 's1', 'four');
    expect(await scan(store, 's1', 16)).toEqual({ lines: ['four'], start: 16, end: 21 });
  });

  check('a scan from where no line begins starts again', async store => {
    await write(store, 's1', 'one', 'two');
    for (const from of [2, 9, -1, 1e9])
      expect(await scan(store, 's1', from)).toEqual({ lines: ['one', 'two'], start: 0, end: 8 });
  });

  check('journals of subagents stand beside that of their session, each by its call', async store => {
    const own = await store.openJournal('s1');
    own.append('own');
    for (const callId of ['call1', 'a/../b', 'a_.._b']) {
      const journal = await store.openAgentJournal('s1', callId);
      journal.append(`one of ${callId}`);
      await journal.close();
      const again = await store.openAgentJournal('s1', callId);
      again.append(`two of ${callId}`);
      await again.close();
      expect(await agentLines(store, 's1', callId)).toEqual([`one of ${callId}`, `two of ${callId}`]);
    }
    await own.close();
    expect(await store.readJournal('s1')).toEqual(['own']);
    expect(await store.list()).toMatchObject([{ sessionId: 's1', size: 4 }]);
    expect(await agentLines(store, 's1', 'nobody')).toEqual([]);
    expect(await agentLines(store, 's2', 'call1')).toEqual([]);
  });

  check('only a session that is there is reopened, and nothing is made for another', async store => {
    await expect(store.reopenJournal('none')).rejects.toThrow('There is no session none.');
    expect(await store.list()).toEqual([]);
    await write(store, 's1', 'one');
    const journal = await store.reopenJournal('s1');
    journal.append('two');
    await journal.close();
    expect(await store.readJournal('s1')).toEqual(['one', 'two']);
    expect(await store.list()).toMatchObject([{ sessionId: 's1', size: 8 }]);
  });
}

function contractOfTrash(check: Check): void {
  check('a removed session is gone from the list until it is brought back', async store => {
    await write(store, 's1', 'one');
    await store.saveOutput('s1', 'out.txt', 'kept');
    await store.remove('s1', 1000);
    expect(await store.list()).toEqual([]);
    await expect(store.readJournal('s1')).rejects.toThrow('There is no session s1.');
    await expect(store.remove('s1', 1000)).rejects.toThrow('There is no session s1.');
    await store.bringBack('s1');
    expect(await store.readJournal('s1')).toEqual(['one']);
    await write(store, 's1', 'two');
    expect(await store.readJournal('s1')).toEqual(['one', 'two']);
    await expect(store.bringBack('s1')).rejects.toThrow('no longer in the trash');
  });

  check('the trash loses what was put there before a time, and nothing else', async store => {
    for (const [id, at] of [
      ['old', 1000],
      ['new', 2000],
    ] as const) {
      await write(store, id, id);
      await store.remove(id, at);
    }
    await write(store, 'kept', 'x');
    await store.emptyTrash(2000);
    await expect(store.bringBack('old')).rejects.toThrow('no longer in the trash');
    await store.bringBack('new');
    expect((await store.list()).map(({ sessionId }) => sessionId).sort()).toEqual(['kept', 'new']);
  });

  check('nothing takes the place of a session that is there', async store => {
    await write(store, 's1', 'deleted');
    await store.remove('s1', 1000);
    await write(store, 's1', 'present');
    await expect(store.bringBack('s1')).rejects.toThrow('already here');
    expect(await store.readJournal('s1')).toEqual(['present']);
  });
}

function contractOfCallOutputs(check: Check): void {
  check('what a call prints is there at once, and goes when it is discarded', async store => {
    expect(await store.readCallOutput('s1', 'running-c1.log')).toBeUndefined();
    const kept = store.openRunningOutput('s1', 'running-c1.log');
    kept.append('one\n');
    kept.append('žwei');
    const read = await store.readCallOutput('s1', 'running-c1.log');
    expect(read).toEqual({ text: 'one\nžwei', isWhole: true });
    expect(await store.readCallOutput('s1', 'running-c2.log')).toBeUndefined();
    kept.discard();
    kept.discard();
    expect(await store.readCallOutput('s1', 'running-c1.log')).toBeUndefined();
  });

  check('what an earlier run kept is discarded by its name', async store => {
    store.openRunningOutput('s1', 'running-c1.log').append('left behind');
    store.openRunningOutput('s1', 'running-c1.log').discard();
    expect(await store.readCallOutput('s1', 'running-c1.log')).toBeUndefined();
  });
}

async function write(store: SessionStore, id: string, ...lines: readonly string[]): Promise<void> {
  const journal = await store.openJournal(id);
  for (const line of lines) journal.append(line);
  await journal.close();
}

async function agentLines(store: SessionStore, id: string, callId: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const piece of store.scanAgentJournal(id, callId)) lines.push(...piece.lines);
  return lines;
}

async function scan(store: SessionStore, id: string, from: number) {
  const lines: string[] = [];
  let start = -1;
  let end = 0;
  for await (const piece of store.scanJournal(id, from)) {
    if (lines.length === 0) start = piece.start;
    lines.push(...piece.lines);
    end = piece.end;
  }
  return { lines, start, end };
}
