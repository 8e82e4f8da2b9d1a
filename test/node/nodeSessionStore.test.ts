import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openNodeJournal } from '../../src/extension/node/sessions/nodeJournal.ts';
import { NodeSessionStore } from '../../src/extension/node/sessions/nodeSessionStore.ts';
import { sessionStoreContract } from '../support/sessionStoreContract.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

sessionStoreContract('NodeSessionStore', async () => {
  const root = await mkdtemp(join(tmpdir(), 'folio-sessions-'));
  const dispose = () => rm(root, { recursive: true, force: true });
  return { store: new NodeSessionStore(join(root, 'sessions')), dispose };
});

describe('sessions on the disk', () => {
  let root: string;
  let store: NodeSessionStore;
  beforeEach(async () => {
    root = await temporaryFolder('folio-sessions-');
    store = new NodeSessionStore(join(root, 'sessions'));
  });

  const journalOf = (id: string) => join(root, 'sessions', id, 'journal.jsonl');

  test('lines come back in the order they were appended, over several openings', async () => {
    const first = await store.openJournal('s1');
    for (let index = 0; index < 500; index++) first.append(`{"n":${index},"t":"žluť 😀"}`);
    await first.close();
    const second = await store.openJournal('s1');
    second.append('{"n":500}');
    await second.flush();
    second.append('{"n":501}');
    await second.close();
    const lines = await store.readJournal('s1');
    expect(lines.map(line => JSON.parse(line).n)).toEqual(Array.from({ length: 502 }, (_, index) => index));
  });

  test('whatever is appended right before a flush is on the disk after it', async () => {
    const journal = await store.openJournal('s1');
    for (let index = 0; index < 200; index++) {
      journal.append(String(index));
      if (index % 3 === 0) await Promise.resolve();
      await journal.flush();
      expect((await readFile(journalOf('s1'), 'utf8')).split('\n').length).toBe(index + 2);
    }
    await journal.close();
  });

  test('a torn last line is dropped on reading and cut off on opening', async () => {
    const torn = Buffer.from('{"text":"ž').subarray(0, -1);
    await mkdir(join(root, 'sessions', 's1'), { recursive: true });
    await writeFile(journalOf('s1'), 'one\ntwo\n');
    await appendFile(journalOf('s1'), torn);
    expect(await store.readJournal('s1')).toEqual(['one', 'two']);
    const journal = await store.openJournal('s1');
    journal.append('three');
    await journal.close();
    expect(await readFile(journalOf('s1'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('a torn line longer than any buffer is cut off, also when it is the only one', async () => {
    await mkdir(join(root, 'sessions', 's1'), { recursive: true });
    await writeFile(journalOf('s1'), `one\n${'x'.repeat(200_001)}`);
    await (await store.openJournal('s1')).close();
    expect(await readFile(journalOf('s1'), 'utf8')).toBe('one\n');
    await writeFile(journalOf('s1'), 'x'.repeat(200_001));
    await (await store.openJournal('s1')).close();
    expect(await store.readJournal('s1')).toEqual([]);
  });

  test('sessions are listed newest first, and other things in the folder are left out', async () => {
    for (const [id, time] of [
      ['old', 1000],
      ['new', 3000],
      ['middle', 2000],
    ] as const) {
      const journal = await store.openJournal(id);
      journal.append('x');
      await journal.close();
      await utimes(journalOf(id), time, time);
    }
    await writeFile(join(root, 'sessions', 'stray.txt'), 'x');
    await mkdir(join(root, 'sessions', 'empty'));
    expect(await store.list()).toEqual([
      { sessionId: 'new', changedAt: 3_000_000, size: 2 },
      { sessionId: 'middle', changedAt: 2_000_000, size: 2 },
      { sessionId: 'old', changedAt: 1_000_000, size: 2 },
    ]);
  });

  test('without any session the list is empty and reading one fails with a sentence', async () => {
    expect(await store.list()).toEqual([]);
    await expect(store.readJournal('none')).rejects.toThrow('There is no session none.');
  });

  test('an id that leads out of the folder is refused', async () => {
    for (const id of ['..', '.', '../x', 'a/b', 'a\\b', '', '.hidden', 'x\0', `${'a'.repeat(200)}`]) {
      await expect(store.openJournal(id)).rejects.toThrow('is not the id of a session');
      await expect(store.readJournal(id)).rejects.toThrow('is not the id of a session');
      await expect(store.saveOutput(id, 'x', 'y')).rejects.toThrow('is not the id of a session');
    }
    expect(await readdir(root)).toEqual([]);
  });

  test('a picture is kept byte for byte, under a name that says what it is', async () => {
    const bytes = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x80, 0xd9]);
    for (const name of ['browser_do-c1.jpg', `browser_do-${'call/'.repeat(40)}.jpg`]) {
      const path = await store.saveOutput('s1', name, bytes);
      expect(path).toMatch(/[\\/]outputs[\\/][\w.-]+\.jpg$/);
      expect(await readFile(path)).toEqual(Buffer.from(bytes));
    }
  });

  test('an output is kept whole, the same name gives the same path, different names different ones', async () => {
    const text = 'žluť\r\n'.repeat(50_000);
    const path = await store.saveOutput('s1', 'shell_c1.txt', text);
    expect(path).toBe(join(store.outputsFolder('s1'), 'shell_c1.txt'));
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await store.saveOutput('s1', 'shell_c1.txt', 'again')).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('again');
    const names = ['../../x', '../..:x', '', '..', 'a/b', 'a:b', 'x'.repeat(300)];
    const paths = await Promise.all(names.map(name => store.saveOutput('s1', name, name)));
    expect(new Set(paths).size).toBe(names.length);
    for (const each of paths) expect(join(each, '..')).toBe(store.outputsFolder('s1'));
  });

  test.skipIf(process.platform === 'win32')('nobody else on the machine can read a session', async () => {
    const journal = await store.openJournal('s1');
    await journal.close();
    const output = await store.saveOutput('s1', 'a.txt', 'x');
    expect((await stat(join(root, 'sessions', 's1'))).mode & 0o077).toBe(0);
    expect((await stat(journalOf('s1'))).mode & 0o077).toBe(0);
    expect((await stat(output)).mode & 0o077).toBe(0);
  });

  test.runIf(process.platform === 'linux')('a full disk makes the flush fail with what to do', async () => {
    const journal = openNodeJournal('/dev/full');
    journal.append('x');
    await expect(journal.flush()).rejects.toThrow('The disk is full');
    await expect(journal.close()).rejects.toMatchObject({ kind: 'noSpace' });
  });

  test.runIf(process.platform === 'linux')(
    'lines that found no space are written once there is some',
    async () => {
      // A limit on the size of files stands for a disk that fills up in the middle of a line.
      const script = join(root, 'limited.ts');
      const path = join(root, 'journal.jsonl');
      const journalModule = new URL('../../src/extension/node/sessions/nodeJournal.ts', import.meta.url).href;
      await writeFile(
        script,
        `import { execFileSync } from 'node:child_process';
       import { readFileSync } from 'node:fs';
       import { openNodeJournal } from ${JSON.stringify(journalModule)};
       process.on('SIGXFSZ', () => {});
       const journal = openNodeJournal(${JSON.stringify(path)});
       journal.append('first');
       await journal.flush();
       execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=1000:unlimited']);
       journal.append('y'.repeat(5000));
       let failure = 'none';
       await journal.flush().catch(error => { failure = error.name; });
       const whileFull = readFileSync(${JSON.stringify(path)}, 'utf8');
       execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:unlimited']);
       journal.append('last');
       await journal.close();
       console.log(JSON.stringify({ failure, whileFull }));`,
      );
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      let output = '';
      child.stdout.on('data', text => {
        output += text;
      });
      await once(child, 'close');
      expect(JSON.parse(output)).toEqual({ failure: 'FileError', whileFull: 'first\n' });
      expect(await readFile(path, 'utf8')).toBe(`first\n${'y'.repeat(5000)}\nlast\n`);
    },
  );

  test('a scan reads a long journal in pieces, whatever their borders cut', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'ž😀'.repeat(index % 700)}`);
    const journal = await store.openJournal('s1');
    for (const line of lines) journal.append(line);
    await journal.close();
    await appendFile(journalOf('s1'), 'torn');
    const read: string[] = [];
    let pieces = 0;
    for await (const piece of store.scanJournal('s1', 0)) {
      read.push(...piece.lines);
      pieces++;
    }
    expect(pieces).toBeGreaterThan(2);
    expect(read).toEqual(lines);
  });

  test('a file where the trash should be loses nothing', async () => {
    await (await store.openJournal('s1')).close();
    await writeFile(join(root, 'sessions', '.trash'), 'x');
    await expect(store.remove('s1', 1000)).rejects.toThrow('is a file');
    expect(await store.readJournal('s1')).toEqual([]);
  });

  test('a closed journal takes no more lines', async () => {
    const journal = await store.openJournal('s1');
    await journal.close();
    await journal.close();
    expect(() => journal.append('x')).toThrow('closed');
  });
});
