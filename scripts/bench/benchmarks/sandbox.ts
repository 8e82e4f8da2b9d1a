import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostSandbox } from '../../../src/extension/compose/hostSandbox.ts';
import { NodeProcesses } from '../../../src/extension/node/processes/nodeProcesses.ts';
import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';

const commands = 50;
const nothing = { write: [], hosts: [] };

/** Each command has walls of its own, which must cost a person nothing that they notice: 40 ms at most. */
export const sandbox: Benchmark = {
  name: 'sandbox',
  about: '50 commands that do nothing, with walls and without, in turn (Linux)',
  run: async ({ say }) => {
    const folder = await mkdtemp(join(tmpdir(), 'folio-bench-sandbox-'));
    const [home, path] = [folder, process.env.PATH];
    const names = { folders: () => [folder], instructionNames: () => ['AGENTS.md'] };
    const walls = hostSandbox({ ...names, home, path, platform: process.platform });
    const processes = new NodeProcesses();
    try {
      const missing = await walls.whyMissing();
      if (missing !== undefined) {
        say(`left out: ${missing}`);
        return [];
      }
      const free: number[] = [];
      const held: number[] = [];
      for (let at = 0; at < commands; at += 1) {
        free.push(await timed(() => processes.start({ command: 'true', cwd: folder }).exit));
        held.push(
          await timed(async () => {
            const containment = await walls.contain({ grants: nothing, background: false });
            await processes.start({ command: 'true', cwd: folder, walls: containment }).exit;
            await containment.leave();
          }),
        );
      }
      const more = held.map((ms, at) => ms - free[at]!);
      return [
        row('a command without walls', free),
        row('a command with walls', held),
        { ...row('what walls add', more), limit: { kind: 'median', atMost: 40 } },
      ];
    } finally {
      await processes.dispose();
      await walls.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function row(what: string, samples: readonly number[]): Measurement {
  return { benchmark: 'sandbox', what, who: 'Folio', unit: 'ms', samples };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
