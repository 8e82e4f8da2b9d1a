import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import type { RunningProcess } from '../../src/extension/platform/processes.ts';
import { git, initRepository } from '../support/gitRepository.ts';

const has = (program: string) => spawnSync('which', [program]).status === 0;
const limit = { timeout: 60_000 };

describe.skipIf(process.platform === 'win32')('commands that are answered', () => {
  let root: string;
  let terminals: NodeProcesses;
  let pipes: NodeProcesses;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'folio-terminals-')));
    terminals = new NodeProcesses();
    pipes = new NodeProcesses(process.env, undefined, () => undefined);
  });
  afterEach(async () => {
    await terminals.dispose();
    await pipes.dispose();
    await rm(root, { recursive: true, force: true });
  });

  function start(processes: NodeProcesses, command: string) {
    const running = processes.start({ command, cwd: root, answerable: true });
    const seen = { text: '' };
    running.onDidWrite(text => {
      seen.text += text;
    });
    const shows = (text: string | RegExp) =>
      vi.waitFor(() => expect(seen.text).toMatch(text), { timeout: 60_000, interval: 20 });
    return { running, seen, shows, type: (text: string) => running.keyboard?.write(text) };
  }

  test('without being asked for it, a command reads an end of file at once and has no keyboard', async () => {
    const running = terminals.start({ command: 'cat; tty; echo over', cwd: root });
    expect(running.keyboard).toBeUndefined();
    expect((await running.exit).code).toBe(0);
  });

  test('a command has a terminal of its own, and its exit is known', async () => {
    const { running, seen } = start(terminals, 'tty; test -t 0 && test -t 1 && exit 7');
    expect(await running.exit).toEqual({ code: 7, signal: null, leftRunning: [] });
    expect(seen.text).toMatch(/\/dev\//);
    expect(running.keyboard?.noTerminal).toBeUndefined();
    expect((await start(terminals, 'kill -KILL $$').running.exit).signal).toBe('SIGKILL');
  });

  test('without a terminal, a program that asks twice is answered through a pipe, which says so', async () => {
    const { running, seen, shows, type } = start(pipes, 'read a; echo "got $a"; read b; echo "and $b"; cat');
    expect(running.keyboard?.noTerminal).toContain('plain pipe');
    type('one\n');
    await shows('got one');
    type('two\n');
    await shows('and two');
    running.keyboard?.end();
    expect((await running.exit).code).toBe(0);
    expect(seen.text).toBe('got one\nand two\n');
  });

  test('what is typed while echo is off comes back nowhere', async () => {
    const { running, seen, shows, type } = start(
      terminals,
      'read -s -p "Password: " x; echo "${#x} letters"',
    );
    await shows('Password: ');
    type('hunter2\r');
    await running.exit;
    expect(seen.text).toBe('Password: 7 letters\r\n');
    expect(seen.text).not.toContain('hunter2');
  });

  test('a folder that is not there is a failure in words', async () => {
    const running = terminals.start({ command: 'true', cwd: join(root, 'none'), answerable: true });
    expect((await running.exit).failure).toContain('there is no folder');
  });

  test('a program hears of a new size', async () => {
    const { running, shows } = start(
      terminals,
      'trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.1; done',
    );
    await shows('ready');
    running.keyboard?.resize(61, 17);
    await shows('17 61');
    await running.exit;
  });

  test('Ctrl+C goes to the program, and stopping ends the whole tree', async () => {
    const kept = start(terminals, 'trap "echo caught" INT; echo ready; while :; do sleep 0.1; done');
    await kept.shows('ready');
    kept.type('\x03');
    await kept.shows('caught');
    const tree = await listTree(new Set([kept.running.pid!]));
    expect(tree.length).toBeGreaterThan(0);
    await kept.running.stop();
    expect(await listTree(new Set([kept.running.pid!]))).toEqual([]);
  });

  test.each([
    ['a terminal', () => terminals, 'stty -opost; cat'],
    ['a pipe', () => pipes, 'cat'],
  ] as const)(
    'output through %s arrives whole and exact, also when the host is busy',
    async (_name, of, cat) => {
      const data = Buffer.from(Array.from({ length: 400_000 }, (_, index) => `${index} äö🙂\n`).join(''));
      await writeFile(join(root, 'data'), data);
      const running: RunningProcess = of().start({ command: `${cat} data`, cwd: root, answerable: true });
      const hash = createHash('sha256');
      let pieces = 0;
      running.onDidWrite(text => {
        hash.update(text);
        pieces += 1;
        // Longer than the library would wait for the rest.
        if (pieces % 300 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      });
      await running.exit;
      expect(hash.digest('hex')).toBe(createHash('sha256').update(data).digest('hex'));
    },
  );

  test('what was written last is not lost when the host sleeps over the end', async () => {
    const { running, seen, shows } = start(
      terminals,
      'echo begun; sleep 0.3; head -c 3000 /dev/zero | tr "\\0" a',
    );
    await shows('begun');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await running.exit;
    expect(seen.text.replace('begun\r\n', '')).toBe('a'.repeat(3000));
  });

  function followWaiting({ keyboard }: RunningProcess) {
    const told: boolean[] = [];
    keyboard?.onDidChangeWaiting(waits => told.push(waits));
    const becomes = (waits: boolean) =>
      vi.waitFor(() => expect(told.at(-1)).toBe(waits), { timeout: 60_000, interval: 20 });
    return { told, becomes };
  }

  test.each([
    ['a prompt for a password', 'read -s -p "Password: " x', '\r'],
    ['a program that reads without a word', 'sleep 0.5; cat', '\x04'],
    ['a question', 'printf "Sure? "; head -1', 'y\r'],
  ])('%s is told as waiting, and its end is told', limit, async (_name, command, answer) => {
    const { running, type } = start(terminals, command);
    const { told, becomes } = followWaiting(running);
    await becomes(true);
    type(answer);
    await running.exit;
    expect(told).toEqual([true, false]);
  });

  test.skipIf(process.platform !== 'linux')(
    'a program that reads a pipe in place of a terminal is told as waiting',
    limit,
    async () => {
      const { running, type } = start(pipes, 'read x');
      const { becomes } = followWaiting(running);
      await becomes(true);
      type('y\n');
      expect((await running.exit).code).toBe(0);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'who sleeps, computes or prints all the time does not wait',
    limit,
    async () => {
      const lines = [
        'printf "compiling... "; sleep 2',
        'printf "computing... "; end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do :; done',
        'for i in 1 2 3 4 5 6 7 8 9 10; do printf "$i "; sleep 0.2; done',
      ];
      for (const line of lines) {
        const { running } = start(terminals, line);
        const { told } = followWaiting(running);
        await running.exit;
        expect(told, line).toEqual([]);
      }
    },
  );

  describe('real programs', () => {
    test.skipIf(!has('python3'))('python3 -i answers a question and ends', limit, async () => {
      const { running, shows, type } = start(terminals, 'python3 -i -c "print(6)"');
      await shows('>>> ');
      await followWaiting(running).becomes(true);
      type('6*7000\r');
      await shows('42000');
      type('exit()\r');
      expect((await running.exit).code).toBe(0);
    });

    test('the REPL of node', limit, async () => {
      const { running, shows, type } = start(terminals, `'${process.execPath}' -i`);
      await shows('> ');
      await followWaiting(running).becomes(true);
      type('6*7000\r');
      await shows('42000');
      type('.exit\r');
      expect((await running.exit).code).toBe(0);
    });

    test.skipIf(!has('sqlite3'))('sqlite3', limit, async () => {
      const { running, shows, type } = start(terminals, 'sqlite3');
      await shows('sqlite> ');
      await followWaiting(running).becomes(true);
      type('select 6*7000;\r');
      await shows('42000');
      type('.quit\r');
      expect((await running.exit).code).toBe(0);
    });

    test.skipIf(!has('less'))('less shows a page and is left with q', limit, async () => {
      await writeFile(
        join(root, 'long'),
        Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n'),
      );
      const { running, shows, type } = start(terminals, 'less long');
      await shows('line 20');
      await followWaiting(running).becomes(true);
      type('G');
      await shows('line 499');
      type('q');
      expect((await running.exit).code).toBe(0);
    });

    test.skipIf(!has('vim'))('vim writes a file', limit, async () => {
      const { running, shows, type } = start(terminals, 'vim -u NONE -n new.txt; cat new.txt');
      await shows('new.txt');
      await followWaiting(running).becomes(true);
      type('ihello from vim\x1b:wq\r');
      expect((await running.exit).code).toBe(0);
      await shows('hello from vim');
    });

    test.skipIf(!has('top'))('top is left with q', limit, async () => {
      const { running, shows, type } = start(terminals, 'top');
      await shows('PID');
      type('q');
      expect((await running.exit).code).toBe(0);
    });

    test('git add -p stages the hunk that is wanted', limit, async () => {
      await initRepository(root, { 'a.txt': 'one\n' });
      await writeFile(join(root, 'a.txt'), 'two\n');
      const { running, shows, type } = start(terminals, 'git add -p');
      await shows('Stage this hunk');
      type('y\r');
      expect((await running.exit).code).toBe(0);
      expect(await git(root, 'diff', '--cached', '--name-only')).toBe('a.txt\n');
    });

    test('npm init asks for each field', limit, async () => {
      const { running, shows, type } = start(terminals, 'npm init');
      await shows('package name:');
      type('answered\r');
      for (const field of [
        'version:',
        'description:',
        'entry point:',
        'test command:',
        'git repository:',
        'keywords:',
        'author:',
        'license:',
      ]) {
        await shows(field);
        type('\r');
      }
      // Versions of npm ask for more or less; each answer by Enter is the default.
      const more = setInterval(() => type('\r'), 300);
      const exit = await running.exit;
      clearInterval(more);
      expect(exit.code).toBe(0);
      expect(await readFile(join(root, 'package.json'), 'utf8')).toContain('"answered"');
    });
  });
});
