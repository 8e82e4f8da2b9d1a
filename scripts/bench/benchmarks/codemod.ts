import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDiskWorld } from '../../../test/support/diskWorld.ts';
import { initRepository } from '../../../test/support/gitRepository.ts';
import type { Benchmark } from '../bench.ts';
import type { Measurement } from '../statistics.ts';

const fileCount = 500;

/** Measures the wait of user and command when one command rewrites many files. */
export const codemod: Benchmark = {
  name: 'codemod',
  about:
    'a command that changes 20 lines in each of 500 committed files: what it is slowed by, and when its changes can be reviewed',
  run: async ({ runs, say }) => {
    const samples: Sample[] = [];
    for (let run = 0; run <= Math.min(runs, 5); run++) {
      say(run === 0 ? 'warming up' : `run ${run}`);
      const sample = await measure();
      if (run > 0) samples.push(sample);
    }
    const row = (what: string, key: keyof Sample): Measurement => ({
      benchmark: 'codemod',
      what,
      who: 'Folio',
      unit: 'ms',
      samples: samples.map(sample => sample[key]),
    });
    return [
      row('sed over 500 files, not watched', 'alone'),
      row('sed over 500 files, watched', 'watched'),
      { ...row('wait before the command begins', 'before'), limit: { kind: 'median', atMost: 50 } },
      {
        ...row('end of the command until all can be reviewed', 'after'),
        limit: { kind: 'median', atMost: 1000 },
      },
      row('processor time of the wait', 'beforeWork'),
      row('processor time until all can be reviewed', 'afterWork'),
    ];
  },
};

interface Sample {
  readonly alone: number;
  readonly watched: number;
  readonly before: number;
  readonly after: number;
  /** Processor time of all threads, without other processes. More reliable than the clock beside other work. */
  readonly beforeWork: number;
  readonly afterWork: number;
}

async function measure(): Promise<Sample> {
  const world = await makeDiskWorld();
  try {
    await mkdir(join(world.workspace, 'src'));
    await initRepository(world.workspace, Object.fromEntries(filesOf()));
    await world.turn('go');
    const sed = (expression: string) => {
      const start = performance.now();
      const { status } = spawnSync('sh', ['-c', `sed -i '${expression}' src/*.ts`], { cwd: world.workspace });
      if (status !== 0) throw new Error(`sed ended with ${status}.`);
      return performance.now() - start;
    };
    const alone = sed('s/7 = /7 = 1 + /');
    for (const [name, text] of filesOf()) await writeFile(join(world.workspace, name), text);
    const { changes } = world.session;
    const writer = { kind: 'command', callId: 'codemod', line: 'sed' } as const;
    const files = changes.filesOf(writer, 'seen');
    const call = { effect: 'run', files, reads: false, signal: new AbortController().signal } as const;
    const start = performance.now();
    const work = processorTime();
    const { result } = await changes.watch(call, async () => {
      const before = performance.now() - start;
      const beforeWork = processorTime() - work;
      const watched = sed('s/7 = /7 = 1 + /');
      return { before, beforeWork, watched, end: performance.now(), work: processorTime() };
    });
    const after = performance.now() - result.end;
    const afterWork = processorTime() - result.work;
    if (changes.ledger.paths.length !== fileCount) throw new Error('Not every file waits for review.');
    const { watched, before, beforeWork } = result;
    return { alone, watched, before, beforeWork, after, afterWork };
  } finally {
    await world.dispose();
  }
}

/** In milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function filesOf(): readonly (readonly [name: string, text: string])[] {
  const text = Array.from({ length: 200 }, (_, line) => `const value${line} = ${line};\n`).join('');
  return Array.from({ length: fileCount }, (_, number) => [`src/file${number}.ts`, `// ${number}\n${text}`]);
}
