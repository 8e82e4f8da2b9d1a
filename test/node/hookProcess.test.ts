import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NodeHookProcesses } from '../../src/extension/node/processes/hookProcess.ts';
import { listTree } from '../../src/extension/node/processes/processTable.ts';
import { waitForOutput } from '../../src/extension/node/processes/waitForOutput.ts';
import type { HookSpec } from '../../src/extension/platform/customizations/hooks.ts';
import { eachTest } from '../support/eachTest.ts';
import { makeHookFolder } from '../support/hookWorld.ts';

describe.skipIf(process.platform === 'win32')('the process of a hook', () => {
  const world = eachTest(() => makeHookFolder());
  const never = new AbortController().signal;

  const run = (command: string, more: Partial<HookSpec> & { readonly signal?: AbortSignal } = {}) => {
    const { input = '', timeoutMs = 60_000, graceMs, signal = never } = more;
    const spec = {
      command,
      cwd: world.workspace,
      env: { GEMINI_PROJECT_DIR: world.workspace },
      input,
      timeoutMs,
      graceMs,
    };
    return world.hooks.processes.run(spec, signal);
  };

  /** The pid that a command wrote to a file. */
  const pidIn = async (name: string): Promise<number> => {
    const path = join(world.workspace, name);
    while (true) {
      const text = await readFile(path, 'utf8').catch(() => '');
      if (text.endsWith('\n')) return Number(text);
      await sleep(10);
    }
  };
  /** What has ended but was not asked how is gone, too. */
  const isAlive = async (pid: number) => (await listTree(new Set([pid]))).length > 0;

  it('gets its input, its folder and its variables, and its streams come apart', async () => {
    const exit = await run('cat; pwd >&2; printf "%s" "$GEMINI_PROJECT_DIR" >&2; exit 3', { input: 'told' });
    expect(exit).toEqual({
      kind: 'ended',
      code: 3,
      stdout: 'told',
      stderr: `${world.workspace}\n${world.workspace}`,
    });
  });

  it('need not read its input, however long', async () => {
    expect(await run('exit 0', { input: 'x'.repeat(1_000_000) })).toMatchObject({ kind: 'ended', code: 0 });
  });

  it('does not inherit secrets', async () => {
    const secret = {
      ...process.env,
      GITHUB_TOKEN: 'hidden-1',
      GEMINI_API_KEY: 'hidden-2',
      DB_PASSWORD: 'hidden-3',
    };
    const processes = new NodeHookProcesses({ ...secret, HARMLESS: 'shown' });
    const spec = { command: 'env', cwd: world.workspace, env: {}, input: '', timeoutMs: 60_000 };
    const exit = await processes.run(spec, never);
    await processes.dispose();
    expect(JSON.stringify(exit)).toContain('HARMLESS=shown');
    expect(JSON.stringify(exit)).not.toContain('hidden-');
  });

  it('is ended with its whole tree when its time is up, also when it ignores the request', async () => {
    const running = run(
      'trap "" TERM; echo partial; (trap "" TERM; sh -c "echo \\$\\$ > child; exec sleep 600") & echo $$ > own; while :; do sleep 1; done',
      { timeoutMs: 1500, graceMs: 200 },
    );
    const pids = [await pidIn('own'), await pidIn('child')];
    world.clock.pass(1500);
    expect(await running).toEqual({ kind: 'timedOut', stdout: 'partial\n', stderr: '' });
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  });

  it('is ended with its whole tree when the user stops', async () => {
    const abort = new AbortController();
    const running = run('sh -c "echo \\$\\$ > child; exec sleep 600" & echo $$ > own; wait', {
      signal: abort.signal,
    });
    const pids = [await pidIn('own'), await pidIn('child')];
    abort.abort();
    expect(await running).toEqual({ kind: 'stopped' });
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  });

  it('leaves nothing running behind it, and is not waited for longer than it runs', async () => {
    const exit = await run(
      'sh -c "echo \\$\\$ > child; exec sleep 600" & while [ ! -s child ]; do sleep 0.05; done; echo done',
    );
    expect(exit).toMatchObject({ kind: 'ended', code: 0, stdout: 'done\n' });
    expect(await isAlive(await pidIn('child'))).toBe(false);
  });

  it('is ended when Folio closes', async () => {
    const running = run('echo $$ > own; exec sleep 600');
    const pid = await pidIn('own');
    await world.hooks.processes.dispose();
    expect(await running).toEqual({ kind: 'stopped' });
    expect(await isAlive(pid)).toBe(false);
  });

  it('that cannot start or is killed by others says so', async () => {
    expect(await run('kill -KILL $$')).toEqual({ kind: 'failed', message: 'It was ended by SIGKILL.' });
    const spec = {
      command: 'true',
      cwd: join(world.workspace, 'missing'),
      env: {},
      input: '',
      timeoutMs: 60_000,
    };
    expect(await world.hooks.processes.run(spec, never)).toMatchObject({ kind: 'failed' });
    await expect(stat(join(world.workspace, 'missing'))).rejects.toThrow();
  });

  it('is read to its last word, also when Folio was busy while it came', async () => {
    const printed = join(world.workspace, 'printed');
    // A process that left the group holds the streams open.
    const child = spawn(
      'sh',
      ['-c', `sleep 600 & echo $! > left; sleep 0.1; printf late; touch '${printed}'`],
      {
        cwd: world.workspace,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let read = '';
    child.stdout.setEncoding('utf8').on('data', text => (read += text));
    const left = await pidIn('left');
    const waiting = waitForOutput(new Promise(() => {}));
    const start = performance.now();
    while (!existsSync(printed) || performance.now() - start < 300);
    await waiting;
    expect(read).toBe('late');
    process.kill(left, 'SIGKILL');
  });

  it('does not start after a stop', async () => {
    expect(await run('echo $$ > own', { signal: AbortSignal.abort() })).toEqual({ kind: 'stopped' });
    await expect(stat(join(world.workspace, 'own'))).rejects.toThrow();
  });
});
