import { spawn, spawnSync } from 'node:child_process';
import { runAgent } from '../agentRun.ts';
import { type Benchmark, unlessPeerFails } from '../bench.ts';
import type { Contestant } from '../contestants.ts';
import { inTempFolder, writeTree } from '../folders.ts';
import type { Answer } from '../server.ts';
import type { Measurement } from '../statistics.ts';

const fileCount = 20_000;

interface Query {
  readonly what: string;
  readonly tool: 'grep_search' | 'glob';
  readonly args: Readonly<Record<string, unknown>>;
  /** Arguments of rg for the same search. */
  readonly rg: readonly string[];
  /** Pattern that the tool's result must match, so that failing fast does not count as speed. */
  readonly finds: RegExp;
}

const queries: readonly Query[] = [
  {
    what: 'grep_search, in one file of 1,000',
    tool: 'grep_search',
    args: { pattern: 'needle' },
    rg: ['--ignore-case', '--line-number', 'needle', '.'],
    finds: /file1007\.ts/,
  },
  {
    what: 'grep_search, nowhere',
    tool: 'grep_search',
    args: { pattern: 'no\\s+such\\s+word' },
    rg: ['--ignore-case', '--line-number', 'no\\s+such\\s+word', '.'],
    finds: /functionResponse(?!.*"error")/s,
  },
  {
    what: 'glob, one file of ten',
    tool: 'glob',
    args: { pattern: '**/*.test.ts' },
    rg: ['--files', '--glob', '**/*.test.ts', '.'],
    finds: /file\d+\.test\.ts/,
  },
];

/** Measures from the end of the answer that calls the tool to the request with its result. */
export const search: Benchmark = {
  name: 'search',
  about: `grep_search and glob in a tree of ${fileCount.toLocaleString('en')} files, against rg automatically`,
  run: ({ contestants, runs, say }) =>
    inTempFolder(async workspace => {
      if (spawnSync('rg', ['--version']).status !== 0) {
        throw new Error('There is no rg on the PATH to compare with. Install ripgrep.');
      }
      say('writing the tree');
      await writeTree(workspace, fileCount);
      const measurements: Measurement[] = [];
      for (const query of queries) {
        say(query.what);
        const row = { benchmark: 'search', what: query.what, unit: 'ms', against: 'rg' } as const;
        measurements.push({ ...row, who: 'rg', samples: await timeRg(query, workspace, runs) });
        for (const who of contestants.filter(one => one.name !== 'minimal loop')) {
          const samples = await unlessPeerFails(who, say, () => timeTool(who, query, workspace, runs));
          if (samples !== undefined) measurements.push({ ...row, who: who.name, samples });
        }
      }
      return measurements;
    }),
};

/** Measures calls of a tool, without the first one, which also loads it. */
async function timeTool(who: Contestant, query: Query, workspace: string, runs: number): Promise<number[]> {
  // Varies the spelling of the folder, so that loop detection does not stop it.
  const script = (step: number): Answer =>
    step <= runs
      ? { kind: 'call', name: query.tool, args: { ...query.args, dir_path: './'.repeat(step + 1) } }
      : { kind: 'text', chunks: ['Done.'] };
  const { exchanges, lastRequest } = await runAgent(who, { script, workspace, requests: runs + 2 });
  if (!query.finds.test(lastRequest)) {
    throw new Error(`${who.name} did not find by ${query.tool} what is there.`);
  }
  return exchanges.slice(2).map((next, i) => next.askedAt - exchanges[i + 1]!.answeredAt);
}

async function timeRg(query: Query, workspace: string, runs: number): Promise<number[]> {
  await runRg(query.rg, workspace);
  const samples: number[] = [];
  while (samples.length < runs) samples.push(await runRg(query.rg, workspace));
  return samples;
}

/** Returns the milliseconds until rg has ended and its output was read. No match is no failure. */
function runRg(args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn('rg', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0 || code === 1) resolve(performance.now() - startedAt);
      else reject(new Error(`rg ended with code ${code}.`));
    });
  });
}
