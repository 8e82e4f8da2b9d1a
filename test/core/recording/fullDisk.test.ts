import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { JournalRecorder } from '../../../src/extension/core/recording/recorder.ts';
import { restoreSession } from '../../../src/extension/core/recording/restore.ts';
import { SessionInUseError } from '../../../src/extension/platform/storage.ts';
import type { SessionEvent, SessionEventBody } from '../../../src/protocol/events.ts';
import { MemorySessionStore } from '../../support/memorySessionStore.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** Who may mount a disk in a namespace of their own gets a real one that is full. */
const mounts =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt']).status === 0;

describe('a session on a disk that takes nothing', () => {
  let store: MemorySessionStore;
  let recorder: JournalRecorder;
  let reported: string[];
  let seq: number;

  beforeEach(() => {
    store = new MemorySessionStore();
    reported = [];
    seq = 0;
    // As a session does: what is reported is an event too.
    recorder = new JournalRecorder({
      open: () => store.openJournal('s1'),
      notify: text => {
        reported.push(text);
        record({ type: 'notice.shown', level: 'warning', text });
      },
    });
  });

  function record(body: SessionEventBody): void {
    seq++;
    recorder.record({ ...body, seq, at: seq } satisfies SessionEvent);
  }

  const say = (text: string) =>
    record({ type: 'message.added', message: { role: 'user', parts: [{ kind: 'text', text }] } });
  const numbers = async () => (await store.readJournal('s1')).map(line => JSON.parse(line).seq);

  test('says so once, and adds what came meanwhile as soon as there is space', async () => {
    say('before');
    await recorder.begin();
    store.failWrites = true;
    for (let index = 0; index < 5; index++) {
      say(`full ${index}`);
      await recorder.flush();
    }
    expect(reported).toEqual([expect.stringContaining('the disk is full. Free some space.')]);
    expect(await numbers()).toEqual([1]);
    store.failWrites = false;
    await recorder.flush();
    expect(reported).toEqual([expect.anything(), expect.stringContaining('nothing of it is missing')]);
    say('after');
    await recorder.close();
    expect(await numbers()).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
  });

  test('from its beginning on is recorded whole once there is space', async () => {
    const { openJournal } = store;
    store.openJournal = async () => {
      throw new Error('This disk can only be read.');
    };
    say('first');
    await recorder.begin();
    say('second');
    await recorder.flush();
    expect(reported).toEqual([expect.stringContaining('This disk can only be read.')]);
    store.openJournal = openJournal;
    await recorder.flush();
    await recorder.close();
    expect(reported).toHaveLength(2);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  test('that waits for too much is recorded no longer, says so, and leaves no hole in the journal', async () => {
    await recorder.begin();
    say('before');
    store.failWrites = true;
    await recorder.flush();
    for (let index = 0; index < 40; index++) say('x'.repeat(1_000_000));
    await recorder.flush();
    expect(reported).toEqual([
      expect.stringContaining('not recorded at the moment'),
      expect.stringContaining('no longer recorded'),
    ]);
    store.failWrites = false;
    say('after');
    await recorder.flush();
    await recorder.close();
    expect(await numbers()).toEqual([1]);
  });

  test('when it is closed is missing its end, and says so', async () => {
    await recorder.begin();
    say('before');
    store.failWrites = true;
    say('full');
    await recorder.close();
    expect(reported).toEqual([
      expect.stringContaining('not recorded at the moment'),
      expect.stringContaining('The end of this session is not recorded'),
    ]);
    expect(await numbers()).toEqual([1]);
  });

  test('from its beginning to its end leaves nothing, and says so', async () => {
    store.openJournal = async () => {
      throw new Error('This disk can only be read.');
    };
    say('first');
    await recorder.begin();
    await recorder.close();
    expect(reported.at(-1)).toContain('The end of this session is not recorded');
  });

  test('or that another window has taken over is recorded no longer', async () => {
    store.openJournal = async () => {
      throw new SessionInUseError();
    };
    recorder.resume(undefined);
    say('first');
    await recorder.flush();
    expect(reported).toEqual([expect.stringContaining('no longer recorded: another window')]);
  });

  test('that is closed opens its journal no more, whatever still comes', async () => {
    recorder.resume(await store.openJournal('s1'));
    say('first');
    await recorder.close();
    say('too late');
    await recorder.flush();
    expect(await numbers()).toEqual([1]);
    expect(reported).toEqual([]);
  });
});

describe.runIf(mounts)('on a disk that is really full', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder('folio-full-');
  });

  /** Runs it with a disk of 160 KB at /mnt, and gives what it printed. */
  async function onSmallDisk(lines: string): Promise<string> {
    const url = (path: string) =>
      JSON.stringify(new URL(`../../../src/extension/${path}`, import.meta.url).href);
    const script = join(folder, 'full.ts');
    await writeFile(
      script,
      `import { readFileSync, rmSync, writeFileSync } from 'node:fs';
       import { JournalRecorder } from ${url('core/recording/recorder.ts')};
       import { NodeSessionStore } from ${url('node/sessions/nodeSessionStore.ts')};
       const reported = [];
       const times = { patienceMs: 0, beatMs: 10_000, staleMs: 60_000 };
       const store = new NodeSessionStore('/mnt/sessions', times);
       const notify = text => reported.push(text);
       const recorder = new JournalRecorder({ open: () => store.openJournal('s1'), notify });
       let seq = 0;
       const say = text => recorder.record({
         type: 'message.added', message: { role: 'user', parts: [{ kind: 'text', text }] }, seq: ++seq, at: 1,
       });
       const read = () => readFileSync('/mnt/sessions/s1/journal.jsonl', 'utf8');
       ${lines}`,
    );
    const mount = 'mount -t tmpfs -o size=160k none /mnt && exec "$0" "$1"';
    const child = spawn('unshare', ['-rm', 'sh', '-c', mount, process.execPath, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    await once(child, 'close');
    return output;
  }

  test('the recorder says so once, and the journal is whole after a file was deleted', async () => {
    const output = await onSmallDisk(
      `writeFileSync('/mnt/ballast', Buffer.alloc(120 * 1024));
       await recorder.begin();
       say('first');
       for (let index = 0; index < 12; index++) { say('y'.repeat(5000)); await recorder.flush(); }
       const whileFull = read();
       const reportedWhileFull = reported.length;
       rmSync('/mnt/ballast');
       say('last');
       await recorder.close();
       process.stdout.write(JSON.stringify({ reportedWhileFull, reported, whileFull, after: read() }));`,
    );
    const { reportedWhileFull, reported, whileFull, after } = JSON.parse(output);
    expect(reportedWhileFull).toBe(1);
    expect(reported[0]).toContain('the disk is full');
    expect(reported[1]).toContain('recorded again');
    expect(whileFull.endsWith('\n')).toBe(true);
    const lines = (text: string) => text.split('\n').slice(0, -1);
    expect(lines(whileFull).length).toBeLessThan(13);
    expect(lines(after).map(line => JSON.parse(line).seq)).toEqual(
      Array.from({ length: 14 }, (_, i) => i + 1),
    );
    expect(restoreSession(lines(after))).toMatchObject({ unreadable: 0, unknown: 0 });
  });

  test('from the beginning on, what was said is recorded once a file was deleted', async () => {
    const output = await onSmallDisk(
      `const fill = bytes => {
         try { writeFileSync('/mnt/ballast', Buffer.alloc(bytes)); } catch { fill(bytes - 4096); }
       };
       fill(160 * 1024);
       await recorder.begin();
       say('first');
       await recorder.flush();
       say('second');
       await recorder.flush();
       rmSync('/mnt/ballast');
       say('last');
       await recorder.close();
       process.stdout.write(JSON.stringify({ reported, after: read() }));`,
    );
    const { reported, after } = JSON.parse(output);
    expect(reported).toEqual([
      expect.stringContaining('the disk is full'),
      expect.stringContaining('nothing of it is missing'),
    ]);
    expect(after.trim().split('\n')).toHaveLength(3);
  });
});
