/* Networks of commands that may reach hosts: one serves many commands, one after another. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../support/isAlive.ts';
import { noGrants, SandboxWorld } from '../../support/sandboxWorld.ts';

const patience = { timeout: 60_000, interval: 20 };
const grants = { write: [], hosts: ['granted.example'] };

describe.skipIf(process.platform !== 'linux')('the network of a command that was granted a host', () => {
  let world: SandboxWorld;
  beforeEach(async () => {
    world = await SandboxWorld.make([]);
  });
  afterEach(() => world?.dispose());

  const nameIt = 'readlink /proc/self/ns/net';
  /** Says whether somebody listens there. */
  const knock = (port: string) =>
    `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo open || echo closed`;
  const untilOver = 'until [ -e over ] || [ ! -e file ]; do sleep 0.05; done';

  async function linesOf(line: string): Promise<readonly string[]> {
    return (await world.run(line, { grants })).output.trim().split('\n');
  }

  /** The program that keeps the next network stands in front of its command. */
  async function findKeeper(): Promise<number> {
    const walls = await world.sandbox.contain({ grants, background: false });
    const { args } = walls.wrap({ file: '/bin/true', args: [], cwd: '/', env: {} });
    await walls.leave();
    return Number(args[args.indexOf('--target') + 1]);
  }

  test('is taken over by the next, at another port, without what the one before left', async () => {
    const [first, port = ''] = await linesOf(
      `${nameIt}; echo "\${http_proxy##*:}"; python3 -m http.server 8123 >/dev/null 2>&1 & until (exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null; do sleep 0.05; done`,
    );
    let next: readonly string[] = [];
    await vi.waitFor(async () => {
      next = await linesOf(`${nameIt}; ${knock(port)}; ${knock('8123')}; ${knock('${http_proxy##*:}')}`);
      expect(next).toEqual([expect.any(String), 'closed', 'closed', 'open']);
    }, patience);
    const [again] = await linesOf(nameIt);
    expect(again).toBe(next[0]);
    expect(first).toMatch(/^net:\[\d+\]$/);
  });

  test('is its own while it runs: another command reaches neither its servers nor its way out', async () => {
    const { running, leave } = await world.start(
      `${nameIt}; echo "\${http_proxy##*:}"; python3 -m http.server 8123 >/dev/null 2>&1 & ${untilOver}`,
      { grants },
    );
    let output = '';
    running.onDidWrite(text => {
      output += text;
    });
    await vi.waitFor(() => expect(output.split('\n')).toHaveLength(3), patience);
    const [name, port = ''] = output.split('\n');
    const [other, way, server] = await linesOf(`${nameIt}; ${knock(port)}; ${knock('8123')}`);
    expect([other === name, way, server]).toEqual([false, 'closed', 'closed']);
    writeFileSync(join(world.workspace, 'over'), '');
    await running.exit;
    await leave();
  });

  test('stays with what a command of the background leaves behind', async () => {
    const { running, leave } = await world.start(`(${untilOver}) >/dev/null 2>&1 & ${nameIt} > name`, {
      grants,
      background: true,
    });
    await running.exit;
    await leave();
    const [old, now] = await linesOf(`cat name; ${nameIt}`);
    expect(old).toMatch(/^net:/);
    expect(now).not.toBe(old);
    writeFileSync(join(world.workspace, 'over'), '');
  });

  test('is made anew when its keeper was ended, and keepers end with the sandbox', async () => {
    const keeper = await findKeeper();
    process.kill(keeper, 'SIGKILL');
    expect((await world.run(knock('${http_proxy##*:}'), { grants })).output).toBe('open\n');
    const last = await findKeeper();
    expect(last).not.toBe(keeper);
    await world.sandbox.dispose();
    await vi.waitFor(() => expect([keeper, last].filter(isAlive)).toEqual([]), patience);
  });

  test('is no other than an empty one where nothing may be asked', async () => {
    const { output } = await world.run(
      `env | grep -i _proxy; tail -n +3 /proc/net/dev | grep -v ' lo:'; echo end`,
      {
        grants: noGrants,
      },
    );
    expect(output).toBe('end\n');
  });
});
