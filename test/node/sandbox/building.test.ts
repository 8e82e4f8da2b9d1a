/* The sandbox is planned around what is there, and the machine does not stand still until they are built. */

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runWithSandboxRetries, type SandboxedEnd } from '../../../src/extension/platform/sandbox.ts';
import { eachTest } from '../../support/eachTest.ts';
import { canary, noGrants, SandboxWorld } from '../../support/sandboxWorld.ts';

describe.skipIf(process.platform !== 'linux')('the sandbox of a command', () => {
  const world = eachTest(() => SandboxWorld.make([]));

  /** Runs it, with something that happens each time after the planning. */
  async function run(line: string, meanwhile: (build: number) => void) {
    let builds = 0;
    const contain = () => world.sandbox.contain({ grants: noGrants, background: false });
    const ended = await runWithSandboxRetries(
      contain,
      async (sandboxed): Promise<SandboxedEnd & { output: string }> => {
        builds += 1;
        const plain = { file: '/bin/sh', args: ['-c', line], cwd: world.workspace, env: {} };
        const { file, args, cwd, env } = sandboxed.wrap(plain);
        meanwhile(builds);
        const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8' });
        return { code: status, output: stdout + stderr, report: await sandboxed.leave() };
      },
    );
    return { ...ended, builds };
  }

  async function listen(path: string): Promise<Server> {
    const server = createServer(socket => socket.end(canary));
    await new Promise<void>((resolve, reject) => server.on('error', reject).listen(path, resolve));
    onTestFinished(() => void server.close());
    return server;
  }

  test('are built again when a socket that they should cover has gone meanwhile', async () => {
    const server = await listen(join(world.home, 'passing.sock'));
    const gone = (build: number) => {
      if (build === 1) server.close();
    };
    // A home may lie in /tmp, which is covered as a whole: no socket of it needs to be.
    const builds = /^\/(var\/)?tmp\//.test(world.home) ? 1 : 2;
    expect(await run('cat file', gone)).toMatchObject({ code: 0, output: 'one\ntwo\n', builds });
  });

  test('are built again when a protected file has gone meanwhile, and protect what came instead', async () => {
    const replace = (build: number) => {
      if (build !== 1) return;
      rmSync(join(world.workspace, '.vscode'), { recursive: true });
      mkdirSync(join(world.workspace, '.vscode'));
      writeFileSync(join(world.workspace, '.env.local'), canary);
    };
    const ended = await run('touch .vscode/tasks.json; cat .env.local', build => {
      replace(build);
      rmSync(join(world.workspace, 'team.code-workspace'), { force: true });
    });
    expect(ended.code).toBe(1);
    // What other tests leave meanwhile may have to be covered, too.
    expect(ended.builds).toBeGreaterThan(1);
    expect(ended.output).toMatch(/touch: .*Read-only file system/);
    expect(ended.output).toMatch(/cat: .*Permission denied/);
  });

  test('are not built again for a command that failed, or that a signal ended', async () => {
    for (const line of ['exit 1', 'kill -9 $$', 'kill -9 1'])
      expect(await run(line, () => {}), line).toMatchObject({ builds: 1 });
  });

  test('hand on no file that this process was started with', async () => {
    const sandboxed = await world.sandbox.contain({ grants: noGrants, background: false });
    const line =
      'ls /proc/self/fd; for fd in 3 4 5 9 12; do cat /proc/self/fd/$fd/file && echo ESCAPED; done; true';
    const { file, args, cwd, env } = sandboxed.wrap({
      file: '/bin/sh',
      args: ['-c', line],
      cwd: '/',
      env: {},
    });
    const folder = openSync(world.outside, 'r');
    const handed = Array.from({ length: 10 }, () => folder);
    const { status, stdout } = spawnSync(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore', ...handed],
      encoding: 'utf8',
    });
    closeSync(folder);
    await sandboxed.leave();
    // The last is the listing itself.
    expect([status, stdout]).toEqual([0, '0\n1\n2\n3\n']);
  });

  test('have nothing run in front of them by variables that a configuration gives', async () => {
    const written = join(world.outside, 'escaped');
    const script = join(world.workspace, 'first.sh');
    writeFileSync(script, `echo x > '${written}'\n`);
    const given = {
      BASH_ENV: script,
      ENV: script,
      'BASH_FUNC_exec%%': `() { . '${script}'; builtin exec "$@"; }`,
      LD_LIBRARY_PATH: '/given',
    };
    const sandboxed = await world.sandbox.contain({ grants: noGrants, background: false });
    const line = 'echo "$BASH_ENV $LD_LIBRARY_PATH"';
    const plain = { file: '/bin/sh', args: ['-c', line], cwd: world.workspace, env: {} };
    const { file, args, cwd, env } = sandboxed.wrap({ ...plain, given });
    const { stdout } = spawnSync(file, args, { cwd, env, encoding: 'utf8' });
    await sandboxed.leave();
    expect(stdout).toBe(`${script} /given\n`);
    expect(existsSync(written)).toBe(false);
  });

  test('cover a secret that came after the first command', async () => {
    await world.run('true');
    writeFileSync(join(world.home, '.netrc'), canary);
    mkdirSync(join(world.home, '.aws'));
    writeFileSync(join(world.home, '.aws/credentials'), canary);
    const { output } = await world.run('cat "$HOME_DIR/.netrc" "$HOME_DIR/.aws/credentials"; echo end');
    expect(output).toMatch(/end\n$/);
    expect(output).not.toContain(canary);
  });

  test('are built where a secret has gone since the first command', async () => {
    writeFileSync(join(world.home, '.netrc'), canary);
    await world.run('true');
    rmSync(join(world.home, '.netrc'));
    expect(await world.run('cat file')).toMatchObject({ code: 0, output: 'one\ntwo\n' });
  });

  test('are built after somebody has tidied up the temporary folder of the system', async () => {
    const [sandboxed] = [await world.sandbox.contain({ grants: noGrants, background: false })];
    const { args } = sandboxed.wrap({ file: '/bin/true', args: [], cwd: '/', env: {} });
    await sandboxed.leave();
    const own = args.find(arg => arg.endsWith('/nothing')) ?? '';
    rmSync(join(own, '..'), { recursive: true });
    expect(await world.run('cat file')).toMatchObject({ code: 0, output: 'one\ntwo\n' });
  });

  test('leave no folder behind that was tidied away in part', async () => {
    const { sandbox } = world;
    const folders: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const sandboxed = await sandbox.contain({ grants: noGrants, background: false });
      const { args } = sandboxed.wrap({ file: '/bin/true', args: [], cwd: '/', env: {} });
      await sandboxed.leave();
      const nothing = args.find(arg => arg.endsWith('/nothing')) ?? '';
      folders.push(dirname(nothing));
      rmSync(nothing);
    }
    await sandbox.dispose();
    expect(new Set(folders).size).toBe(2);
    expect(folders.filter(folder => existsSync(folder))).toEqual([]);
  });
});
