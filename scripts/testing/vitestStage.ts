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
  /** Failed beside the others and passed when their files ran again, alone; they count as passed. */
  readonly flaky: readonly FailedTest[];
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

/** More files than this do not fail by chance. */
const mostFlakyFiles = 3;

/**
 * Runs tests of a configuration. A few files with failed tests run once more, without the others beside them: what a
 * slow machine made late passes then, and is told apart from what is broken.
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

/** What the tests leave in the temporary folder, which is their own, goes with it. */
async function runOnce(
  config: string,
  { files = [], leaveOut, env, ...options }: VitestOptions,
): Promise<Run> {
  // Short, since the path of a socket may have about a hundred letters.
  const folder = await mkdtemp(join(tmpdir(), 'folio-'));
  const file = join(folder, 'report.json');
  const temporary = join(folder, 't');
  // Hundreds of programs that tests start load the same code: it is compiled once.
  const compiled = join(folder, 'compiled');
  await mkdir(temporary);
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const filter = leaveOut === undefined ? [] : [`--tags-filter=!${leaveOut}`];
    const code = await run('vitest', ['run', '--config', config, ...reporters, ...filter, ...files], {
      ...options,
      env: { ...env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, NODE_COMPILE_CACHE: compiled },
    });
    // Without a report the runner ended before its first test, and its exit code counts as one failure.
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
  // What a filter leaves out is in the report as if it were skipped.
  const leftOut = leaveOut === undefined ? 0 : tests.filter(({ tags }) => tags?.includes(leaveOut)).length;
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length - leftOut;
  // An error outside of any test has no failed test of its own.
  const counts = { passed, failed: code !== 0 ? Math.max(1, failed.length) : failed.length, skipped };
  const untested = tests.map(({ fullName }) => fullName).filter(name => name.includes('(not tested: '));
  return { counts, failed, flaky, slowest: findSlowest(report), untested, leftOut };
}

/** A file that could not be loaded has no failed test of its own. */
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
