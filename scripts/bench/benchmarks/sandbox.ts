import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostSandbox } from '../../../src/extension/compose/hostSandbox.ts';
import { NodeProcesses } from '../../../src/extension/node/processes/nodeProcesses.ts';
import type { SandboxRequest } from '../../../src/extension/platform/sandbox.ts';
import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';

const commands = 50;
const limit = { kind: 'median', atMost: 40 } as const;
const nothing = { write: [], hosts: [] };
/** With a user to ask, each command gets a network with a proxy. */
const refuse = async () => ({ kind: 'refused', why: 'Nobody grants it.' }) as const;

/**
 * Measures the sandbox of a command, with and without a network. It may add at most 40 ms, which users do not notice.
 */
export const sandbox: Benchmark = {
  name: 'sandbox',
  about:
    '50 commands that do nothing, without a sandbox, with them, and with a way to ask for hosts, in turn (Linux)',
  run: async ({ say }) => {
    const root = await mkdtemp(join(tmpdir(), 'folio-bench-sandbox-'));
    const [folder, home, path] = [join(root, 'workspace'), join(root, 'home'), process.env.PATH];
    await Promise.all([mkdir(folder), mkdir(home)]);
    const names = { folders: () => [folder], instructionNames: () => ['AGENTS.md'] };
    const sandboxed = hostSandbox({ ...names, home, path, platform: process.platform });
    const processes = new NodeProcesses();
    const runAsAdmitted = async (onWanted?: SandboxRequest['onHostRequested']) => {
      const sandboxedProcess = await sandboxed.contain({
        grants: nothing,
        background: false,
        onHostRequested: onWanted,
      });
      await processes.start({ command: 'true', cwd: folder, sandboxed: sandboxedProcess }).exit;
      await sandboxedProcess.leave();
    };
    try {
      const missing = await sandboxed.whyMissing();
      if (missing !== undefined) {
        say(`left out: ${missing}`);
        return [];
      }
      const free: number[] = [];
      const held: number[] = [];
      const attended: number[] = [];
      for (let at = 0; at < commands; at += 1) {
        free.push(await timed(() => processes.start({ command: 'true', cwd: folder }).exit));
        held.push(await timed(() => runAsAdmitted()));
        attended.push(await timed(() => runAsAdmitted(refuse)));
      }
      const added = (samples: readonly number[]) => samples.map((ms, at) => ms - free[at]!);
      return [
        row('a command without a sandbox', free),
        row('a command with a sandbox', held),
        { ...row('what sandboxes add', added(held)), limit },
        { ...row('what sandboxes and a way to ask for hosts add', added(attended)), limit },
      ];
    } finally {
      await processes.dispose();
      await sandboxed.dispose();
      await rm(root, { recursive: true, force: true });
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
