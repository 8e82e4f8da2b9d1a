import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NodeProcesses } from '../../src/extension/node/processes/nodeProcesses.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import type { ProcessExit, ProcessSpec, RunningProcess } from '../../src/extension/platform/processes.ts';
import { isAlive } from '../support/isAlive.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe.skipIf(process.platform === 'win32')('commands as child processes', () => {
  let root: string;
  let processes: NodeProcesses;
  let strays: number[];
  beforeEach(async () => {
    root = await temporaryFolder('folio-processes-');
    processes = new NodeProcesses();
    strays = [];
  });
  afterEach(async () => {
    await processes.dispose();
    for (const pid of strays) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });

  const start = (command: string, more: Partial<ProcessSpec> = {}) => {
    const running = processes.start({ command, cwd: root, ...more });
    if (more.background && running.pid !== undefined) strays.push(running.pid);
    return { running, output: collect(running) };
  };
  const run = async (command: string, more: Partial<ProcessSpec> = {}) => {
    const { running, output } = start(command, more);
    const exit = await running.exit;
    return { exit, output: output() };
  };

  test('the exit code is known and nothing is left', async () => {
    const ok: ProcessExit = { code: 0, signal: null, leftRunning: [] };
    expect((await run('true')).exit).toEqual(ok);
    expect((await run('exit 7')).exit).toEqual({ ...ok, code: 7 });
    expect((await run('kill -KILL $$')).exit).toEqual({ ...ok, code: null, signal: 'SIGKILL' });
  });

  test('both streams arrive in the order in which they were written', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `echo ${index}${index % 2 ? ' >&2' : ''}`);
    const { output } = await run(lines.join('\n'));
    expect(output.trim().split('\n')).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
  });

  // microsoft/WSL 4607 and tailscale 3170: wsl.exe writes UTF-16 into pipes, with letters beyond ASCII among it.
  test.each([
    ['little-endian without a mark', Buffer.from('Tous droits réservés.\r\n', 'utf16le')],
    ['little-endian with one', Buffer.from('\ufeffTous droits réservés.\r\n', 'utf16le')],
    ['big-endian with one', Buffer.from('\ufeffTous droits réservés.\r\n', 'utf16le').swap16()],
  ])('UTF-16 is decoded, %s', async (_what, bytes) => {
    await writeFile(join(root, 'wide'), bytes);
    expect((await run('cat wide')).output).toBe('Tous droits réservés.\r\n');
  });

  test('names that NULs separate are no UTF-16', async () => {
    expect((await run("printf 'a.ts\\0b.ts\\0'")).output).toBe('a.ts\0b.ts\0');
  });

  test('a command can open its streams by name', async () => {
    const { exit, output } = await run(
      'echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr',
    );
    expect(exit.code).toBe(0);
    expect(output.split('\n').sort()).toEqual(['', 'a', 'b', 'c', 'c']);
  });

  test('megabytes of output arrive whole', async () => {
    const { output } = await run('seq 1 400000');
    expect(output.length).toBe(2_688_895);
    expect(output.endsWith('\n400000\n')).toBe(true);
  });

  test('characters are never torn, and bytes that are none become replacement characters', async () => {
    const { output } = await run(
      String.raw`printf '\xf0\x9f'; sleep 0.1; printf '\x98\x80 \xc5'; sleep 0.1; printf '\xbe\xff|\xe2\x82'`,
    );
    expect(output).toBe('😀 ž\ufffd|\ufffd');
  });

  test('there is no input and no terminal to wait for', async () => {
    const { exit, output } = await run('cat; read -r line < /dev/tty || echo none');
    expect(exit.code).toBe(0);
    expect(output).toContain('none');
  });

  test('commands get quiet settings and the additions, but neither keys nor traces of the editor', async () => {
    await processes.dispose();
    processes = new NodeProcesses({
      ...process.env,
      GEMINI_API_KEY: 'secret-1',
      GOOGLE_API_KEY: 'secret-2',
      GOOGLE_GENAI_API_KEY: 'secret-3',
      OPENAI_API_KEY: 'secret-6',
      VSCODE_PID: 'secret-4',
      ELECTRON_RUN_AS_NODE: 'secret-5',
      KEPT: 'kept',
    });
    const { output } = await run('env', { env: { ADDED: 'added', TERM: 'xterm' } });
    const lines = output.split('\n');
    for (const line of ['PAGER=cat', 'GIT_PAGER=cat', 'TERM=xterm', 'FOLIO=1', 'KEPT=kept', 'ADDED=added']) {
      expect(lines).toContain(line);
    }
    expect(output).not.toContain('secret-');
  });

  test('a command that cannot start ends with a failure that says why', async () => {
    const { exit } = await run('true', { cwd: join(root, 'none') });
    expect(exit).toMatchObject({ code: null, signal: null, leftRunning: [] });
    expect(exit.failure).toBe(`The command could not start: there is no folder ${join(root, 'none')}.`);
    expect((await run('a\0b')).exit.failure).toContain('could not start');
    const unwritable = { outputFile: '/dev/null/x/out.log' };
    expect((await run('true', unwritable)).exit.failure).toContain('could not start');
  });

  test('a process left in the background neither delays the exit nor loses what came before', async () => {
    const { running, output } = start('sleep 600 & echo $!; seq 1 20000');
    const exit = await running.exit;
    const [left, ...numbers] = output().trim().split('\n');
    expect(exit).toEqual({ code: 0, signal: null, leftRunning: [Number(left)] });
    expect(numbers.length).toBe(20_000);
    expect(isAlive(Number(left))).toBe(true);
    await running.stop();
    expect(isAlive(Number(left))).toBe(false);
  });

  test('a left process that writes for ever does not delay the exit, and continues after it', async () => {
    const { running, output } = start(`while :; do echo x; echo y >> ${root}/log; done & echo $!`);
    const exit = await running.exit;
    expect(exit.leftRunning.length).toBeGreaterThan(0);
    const seen = output().length;
    // The shell may be gone before the loop has written for the first time.
    const log = join(root, 'log');
    await until(() => existsSync(log));
    const size = (await readFile(log)).length;
    await until(async () => (await readFile(log)).length > size + 200_000);
    expect(output().length).toBe(seen);
    await running.stop();
  });

  test('a left process that gave up our output is reported too', async () => {
    const { running } = start('sleep 600 > /dev/null 2>&1 &');
    const { leftRunning } = await running.exit;
    expect(leftRunning).toHaveLength(1);
    await running.stop();
    expect(isAlive(leftRunning[0]!)).toBe(false);
  });

  test('stopping ends the whole tree, also who ignores the request or opened a group of its own', async () => {
    const script = `
      (trap '' TERM; echo $BASHPID >> pids; while :; do sleep 1; done) &
      timeout 600 bash -c 'echo $$ >> pids; sleep 600; true' &
      setsid bash -c 'echo $$ >> pids; sleep 600; true' &
      echo $$ >> pids; echo ready; wait`;
    const { running } = start(script);
    await until(async () => (await linesOf(join(root, 'pids'))).length === 4);
    const pids = (await linesOf(join(root, 'pids'))).map(Number);
    await Promise.all([running.stop(), running.stop()]);
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await running.exit).code).not.toBe(0);
    expect(await listTree(new Set([running.pid!]))).toEqual([]);
  });

  test('a process that ends on request may still say so', async () => {
    const { running, output } = start(
      `trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done`,
    );
    await until(() => output().includes('ready'));
    await running.stop();
    expect(output()).toContain('bye\n');
    expect((await running.exit).code).toBe(3);
    await running.stop();
  });

  test('disposing stops everything but the background, and nothing starts afterwards', async () => {
    const front = start('echo $$; exec sleep 600');
    const back = start('exec sleep 600', { background: true });
    await until(() => front.output() !== '');
    await processes.dispose();
    expect(isAlive(front.running.pid!)).toBe(false);
    expect(isAlive(back.running.pid!)).toBe(true);
    expect((await run('true')).exit.failure).toContain('closing');
    await back.running.stop();
    expect(isAlive(back.running.pid!)).toBe(false);
  });

  test('a window ends what runs in the background, too, but for what the user keeps', async () => {
    const ofWindow = new NodeProcesses(process.env, undefined, undefined, undefined, true);
    const begin = () => ofWindow.start({ command: 'exec sleep 600', cwd: root, background: true });
    const [ended, kept] = [begin(), begin()];
    strays.push(kept.pid!);
    kept.keep?.();
    await ofWindow.dispose();
    expect(await ended.exit).toMatchObject({ signal: 'SIGTERM' });
    expect([isAlive(ended.pid!), isAlive(kept.pid!)]).toEqual([false, true]);
  });

  test('the output of a background process is streamed, and kept in the file whole', async () => {
    const outputFile = join(root, 'deep', 'out.log');
    await run('echo before', { outputFile });
    const { running, output } = start('echo one; sleep 0.3; seq 1 50000 >&2; echo end', {
      background: true,
      outputFile,
    });
    await until(() => output().includes('one'));
    expect(await running.exit).toEqual({ code: 0, signal: null, leftRunning: [] });
    expect(output().startsWith('one\n1\n2\n')).toBe(true);
    expect(output().endsWith('\n50000\nend\n')).toBe(true);
    expect(await readFile(outputFile, 'utf8')).toBe(`before\n${output()}`);
  });

  test('those who mirror processes hear of each one and of all its output', async () => {
    const heard: string[] = [];
    processes.onDidStart(each => {
      heard.push(each.spec.command);
      each.onDidWrite(text => heard.push(text));
    });
    await run('echo a');
    await run('echo b', { background: true });
    expect(heard).toEqual(['echo a', 'a\n', 'echo b', 'b\n']);
  });

  test('no pipe or file of ours stays in the folder for temporary files', async () => {
    // A folder of its own: other tests, and other runs, put theirs into the common one at the same time.
    const folder = join(root, 'temporary');
    await mkdir(folder);
    vi.stubEnv('TMPDIR', folder);
    try {
      await Promise.all([run('echo a'), run('echo b', { background: true }), run('true', { cwd: '/none' })]);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  test('when the host is killed its commands end, and only those of the background continue', async () => {
    const hostProgram = fileURLToPath(new URL('../support/shellHost.ts', import.meta.url));
    const commands = {
      front: `echo $$ > front; exec sleep 600`,
      back: `echo $$ > back; while :; do echo alive; sleep 0.05; done`,
    };
    await writeFile(join(root, 'commands.json'), JSON.stringify(commands));
    const host = spawn(process.execPath, [hostProgram, root], { stdio: ['ignore', 'pipe', 'inherit'] });
    const names = ['front', 'back'];
    await until(async () =>
      (await Promise.all(names.map(name => linesOf(join(root, name))))).every(lines => lines.length),
    );
    const [front, back] = await Promise.all(
      names.map(async name => Number((await linesOf(join(root, name)))[0])),
    );
    strays.push(front!, back!);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await until(() => !isAlive(front!));
    const size = (await readFile(join(root, 'back.log'))).length;
    await until(async () => (await readFile(join(root, 'back.log'))).length > size);
    expect(isAlive(back!)).toBe(true);
  });

  test('a host that has nothing more to do ends although a background process runs', async () => {
    const hostProgram = fileURLToPath(new URL('../support/shellHost.ts', import.meta.url));
    const commands = { front: 'echo done', back: 'echo $$ > back; exec sleep 600' };
    await writeFile(join(root, 'commands.json'), JSON.stringify(commands));
    const host = spawn(process.execPath, [hostProgram, root], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(host, 'exit');
    expect(code).toBe(0);
    await until(async () => (await linesOf(join(root, 'back'))).length === 1);
    const back = Number((await linesOf(join(root, 'back')))[0]);
    strays.push(back);
    expect(isAlive(back)).toBe(true);
  });

  test.runIf(process.platform === 'linux')(
    'a daemon that left group and session ends with disposing when commands are marked, one of the background stays',
    async () => {
      const marked = new NodeProcesses(process.env, `test-mark-${process.pid}`);
      const daemonise = 'setsid bash -c "echo \\$\\$ > daemon.pid; exec sleep 600" > /dev/null 2>&1 &';
      await marked.start({ command: daemonise, cwd: root }).exit;
      const back = marked.start({
        command: 'sleep 600',
        cwd: root,
        background: true,
        outputFile: join(root, 'o'),
      });
      strays.push(back.pid!);
      await until(async () => (await linesOf(join(root, 'daemon.pid'))).length === 1);
      const daemon = Number((await linesOf(join(root, 'daemon.pid')))[0]);
      strays.push(daemon);
      expect(isAlive(daemon)).toBe(true);
      await marked.dispose();
      expect(isAlive(daemon)).toBe(false);
      expect(isAlive(back.pid!)).toBe(true);
    },
  );
});

function collect(running: RunningProcess): () => string {
  let text = '';
  running.onDidWrite(piece => {
    text += piece;
  });
  return () => text;
}

async function linesOf(path: string): Promise<readonly string[]> {
  if (!existsSync(path)) return [];
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1);
}

/** The test's own limit ends a wait in vain. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 10));
}
