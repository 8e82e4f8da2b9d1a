/* Runs all checks one after the other. A failed stage does not hide what the later ones have to say. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from './run.ts';

type StageName = 'types' | 'lint' | 'build' | 'unit' | 'panel' | 'workbench';

/** `commands`: every line is one check. `vitest`: the report of a configuration is counted. */
type Stage =
  | { readonly kind: 'commands'; readonly lines: readonly (readonly [string, ...string[]])[] }
  | { readonly kind: 'vitest'; readonly config: string };

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

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
    ],
  },
  unit: { kind: 'vitest', config: 'vitest.config.ts' },
  panel: { kind: 'vitest', config: 'vitest.panel.config.ts' },
  workbench: { kind: 'vitest', config: 'vitest.workbench.config.ts' },
};

const names = Object.keys(stages) as StageName[];

const usage = `npm test                       all checks
npm test -- unit               one stage, or several
npm test -- --only types,unit  the same

Stages: ${names.join(', ')}. Those after "build" test what it has built.`;

await main();

async function main(): Promise<void> {
  const wanted = readArguments();
  if (wanted === undefined) return;
  const results: { readonly name: StageName; readonly counts: Counts }[] = [];
  for (const name of wanted) {
    console.log(`\n── ${name}`);
    results.push({ name, counts: await runStage(stages[name]) });
  }
  report(results);
}

function readArguments(): readonly StageName[] | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, help: { type: 'boolean' } },
  });
  const asked = [...positionals, ...(values.only?.split(',') ?? [])];
  const unknown = asked.find(name => !names.some(known => known === name));
  if (!values.help && unknown === undefined) {
    return asked.length === 0 ? names : names.filter(name => asked.includes(name));
  }
  console.log(unknown === undefined ? usage : `There is no stage "${unknown}".\n\n${usage}`);
  process.exitCode = values.help ? 0 : 2;
  return undefined;
}

async function runStage(stage: Stage): Promise<Counts> {
  switch (stage.kind) {
    case 'commands':
      return await runCommands(stage.lines);
    case 'vitest':
      return await runVitest(stage.config);
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

async function runVitest(config: string): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-report-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await run('vitest', ['run', '--config', config, ...reporters]);
    const counts = await readCounts(file);
    // A file that could not be loaded, or an error outside of any test, has no failed test of its own.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCounts(file: string): Promise<Counts> {
  // Without a report the runner ended before its first test: its exit code tells that as one failure.
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const report = JSON.parse(text);
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
}

function report(results: readonly { readonly name: StageName; readonly counts: Counts }[]): void {
  console.log('');
  for (const { name, counts } of results) console.log(`${name.padEnd(10)} ${inWords(counts)}`);
  const total = results.reduce<Counts>(
    (sum, { counts }) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
  if (total.failed > 0) process.exitCode = 1;
  console.log(inWords(total));
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
