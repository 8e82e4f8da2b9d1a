import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { projectRoot, type RunOptions, run } from '../run.ts';

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

export interface FailedTest {
  /** The file and the test's name; the file alone where it could not be loaded. */
  readonly name: string;
  /** The first line of what the test said. */
  readonly reason: string;
}

export interface StageResult {
  readonly counts: Counts;
  readonly failed: readonly FailedTest[];
  /** The slowest first, at most ten; none where a stage has no tests of its own. */
  readonly slowest: readonly SlowTest[];
  /** Tests whose names say what this machine lacks for them. */
  readonly untested: readonly string[];
  /** Tests with the tag that was left out; they count neither as passed nor as skipped. */
  readonly leftOut: number;
}

export interface VitestOptions extends Pick<RunOptions, 'env' | 'label'> {
  /** Test files; all of the configuration where none is named. */
  readonly files?: readonly string[] | undefined;
  /** Leaves out the tests with this tag, which the configuration names. */
  readonly leaveOut?: string | undefined;
}

/** The part of vitest's JSON report that is read here. Durations are milliseconds. */
interface Report {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status?: string;
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status?: string;
    readonly duration?: number | null;
    readonly failureMessages?: readonly string[] | null;
    readonly tags?: readonly string[];
  }[];
}

/** Runs tests of a configuration. What they leave in the temporary folder, which is their own, goes with it. */
export async function runVitest(
  config: string,
  { files = [], leaveOut, env, ...options }: VitestOptions,
): Promise<StageResult> {
  // Short, since the path of a socket may have about a hundred letters.
  const folder = await mkdtemp(join(tmpdir(), 'folio-'));
  const file = join(folder, 'report.json');
  const temporary = join(folder, 't');
  await mkdir(temporary);
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const filter = leaveOut === undefined ? [] : [`--tags-filter=!${leaveOut}`];
    const code = await run('vitest', ['run', '--config', config, ...reporters, ...filter, ...files], {
      ...options,
      env: { ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    });
    // Without a report the runner ended before its first test, and its exit code counts as one failure.
    const report: Report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
    const leftOut = countLeftOut(report, leaveOut);
    const counts = countTests(report, code, leftOut);
    const untested = findUntested(report);
    return { counts, failed: findFailed(report), slowest: findSlowest(report), untested, leftOut };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What a filter leaves out is in the report as if it were skipped. */
function countLeftOut({ testResults = [] }: Report, tag: string | undefined): number {
  if (tag === undefined) return 0;
  return testResults.flatMap(file => file.assertionResults).filter(({ tags }) => tags?.includes(tag)).length;
}

function countTests(report: Report, code: number, leftOut: number): Counts {
  const failed = report.numFailedTests ?? 0;
  return {
    passed: report.numPassedTests ?? 0,
    // A file that could not be loaded, or an error outside of any test, has no failed test of its own.
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0) - leftOut,
  };
}

function findFailed({ testResults = [] }: Report): readonly FailedTest[] {
  return testResults.flatMap(file => {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && file.status === 'failed')
      return [{ name: pathOf(file), reason: firstLine(file.message) }];
    return tests.map(test => ({
      name: `${pathOf(file)} › ${test.fullName}`,
      reason: firstLine(test.failureMessages?.[0]),
    }));
  });
}

function findUntested({ testResults = [] }: Report): readonly string[] {
  const names = testResults.flatMap(file => file.assertionResults.map(({ fullName }) => fullName));
  return names.filter(name => name.includes('(not tested: '));
}

function findSlowest({ testResults = [] }: Report): readonly SlowTest[] {
  return testResults
    .flatMap(file =>
      file.assertionResults.map(({ fullName, duration }) => ({
        name: `${pathOf(file)} › ${fullName}`,
        seconds: (duration ?? 0) / 1000,
      })),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10);
}

function pathOf({ name }: FileReport): string {
  return relative(projectRoot, name).replaceAll('\\', '/');
}

function firstLine(text = ''): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
