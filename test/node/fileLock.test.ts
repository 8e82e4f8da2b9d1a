import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileLock, type LockTimes, takeLock } from '../../src/extension/node/files/fileLock.ts';
import { NodeSessionStore } from '../../src/extension/node/sessions/nodeSessionStore.ts';
import { SessionInUseError } from '../../src/extension/platform/storage.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const times = { timeoutMs: 0, heartbeatMs: 20, staleMs: 60_000 };
const patient = { ...times, timeoutMs: 60_000 };
const storeModule = new URL('../../src/extension/node/sessions/nodeSessionStore.ts', import.meta.url).href;

describe('a session that another process has open', () => {
  let root: string;
  let store: NodeSessionStore;
  let other: ChildProcess | undefined;

  beforeEach(async () => {
    root = join(await temporaryFolder('folio-lock-'), 'sessions');
    store = new NodeSessionStore(root, times);
  });

  afterEach(async () => {
    await end('SIGKILL');
  });

  /** Opens the journal in a process of its own, writes a line and continues living. */
  async function openElsewhere(line: string): Promise<void> {
    const script = join(root, '..', 'other.ts');
    await writeFile(
      script,
      `import { NodeSessionStore } from ${JSON.stringify(storeModule)};
       const journal = await new NodeSessionStore(${JSON.stringify(root)}).openJournal('s1');
       journal.append(${JSON.stringify(line)});
       process.stdout.write('open');
       process.once('message', async () => { await journal.close(); process.disconnect(); });`,
    );
    other = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    await once(other.stdout!, 'data');
  }

  async function end(how: 'SIGKILL' | 'close'): Promise<void> {
    if (!other || other.exitCode !== null || other.signalCode !== null) return;
    const ended = once(other, 'exit');
    if (how === 'close') other.send('close');
    else other.kill(how);
    await ended;
  }

  test('is neither written nor deleted, and can be read', async () => {
    await openElsewhere('one');
    await expect(store.openJournal('s1')).rejects.toBeInstanceOf(SessionInUseError);
    await expect(store.openJournal('s1')).rejects.toThrow('open in another window');
    await expect(store.remove('s1', 1)).rejects.toBeInstanceOf(SessionInUseError);
    expect(await store.readJournal('s1')).toEqual(['one']);
  });

  test('is free once that closed it', async () => {
    await openElsewhere('one');
    await end('close');
    const journal = await store.openJournal('s1');
    journal.append('two');
    await journal.close();
    expect(await store.readJournal('s1')).toEqual(['one', 'two']);
    expect(await readdir(join(root, 's1'))).toEqual(['journal.jsonl']);
  });

  test('is free once that was killed, and has every line that was appended', async () => {
    await openElsewhere('one');
    await end('SIGKILL');
    const journal = await store.openJournal('s1');
    journal.append('two');
    await journal.close();
    expect(await store.readJournal('s1')).toEqual(['one', 'two']);
  });

  test('is waited for while it is being closed', async () => {
    await openElsewhere('one');
    const opening = new NodeSessionStore(root, patient).openJournal('s1');
    await end('close');
    await (await opening).close();
  });

  test('is taken over when nobody touched its lock for long, and who had it then writes no more', async () => {
    const first = await store.openJournal('s1');
    first.append('one');
    // As from a machine that has not been heard of since.
    const lock = join(root, 's1', 'lock');
    await writeFile(lock, '1 elsewhere 0\n');
    await expect(store.openJournal('s1')).rejects.toBeInstanceOf(SessionInUseError);
    await expect
      .poll(async () => {
        first.append('lost');
        return first.flush().then(
          () => 'written',
          (error: unknown) => error instanceof SessionInUseError && 'refused',
        );
      })
      .toBe('refused');
    await utimes(lock, 1000, 1000);
    const second = await store.openJournal('s1');
    second.append('two');
    await second.close();
    expect((await store.readJournal('s1')).at(-1)).toBe('two');
    await expect(first.close()).rejects.toBeInstanceOf(SessionInUseError);
  });

  test('that another process took over is no longer written, and neither is what its subagents do', async () => {
    const journal = await store.openJournal('s1');
    const ofAgent = await store.openAgentJournal('s1', 'call1');
    ofAgent.append('one');
    await ofAgent.flush();
    await writeFile(join(root, 's1', 'lock'), '1 elsewhere 0\n');
    await expect
      .poll(async () => {
        ofAgent.append('lost');
        return ofAgent.flush().then(
          () => 'written',
          (error: unknown) => error instanceof SessionInUseError && 'refused',
        );
      })
      .toBe('refused');
    await expect(ofAgent.close()).rejects.toBeInstanceOf(SessionInUseError);
    await expect(journal.close()).resolves.toBeUndefined();
  });
});

describe('the file of a lock', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-lock-');
    await mkdir(folder, { recursive: true });
    path = join(folder, 'lock');
  });

  async function take(within: LockTimes): Promise<FileLock> {
    const lock = await takeLock(path, 'processes', within);
    if (!lock) throw new Error('Another holds it.');
    return lock;
  }

  test('says who holds it, and is gone with its release', async () => {
    const lock = await take(times);
    expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid} ${hostname()} \\w+\n$`));
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('that is empty or unreadable as one keeps others out until it is old', async () => {
    for (const text of ['', 'nonsense', '-1 host x', `0 ${hostname()} x`]) {
      await writeFile(path, text);
      expect(await takeLock(path, 'processes', times)).toBeUndefined();
      await utimes(path, 1000, 1000);
      await (await take(patient)).release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  test("that was touched in the future, before the clock was set back, is nobody's", async () => {
    await writeFile(path, '1 elsewhere 0\n');
    const later = Date.now() / 1000 + 3600;
    await utimes(path, later, later);
    await (await take(times)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('is looked at before a write once it may have been taken over, as after a sleep of the machine', async () => {
    const lock = await take({ timeoutMs: 0, heartbeatMs: 3_600_000, staleMs: 20 });
    await expect.poll(() => lock.isLost).toBe(false);
    await writeFile(path, '1 elsewhere 0\n');
    await expect.poll(() => lock.isLost).toBe(true);
    await lock.release();
    expect(await readFile(path, 'utf8')).toBe('1 elsewhere 0\n');
  });

  test('is got by one of many who find it left behind', async () => {
    // A number that no process has: Linux and macOS give none so high.
    await writeFile(path, `999999999 ${hostname()} x\n`);
    const locks = await Promise.all(Array.from({ length: 8 }, () => take(patient)));
    // Within a process all get it, one after the other; what counts is that nobody fails and one file is left.
    expect(locks).toHaveLength(8);
    expect(await readdir(folder)).toEqual(['lock']);
    for (const lock of locks) await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });
});
