/* Networks of commands that may reach hosts: one serves many commands, one after another. */

import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ProgramFinder } from '../../../src/extension/node/processes/programs.ts';
import { NetworkNamespaces } from '../../../src/extension/node/sandbox/networkNamespaces.ts';
import { eachTest } from '../../support/eachTest.ts';
import { isAlive } from '../../support/isAlive.ts';
import { noGrants, SandboxWorld } from '../../support/sandboxWorld.ts';

const patience = { timeout: 60_000, interval: 20 };
const grants = { write: [], hosts: ['granted.example'] };

describe.skipIf(process.platform !== 'linux')('the network of a command that was granted a host', () => {
  const world = eachTest(() => SandboxWorld.make([]));

  const nameIt = 'readlink /proc/self/ns/net';
  /** Says whether somebody listens there. */
  const knock = (port: string) =>
    `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo open || echo closed`;
  const untilOver = 'until [ -e over ] || [ ! -e file ]; do sleep 0.05; done';

  async function linesOf(line: string): Promise<readonly string[]> {
    return (await world.run(line, { grants })).output.trim().split('\n');
  }

  /** Runs a command; the supervisor of its network is alone in it afterwards, and waits for the next command. */
  async function findSupervisor(): Promise<number> {
    const [network] = await linesOf(nameIt);
    return await vi.waitFor(() => {
      const inside = readdirSync('/proc').filter(pid => networkOf(pid) === network);
      expect(inside).toHaveLength(1);
      return Number(inside[0]);
    }, patience);
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

  test('is made again when its supervisor was ended, and supervisors end with the sandbox', async () => {
    const supervisor = await findSupervisor();
    process.kill(supervisor, 'SIGKILL');
    expect((await world.run(knock('${http_proxy##*:}'), { grants })).output).toBe('open\n');
    const last = await findSupervisor();
    expect(last).not.toBe(supervisor);
    await world.sandbox.dispose();
    await vi.waitFor(() => expect([supervisor, last].filter(isAlive)).toEqual([]), patience);
  });

  test('is made again, too, where the end of its supervisor was not noticed yet', async () => {
    const networks = new NetworkNamespaces(new ProgramFinder(() => []));
    const first = await networks.open('bwrap');
    const supervisor = Number(first.entry[2]);
    first.door.close();
    first.leave(endedProcess);
    process.kill(supervisor, 'SIGKILL');
    const second = await networks.open('bwrap');
    expect(Number(second.entry[2])).not.toBe(supervisor);
    second.door.close();
    networks.dispose();
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

/** No process has a number as high. */
const endedProcess = 2 ** 30;

function networkOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // No process, or one that has just ended.
    return undefined;
  }
}
