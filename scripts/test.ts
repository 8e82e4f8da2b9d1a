/* Runs all checks. Later stages run even if one fails. */

import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { readSources } from '../test/support/sourceFiles.ts';
import { run } from './run.ts';
import { findChangedFiles, seedOfCommit } from './testing/gitState.ts';
import { findReachedTests } from './testing/reach.ts';
import { endToEndTests, longerTests } from './testing/stressTests.ts';
import { type Counts, type FailedTest, runVitest, type StageResult } from './testing/vitestStage.ts';
import { installChromium } from './vscodeHost/chromium.ts';

type StageName = 'types' | 'lint' | 'build' | 'unit' | 'panel' | 'workbench';

/** `commands`: each line is one check. `vitest`: counts come from the report of a configuration. */
type Stage =
  | { readonly kind: 'commands'; readonly lines: readonly (readonly [string, ...string[]])[] }
  | {
      readonly kind: 'vitest';
      readonly config: string;
      /** Returns true for files of this stage. */
      readonly owns: (path: string) => boolean;
      /** The proof to which the tests with its tag are left. */
      readonly leaves?: { readonly name: string; readonly tag: string };
    };

interface Plan {
  readonly stages: readonly StageName[];
  /** Test files to run. Absent: all. */
  readonly files?: readonly string[];
  readonly seed: string;
}

interface Result extends StageResult {
  readonly name: StageName;
  readonly seconds: number;
}

const inPanel = (path: string) => matchesGlob(path, 'test/panel/**');
const inWorkbench = (path: string) => matchesGlob(path, 'test/workbench/**');

/** One checker of `tsc` takes a third less time beside lint and build, since several repeat shared work. */
const stages: Readonly<Record<StageName, Stage>> = {
  types: {
    kind: 'commands',
    lines: [
      ['tsc', '-p', 'src/extension', '--singleThreaded'],
      ['tsc', '-p', 'src/webview', '--singleThreaded'],
      ['tsc', '-p', 'test', '--singleThreaded'],
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
  unit: {
    kind: 'vitest',
    config: 'vitest.config.ts',
    owns: path => !inPanel(path) && !inWorkbench(path),
    leaves: longerTests,
  },
  panel: { kind: 'vitest', config: 'vitest.panel.config.ts', owns: inPanel },
  workbench: {
    kind: 'vitest',
    config: 'vitest.workbench.config.ts',
    owns: inWorkbench,
    leaves: endToEndTests,
  },
};

/** Quick stages and prerequisites first. The last two mostly wait, so they run in parallel. */
const rounds: readonly (readonly StageName[])[] = [
  ['types', 'lint', 'build'],
  ['unit'],
  ['panel', 'workbench'],
];

const names = rounds.flat();

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
  const seedLine = `Seed ${plan.seed} (to draw the same: npm test -- --seed ${plan.seed})`;
  console.log(seedLine);
  const start = performance.now();
  const results: Result[] = [];
  for (const round of rounds) {
    const together = round.filter(name => plan.stages.includes(name));
    if (together.length === 0) continue;
    console.log(`\n── ${together.join(' and ')}`);
    // Parallel stages must not install Chromium twice. If it fails, each stage reports the missing browser.
    if (together.length > 1 && together.includes('panel')) await installChromium().catch(() => undefined);
    const run = (name: StageName) => runStage(name, plan, together.length > 1 ? name.padEnd(9) : undefined);
    results.push(...(await Promise.all(together.map(run))));
  }
  printReport(results, seedLine, secondsSince(start));
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
  const seed = values.seed ?? String(await seedOfCommit());
  const wanted = asked.length === 0 ? names : names.filter(name => asked.includes(name));
  if (!values.changed && values.since === undefined) return { stages: wanted, seed };
  return { ...(await planForChange(wanted, values.since ?? 'HEAD')), seed };
}

/** Plans the tests that a change reaches. Quick stages always run. */
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

/** @param label prefix of its output, for parallel stages */
async function runStage(name: StageName, { files, seed }: Plan, label?: string): Promise<Result> {
  const stage = stages[name];
  const start = performance.now();
  const result =
    stage.kind === 'commands'
      ? await runCommands(stage.lines, label)
      : await runVitest(stage.config, {
          files: files?.filter(stage.owns),
          leaveOut: stage.leaves?.tag,
          env: { FOLIO_SEED: seed },
          label,
        });
  return { ...result, name, seconds: secondsSince(start) };
}

async function runCommands(
  lines: readonly (readonly [string, ...string[]])[],
  label: string | undefined,
): Promise<StageResult> {
  const failed: FailedTest[] = [];
  for (const [command, ...args] of lines) {
    const name = [command, ...args].join(' ');
    console.log(label === undefined ? `$ ${name}` : `${label} │ $ ${name}`);
    const code = await run(command, args, label === undefined ? {} : { label });
    if (code !== 0) failed.push({ name, reason: `ended with ${code}` });
  }
  const counts = { passed: lines.length - failed.length, failed: failed.length, skipped: 0 };
  return { counts, failed, flaky: [], slowest: [], untested: [], leftOut: 0 };
}

function printReport(results: readonly Result[], seedLine: string, seconds: number): void {
  for (const { name, slowest } of results) {
    if (slowest.length === 0) continue;
    console.log(`\nThe slowest of ${name}:`);
    for (const test of slowest) console.log(`${test.seconds.toFixed(1).padStart(7)} s  ${test.name}`);
  }
  const untested = results.flatMap(result => result.untested);
  if (untested.length > 0) console.log('\nFor want of something on this machine:');
  for (const name of untested) console.log(`  ${name}`);
  for (const { name, leftOut } of results) {
    const stage = stages[name];
    if (leftOut === 0 || stage.kind !== 'vitest' || stage.leaves === undefined) continue;
    console.log(`\n${leftOut} longer tests of ${name} are left to: npm run prove -- ${stage.leaves.name}`);
  }
  // At the end, so that a shortened log still has it.
  for (const { name, flaky } of results) printFailures(`Flaky, of ${name}: failed, and passed alone`, flaky);
  for (const { name, failed } of results) printFailures(`Failed of ${name}`, failed);
  console.log(`\n${seedLine}`);
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
  console.log(`together   ${inMinutes(seconds).padStart(8)}`);
  if (total.failed > 0) process.exitCode = 1;
  console.log(inWords(total));
}

function printFailures(heading: string, tests: readonly FailedTest[]): void {
  if (tests.length > 0) console.log(`\n${heading}:`);
  for (const test of tests) console.log(`  ✗ ${test.name}\n      ${test.reason}`);
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
