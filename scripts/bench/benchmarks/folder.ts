import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentRun, runAgent } from '../agentRun.ts';
import { type Benchmark, runAlternately } from '../bench.ts';
import { inTempFolder, writeTree } from '../folders.ts';
import type { Script } from '../server.ts';
import type { Measurement } from '../statistics.ts';

const fileCount = 50_000;
const commands = 4;

const runCommands: Script = step =>
  step < commands
    ? { kind: 'call', name: 'run_shell_command', args: { command: `echo ${step} >> notes.txt` } }
    : { kind: 'text', chunks: ['Done.'] };

interface Sample {
  readonly toRequest: number;
  readonly firstCommand: number;
  readonly laterCommand: number;
  readonly memory: number;
}

/** Measures the index for folders without Git, which only Folio has. */
export const folder: Benchmark = {
  name: 'folder',
  about: `${commands} commands in a folder of ${fileCount.toLocaleString('en-US')} files without Git, and in one that is empty`,
  run: async setting => {
    const folioAlone = {
      ...setting,
      contestants: setting.contestants.filter(({ name }) => name === 'Folio'),
    };
    const measureIn = async (workspace: string): Promise<readonly Sample[]> => {
      const measured = await runAlternately(folioAlone, Math.min(setting.runs, 5), async who => {
        const run = { script: runCommands, workspace, requests: commands + 1, memory: true } as const;
        return sampleOf(await runAgent(who, run));
      });
      return [...measured.values()].flat();
    };
    const empty = await inTempFolder(measureIn);
    const large = await inTempFolder(async workspace => {
      await writeTree(workspace, fileCount);
      await rm(join(workspace, '.git'), { recursive: true });
      return measureIn(workspace);
    });
    const rows = (what: string, key: keyof Sample, unit: 'ms' | 'MB'): readonly Measurement[] => [
      { benchmark: 'folder', what, who: 'empty folder', unit, samples: empty.map(each => each[key]) },
      {
        ...{ benchmark: 'folder', what, who: 'Folio', unit, samples: large.map(each => each[key]) },
        against: 'empty folder',
      },
    ];
    return [
      ...rows('to first request', 'toRequest', 'ms'),
      ...rows('first command, until the next request', 'firstCommand', 'ms'),
      ...rows('later command, until the next request', 'laterCommand', 'ms'),
      ...rows('peak memory', 'memory', 'MB'),
    ];
  },
};

function sampleOf({ startedAt, exchanges, peakMemory }: AgentRun): Sample {
  const commandAfter = (step: number) => exchanges[step + 1]!.askedAt - exchanges[step]!.answeredAt;
  return {
    toRequest: exchanges[0]!.askedAt - startedAt,
    firstCommand: commandAfter(0),
    laterCommand: commandAfter(commands - 1),
    memory: peakMemory! / (1024 * 1024),
  };
}
