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
  /** File and name of the test; only the file if it failed to load. */
  readonly name: string;
  /** First line of the error. */
  readonly reason: string;
}

export interface StageResult {
  readonly counts: Counts;
  readonly failed: readonly FailedTest[];
  /** Tests that failed, but passed when their files ran again alone. They count as passed. */
  readonly flaky: readonly FailedTest[];
  /** At most ten, slowest first. Empty if a stage has no tests. */
  readonly slowest: readonly SlowTest[];
  /** Tests skipped because the machine lacks something, which their names say. */
  readonly untested: readonly string[];
  /** Number of tests with the omitted tag. They count neither as passed nor as skipped. */
  readonly leftOut: number;
}

export interface VitestOptions extends Pick<RunOptions, 'env' | 'label'> {
  /** Test files. Absent: all of the configuration. */
  readonly files?: readonly string[] | undefined;
  /** Omits tests with this tag of the configuration. */
  readonly leaveOut?: string | undefined;
}

/** Members of vitest's JSON report. Durations are in milliseconds. */
interface Report {
  readonly testResults: readonly FileReport[];
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

/** Maximum number of failed files to retry. More failures are not random. */
const mostFlakyFiles = 3;

/**
 * Runs tests of a configuration. Retries a few failed files alone, which tells tests that failed on a slow machine
 * apart from broken ones.
 */
export async function runVitest(config: string, options: VitestOptions): Promise<StageResult> {
  const first = await runOnce(config, options);
  const files = first.report.testResults.filter(file => findFailed([file]).length > 0);
  if (files.length === 0 || files.length > mostFlakyFiles) return resultOf(first, [], options.leaveOut);
  console.log(`\nOnce more, alone: ${files.map(pathOf).join(', ')}`);
  const again = await runOnce(config, { ...options, files: files.map(pathOf) });
  const names = new Set(again.report.testResults.map(pathOf));
  const others = first.report.testResults.filter(file => !names.has(pathOf(file)));
  const failedAgain = new Set(findFailed(again.report.testResults).map(({ name }) => name));
  const failedOnce = findFailed(files.filter(file => names.has(pathOf(file))));
  return resultOf(
    { code: again.code, report: { testResults: [...others, ...again.report.testResults] } },
    failedOnce.filter(({ name }) => !failedAgain.has(name)),
    options.leaveOut,
  );
}

interface Run {
  readonly code: number;
  readonly report: Report;
}

/** Runs tests once, with their own temporary folder, removed afterwards. */
async function runOnce(
  config: string,
  { files = [], leaveOut, env, ...options }: VitestOptions,
): Promise<Run> {
  // Short, since paths of sockets are limited to about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'folio-'));
  const file = join(folder, 'report.json');
  const temporary = join(folder, 't');
  // Shares compiled code between the hundreds of programs that tests start.
  const compiled = join(folder, 'compiled');
  await mkdir(temporary);
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const filter = leaveOut === undefined ? [] : [`--tags-filter=!${leaveOut}`];
    const code = await run('vitest', ['run', '--config', config, ...reporters, ...filter, ...files], {
      ...options,
      env: { ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, NODE_COMPILE_CACHE: compiled },
    });
    // Without a report the runner ended before its first test. Its exit code then counts as one failure.
    const text = await readFile(file, 'utf8').catch(() => '{}');
    return { code, report: { testResults: [], ...JSON.parse(text) } };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function resultOf({ code, report }: Run, flaky: readonly FailedTest[], leaveOut?: string): StageResult {
  const tests = report.testResults.flatMap(file => file.assertionResults);
  const failed = findFailed(report.testResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  // The report counts filtered tests as skipped.
  const leftOut = leaveOut === undefined ? 0 : tests.filter(({ tags }) => tags?.includes(leaveOut)).length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length - leftOut;
  // An error outside of tests has no failed test.
  const counts = { passed, failed: code !== 0 ? Math.max(1, failed.length) : failed.length, skipped };
  const untested = tests.map(({ fullName }) => fullName).filter(name => name.includes('(not tested: '));
  return { counts, failed, flaky, slowest: findSlowest(report), untested, leftOut };
}

/** Returns failed tests, and files that failed to load, which have no failed test. */
function findFailed(files: readonly FileReport[]): readonly FailedTest[] {
  return files.flatMap(file => {
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && file.status === 'failed')
      return [{ name: pathOf(file), reason: firstLine(file.message) }];
    return tests.map(test => ({
      name: `${pathOf(file)} › ${test.fullName}`,
      reason: firstLine(test.failureMessages?.[0]),
    }));
  });
}

function findSlowest({ testResults }: Report): readonly SlowTest[] {
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
