/* Runs all checks one after the other. A failed stage does not hide what the later ones have to say. */

import { randomInt } from 'node:crypto';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources } from '../test/support/sourceFiles.ts';
import { run } from './run.ts';
import { findChangedFiles } from './testing/changedFiles.ts';
import { findReachedTests } from './testing/reach.ts';
import { type Counts, runVitest, type StageResult } from './testing/vitestStage.ts';

type StageName = 'types' | 'lint' | 'build' | 'unit' | 'panel' | 'workbench';

/** `commands`: every line is one check. `vitest`: the report of a configuration is counted. */
type Stage =
  | { readonly kind: 'commands'; readonly lines: readonly (readonly [string, ...string[]])[] }
  | {
      readonly kind: 'vitest';
      readonly config: string;
      /** The stage's files among those that a change reaches. */
      readonly owns: (path: string) => boolean;
    };

interface Plan {
  readonly stages: readonly StageName[];
  /** Test files to run; all of them when it is left out. */
  readonly files?: readonly string[];
  readonly seed: string;
}

interface Result extends StageResult {
  readonly name: StageName;
  readonly seconds: number;
}

const inPanel = (path: string) => matchesGlob(path, 'test/panel/**');
const inWorkbench = (path: string) => matchesGlob(path, 'test/workbench/**');

/** In the order of running: what is quick and what others need comes first. */
const stages: Readonly<Record<StageName, Stage>> = {
  types: {
    kind: 'commands',
    lines: [
      ['tsc', '-p', 'src/extension'],
      ['tsc', '-p', 'src/webview'],
      ['tsc', '-p', 'test'],
    ],
  },
  lint: { kind: 'commands', lines: [['biome', 'ci', '.']] },
  build: {
    kind: 'commands',
    lines: [
      ['node', 'esbuild.mjs', '--production', '--metafile'],
      ['node', 'scripts/checkSizes.ts'],
      ['node', 'scripts/notices.ts', '--check'],
    ],
  },
  unit: { kind: 'vitest', config: 'vitest.config.ts', owns: path => !inPanel(path) && !inWorkbench(path) },
  panel: { kind: 'vitest', config: 'vitest.panel.config.ts', owns: inPanel },
  workbench: { kind: 'vitest', config: 'vitest.workbench.config.ts', owns: inWorkbench },
};

const names = Object.keys(stages) as StageName[];

const usage = `npm test                       all checks
npm test -- unit               one stage, or several
npm test -- --only types,unit  the same
npm test -- --changed          the tests that what is not committed can reach
npm test -- --since REF        the tests that the changes since a commit can reach
npm test -- --seed N           draws the same chances as the run that printed this seed

Stages: ${names.join(', ')}. Those after "build" test what it has built.
More of what proves by number: npm run prove`;

await main();

async function main(): Promise<void> {
  const plan = await readPlan();
  if (plan === undefined) return;
  console.log(`Seed ${plan.seed} (to draw the same: npm test -- --seed ${plan.seed})`);
  const results: Result[] = [];
  for (const name of plan.stages) {
    console.log(`\n── ${name}`);
    const start = performance.now();
    const result = await runStage(stages[name], plan);
    results.push({ ...result, name, seconds: (performance.now() - start) / 1000 });
  }
  printReport(results);
}

async function readPlan(): Promise<Plan | undefined> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      changed: { type: 'boolean' },
      since: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const asked = [...positionals, ...(values.only?.split(',') ?? [])];
  const unknown = asked.find(name => !names.some(known => known === name));
  if (values.help || unknown !== undefined) {
    console.log(unknown === undefined ? usage : `There is no stage "${unknown}".\n\n${usage}`);
    process.exitCode = values.help ? 0 : 2;
    return undefined;
  }
  const seed = values.seed ?? String(randomInt(2 ** 31 - 1));
  const wanted = asked.length === 0 ? names : names.filter(name => asked.includes(name));
  if (!values.changed && values.since === undefined) return { stages: wanted, seed };
  return { ...(await planForChange(wanted, values.since ?? 'HEAD')), seed };
}

/** What is quick to check is always checked. */
async function planForChange(wanted: readonly StageName[], since: string): Promise<Omit<Plan, 'seed'>> {
  const changed = await findChangedFiles(since);
  const sources = (await Promise.all(['src', 'test', 'scripts'].map(readSources))).flat();
  const files = findReachedTests(sources, changed);
  if (files === 'everything') {
    console.log('The change concerns how everything is built or run: all tests run.');
    return { stages: wanted };
  }
  console.log(`${changed.length} changed files can reach ${files.length} test files.`);
  const isReached = (name: StageName) => {
    const stage = stages[name];
    return stage.kind === 'commands' || files.some(stage.owns);
  };
  return { stages: wanted.filter(isReached), files };
}

async function runStage(stage: Stage, { files, seed }: Plan): Promise<StageResult> {
  switch (stage.kind) {
    case 'commands':
      return { counts: await runCommands(stage.lines), slowest: [] };
    case 'vitest':
      return await runVitest(stage.config, files?.filter(stage.owns) ?? [], { FOLIO_SEED: seed });
  }
}

async function runCommands(lines: readonly (readonly [string, ...string[]])[]): Promise<Counts> {
  let failed = 0;
  for (const [command, ...args] of lines) {
    console.log(`$ ${[command, ...args].join(' ')}`);
    if ((await run(command, args)) !== 0) failed += 1;
  }
  return { passed: lines.length - failed, failed, skipped: 0 };
}

function printReport(results: readonly Result[]): void {
  for (const { name, slowest } of results) {
    if (slowest.length === 0) continue;
    console.log(`\nThe slowest of ${name}:`);
    for (const test of slowest) console.log(`${test.seconds.toFixed(1).padStart(7)} s  ${test.name}`);
  }
  console.log('');
  for (const { name, counts, seconds } of results)
    console.log(`${name.padEnd(10)} ${inMinutes(seconds).padStart(8)}  ${inWords(counts)}`);
  const total = results.reduce<Counts>(
    (sum, { counts }) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
  console.log(`together   ${inMinutes(results.reduce((sum, { seconds }) => sum + seconds, 0)).padStart(8)}`);
  if (total.failed > 0) process.exitCode = 1;
  console.log(inWords(total));
}

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
