import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark } from '../bench.ts';
import { inTempFolder } from '../folders.ts';
import { longSession } from '../longSession.ts';
import type { OpenCost } from '../openLong.ts';
import type { Limit, Measurement } from '../statistics.ts';

const run = promisify(execFile);
const bare = 'JSON.parse alone';
const hows = { [bare]: 'parse', Folio: 'open' } as const;
const maxRuns = 7;

/** Measures time and memory of opening a very long session. */
export const open: Benchmark = {
  name: 'open',
  about: 'a session of 60,000 journal lines: opening it, memory afterwards, and what the panel gets',
  run: ({ runs, say }) =>
    inTempFolder(async folder => {
      const journal = join(folder, 'journal.jsonl');
      await writeFile(journal, `${longSession().join('\n')}\n`);
      const costs = new Map<string, OpenCost[]>(Object.keys(hows).map(who => [who, []]));
      for (let count = 0; count <= Math.min(runs, maxRuns); count++) {
        say(count === 0 ? 'warming up' : `run ${count}`);
        for (const [who, how] of Object.entries(hows)) {
          const cost = await measure(journal, how);
          if (count > 0) costs.get(who)!.push(cost);
        }
      }
      return [...costs].flatMap(([who, all]) => measurementsOf(who, all));
    }),
};

async function measure(journal: string, how: string): Promise<OpenCost> {
  const program = join(import.meta.dirname, '..', 'openLong.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, journal, how]);
  return JSON.parse(stdout);
}

function measurementsOf(who: string, costs: readonly OpenCost[]): Measurement[] {
  const isFolio = who === 'Folio';
  const make = (
    what: string,
    unit: Measurement['unit'],
    of: (cost: OpenCost) => number,
    limit?: Limit,
  ): Measurement => ({
    benchmark: 'open',
    what,
    who,
    unit,
    samples: costs.map(of),
    against: bare,
    ...(limit && isFolio && { limit }),
  });
  return [
    make('processor time, all threads', 'ms', ({ cpu }) => cpu, { kind: 'median', atMost: 1_000 }),
    make('time', 'ms', ({ wall }) => wall),
    ...(isFolio
      ? [
          make('memory that stays', 'MB', ({ heap }) => heap, { kind: 'median', atMost: 150 }),
          make('bytes of the snapshot', 'bytes', ({ snapshotBytes }) => snapshotBytes, {
            kind: 'median',
            atMost: 1_000_000,
          }),
          make('making the snapshot', 'ms', ({ snapshotTime }) => snapshotTime),
        ]
      : []),
  ];
}
