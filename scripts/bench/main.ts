/* `npm run bench -- --help` */

import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './bench.ts';
import { answer } from './benchmarks/answer.ts';
import { codemod } from './benchmarks/codemod.ts';
import { completion } from './benchmarks/completion.ts';
import { debugging } from './benchmarks/debugging.ts';
import { folder } from './benchmarks/folder.ts';
import { hunks } from './benchmarks/hunks.ts';
import { memory } from './benchmarks/memory.ts';
import { open } from './benchmarks/open.ts';
import { panel } from './benchmarks/panel.ts';
import { parallel } from './benchmarks/parallel.ts';
import { reduce } from './benchmarks/reduce.ts';
import { rename } from './benchmarks/rename.ts';
import { request } from './benchmarks/request.ts';
import { sandbox } from './benchmarks/sandbox.ts';
import { scroll } from './benchmarks/scroll.ts';
import { search } from './benchmarks/search.ts';
import { session } from './benchmarks/session.ts';
import { start } from './benchmarks/start.ts';
import { steps } from './benchmarks/steps.ts';
import { symbols } from './benchmarks/symbols.ts';
import { window } from './benchmarks/window.ts';
import { folio, loop } from './contestants.ts';
import { installPeers } from './peers.ts';
import type { Measurement } from './statistics.ts';
import { formatTable, toJson } from './table.ts';

const benchmarks: readonly Benchmark[] = [
  request,
  start,
  memory,
  steps,
  session,
  open,
  parallel,
  answer,
  reduce,
  panel,
  scroll,
  search,
  hunks,
  codemod,
  completion,
  folder,
  sandbox,
  symbols,
  debugging,
  rename,
  window,
];

const usage = `npm run bench -- [--only NAME]... [--runs N] [--peers] [--json FILE]

Measures dist/headless.cjs beside a minimal agent loop, over the same local server, in the same run.

  --only NAME   one of those below; may be given several times
  --runs N      measured runs of each contestant, 11 by default
  --peers       also measures @google/gemini-cli, which npm installs into the cache folder
  --json FILE   writes the numbers to a file too; - for standard output, instead of the table

${benchmarks.map(({ name, about }) => `  ${name.padEnd(9)} ${about}`).join('\n')}`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    runs: { type: 'string', default: '11' },
    peers: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (flags.help) console.log(usage);
else {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

async function main(): Promise<void> {
  const chosen = chooseBenchmarks(flags.only);
  const runs = Number(flags.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number from 1.');
  const contestants = [loop, folio, ...(flags.peers ? await installPeers() : [])];
  const measurements: Measurement[] = [];
  for (const { name, run } of chosen) {
    const say = (line: string) => console.error(`${name}: ${line}`);
    say('measuring');
    measurements.push(...(await run({ contestants, runs, say })));
  }
  await report(measurements);
}

function chooseBenchmarks(only: readonly string[] | undefined): readonly Benchmark[] {
  if (only === undefined) return benchmarks;
  return only.map(name => {
    const found = benchmarks.find(benchmark => benchmark.name === name);
    if (found) return found;
    throw new Error(`There is no benchmark "${name}". There are ${benchmarks.map(b => b.name).join(', ')}.`);
  });
}

async function report(measurements: readonly Measurement[]): Promise<void> {
  const json = JSON.stringify({ machine: machine(), measurements: toJson(measurements) }, undefined, 2);
  if (flags.json === '-') return console.log(json);
  if (flags.json !== undefined) await writeFile(flags.json, `${json}\n`);
  console.log(`${machine()}\n\n${formatTable(measurements)}`);
}

/** Describes the machine, for comparing numbers. */
function machine(): string {
  const processors = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const name = processors[0]?.model.trim() || process.arch;
  return `Node ${process.version}, ${process.platform}, ${processors.length} × ${name}, ${memoryGb} GB`;
}
