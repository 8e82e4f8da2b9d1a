import { runAgent } from '../agentRun.ts';
import { type Benchmark, runAlternately } from '../bench.ts';
import { inTempFolder, noteAt, writeNotes } from '../folders.ts';
import type { Script } from '../server.ts';
import type { Measurement } from '../statistics.ts';

const reads = 50;
const readBytes = 4_000;

interface Task {
  readonly what: string;
  readonly script: Script;
  readonly requests: number;
  /** Limit for Folio in megabytes. */
  readonly limit: number;
}

const tasks: readonly Task[] = [
  {
    what: 'one turn',
    script: () => ({ kind: 'text', chunks: ['Done.'] }),
    requests: 1,
    limit: 110,
  },
  {
    what: `${reads} file reads`,
    script: step =>
      step < reads
        ? { kind: 'call', name: 'read_file', args: { file_path: noteAt(step) } }
        : { kind: 'text', chunks: ['Done.'] },
    requests: reads + 1,
    limit: 140,
  },
];

export const memory: Benchmark = {
  name: 'memory',
  about: 'peak memory of the largest process, of one turn and of 50 file reads',
  run: setting =>
    inTempFolder(async workspace => {
      await writeNotes(workspace, reads, readBytes);
      const measurements: Measurement[] = [];
      for (const { what, script, requests, limit } of tasks) {
        const collected = await runAlternately(setting, Math.min(setting.runs, 5), async who => {
          const run = await runAgent(who, { script, workspace, requests, memory: true });
          return run.peakMemory! / (1024 * 1024);
        });
        for (const [who, samples] of collected) {
          measurements.push({
            benchmark: 'memory',
            what,
            who: who.name,
            unit: 'MB',
            samples,
            against: 'minimal loop',
            ...(who.name === 'Folio' && { limit: { kind: 'median', atMost: limit } }),
          });
        }
      }
      return measurements;
    }),
};
