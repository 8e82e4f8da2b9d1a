import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import type { RunningProcess } from '../../src/extension/platform/processes.ts';
import { eachTest } from '../support/eachTest.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { followWaiting, hasProgram, typist } from '../support/typist.ts';

const limit = { timeout: 60_000 };

describe.skipIf(process.platform === 'win32')('commands that are answered', () => {
  let root: string;
  const terminals = eachTest(() => new NodeProcesses());
  const pipes = eachTest(() => new NodeProcesses(process.env, undefined, () => undefined));
  beforeEach(async () => {
    root = await temporaryFolder('folio-terminals-');
  });

  const start = (processes: NodeProcesses, command: string) => typist(processes, command, root);
  /** What each of these lines reported until its end, side by side: most of their time they sleep. */
  const reportedOf = (lines: readonly string[]) =>
    Promise.all(
      lines.map(async line => {
        const { running } = start(terminals, line);
        const { reported } = followWaiting(running);
        await running.exit;
        return [line, reported];
      }),
    );

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

  test.each([
    ['a prompt for a password', 'read -s -p "Password: " x', '\r'],
    ['a program that reads without a word', 'sleep 0.5; cat', '\x04'],
    ['a question', 'printf "Sure? "; head -1', 'y\r'],
  ])('%s is told as waiting, and its end is told', limit, async (_name, command, answer) => {
    const { running, type } = start(terminals, command);
    const { reported, becomes } = followWaiting(running);
    await becomes(true);
    type(answer);
    await running.exit;
    expect(reported).toEqual([true, false]);
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
    'a program that watches its terminal beside other things, or in a thread, waits once it shows a prompt',
    limit,
    async () => {
      const node = `'${process.execPath}' -e`;
      const lines = [
        `${node} 'process.stdin.once("data", () => process.exit()); setInterval(() => {}, 50); process.stdout.write("Sure? ")'`,
        'IFS= read -t 60 -p "Sure? " x',
        'printf "Sure? "; while ! IFS= read -t 0.2 x; do :; done',
        `${node} 'const ask = require("readline").createInterface(process.stdin, process.stdout); ask.question("Name: (me) ", () => ask.close()); setInterval(() => {}, 50).unref()'`,
        `${node} 'process.stdin.setRawMode(true).once("data", () => process.exit()); process.stdout.write("press any key to continue")'`,
        `${node} 'require("fs").watch("."); process.stdin.once("data", () => process.exit()); process.stdout.write("Overwrite [y/N] ")'`,
        ...(hasProgram('python3')
          ? [
              `python3 -c 'import select, sys; print("Sure? ", end="", flush=True);\nwhile not select.select([sys.stdin], [], [], 0.2)[0]: pass'`,
              `python3 -c 'import select, sys; print("Sure? ", end="", flush=True); select.select([sys.stdin], [], [])'`,
              `python3 -c 'import select, sys; print("Sure? ", end="", flush=True); p = select.poll(); p.register(sys.stdin, 1); p.poll()'`,
              `python3 -c 'import threading; t = threading.Thread(target=lambda: input("Sure? ")); t.start(); t.join()'`,
            ]
          : []),
      ];
      for (const line of lines) {
        const { running, type } = start(terminals, line.replaceAll('\\n', '\n'));
        await followWaiting(running).becomes(true);
        type('y\r');
        await running.exit;
      }
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'a program that looks for keys beside its work does not wait, whatever it shows but a question',
    limit,
    async () => {
      const node = (script: string) =>
        `'${process.execPath}' -e '${script}; setTimeout(() => process.exit(), 2500)'`;
      const keys = 'process.stdin.setRawMode(true).on("data", () => {})';
      const python = (script: string) => `python3 -c '${script}'`;
      const lines = [
        node(
          `${keys}; require("fs").watch("."); process.stdout.write("PASS  Waiting for changes\\n press q to quit")`,
        ),
        node(
          `${keys}; require("net").createServer().listen(0); process.stdout.write("Ready in 300 ms, h shows help ")`,
        ),
        node(`${keys}; setInterval(() => {}, 200); process.stdout.write("building [###   ] 45%")`),
        node(`${keys}; setInterval(() => {}, 900); process.stdout.write("\\x1b[?1049h load 0.3")`),
        'printf "watching... "; for i in 1 2 3 4 5 6 7 8 9; do read -t 0.3 -n 1; done',
        ...(hasProgram('python3')
          ? [
              python(
                'import select, sys; print("watching... ", end="", flush=True); [select.select([sys.stdin], [], [], 0.4) for _ in range(7)]',
              ),
              // Reads that end after 0.8 s, by the terminal's own clock.
              python(
                'import os, termios; mode = termios.tcgetattr(0); mode[3] &= ~termios.ICANON; mode[6][termios.VMIN] = 0; mode[6][termios.VTIME] = 8; termios.tcsetattr(0, 0, mode); print("watching... ", end="", flush=True); [os.read(0, 1) for _ in range(3)]',
              ),
            ]
          : []),
        ...(hasProgram('top') ? ['timeout --foreground 3 top -d 1'] : []),
      ];
      expect(await reportedOf(lines)).toEqual(lines.map(line => [line, []]));
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'a program that comes back to its terminal automatically is no longer told as waiting',
    limit,
    async () => {
      // The system does not tell how long such a read lasts: at first it is taken for a prompt.
      const loop =
        'while not select.select([sys.stdin, silent], [], [])[0] == [sys.stdin]: os.read(silent, 1)';
      const line = `python3 -c 'import os, select, sys, threading, time; silent, beat = os.pipe(); threading.Thread(target=lambda: [(time.sleep(1.5), os.write(beat, b"x")) for _ in range(99)], daemon=True).start(); print("watching... ", end="", flush=True)\n${loop}'`;
      if (!hasProgram('python3')) return;
      const { running, type } = start(terminals, line.replaceAll('\\n', '\n'));
      const { reported, becomes } = followWaiting(running);
      await becomes(true);
      await becomes(false);
      type('\r');
      await running.exit;
      expect(reported).toEqual([true, false]);
    },
  );

  test.skipIf(process.platform !== 'linux').each([
    ['less', 'seq 1 500 > long; less long', 'q'],
    ['vim', 'vim -u NONE -n new.txt', ':q!\r'],
    ['sqlite3', 'sqlite3', '.quit\r'],
    ['python3', 'python3 -i', 'exit()\r'],
  ])('%s is told as waiting', limit, async (program, command, keys) => {
    if (!hasProgram(program)) return;
    const { running, type } = start(terminals, command);
    await followWaiting(running).becomes(true);
    type(keys);
    expect((await running.exit).code).toBe(0);
  });

  test.skipIf(process.platform !== 'linux')(
    'who sleeps, computes, prints all the time or watches anything but its terminal does not wait',
    limit,
    async () => {
      const node = `'${process.execPath}' -e`;
      const lines = [
        `${node} 'require("net").createServer().listen(0, "127.0.0.1", () => process.stdout.write("serving... ")); setTimeout(() => process.exit(), 2000)'`,
        `${node} 'process.stdout.write("polling... "); let left = 20; setInterval(() => left-- || process.exit(), 100)'`,
        ...(hasProgram('python3')
          ? [
              `python3 -c 'import select; print("watching... ", end="", flush=True); select.select([], [], [], 2)'`,
              `python3 -c 'import select, os; print("watching... ", end="", flush=True); p = select.poll(); p.register(os.pipe()[0], 1); p.poll(2000)'`,
            ]
          : []),
        'printf "compiling... "; sleep 2',
        'printf "computing... "; end=$((SECONDS+2)); while [ $SECONDS -lt $end ]; do :; done',
        'for i in 1 2 3 4 5 6 7 8 9 10; do printf "$i "; sleep 0.2; done',
      ];
      expect(await reportedOf(lines)).toEqual(lines.map(line => [line, []]));
    },
  );
});
