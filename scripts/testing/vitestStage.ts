import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot, run } from '../run.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface SlowTest {
  /** The file and the test's name. */
  readonly name: string;
  readonly seconds: number;
}

export interface StageResult {
  readonly counts: Counts;
  /** The slowest first, at most ten; none where a stage has no tests of its own. */
  readonly slowest: readonly SlowTest[];
}

/** The part of vitest's JSON report that is read here. Durations are milliseconds. */
interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[];
  }[];
}

/** Runs the tests of a configuration: all of them, or these files. */
export async function runVitest(
  config: string,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<StageResult> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-report-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await run('vitest', ['run', '--config', config, ...reporters, ...files], { env });
    // Without a report the runner ended before its first test, and its exit code counts as one failure.
    const report: Report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
    return { counts: countTests(report, code), slowest: findSlowest(report) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function countTests(report: Report, code: number): Counts {
  const failed = report.numFailedTests ?? 0;
  return {
    passed: report.numPassedTests ?? 0,
    // A file that could not be loaded, or an error outside of any test, has no failed test of its own.
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
}

function findSlowest({ testResults = [] }: Report): readonly SlowTest[] {
  return testResults
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        name: `${relative(projectRoot, name).replaceAll('\\', '/')} › ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10);
}
