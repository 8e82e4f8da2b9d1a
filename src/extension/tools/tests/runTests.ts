import * as z from 'zod';
import { inEnglish, t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { limitOutput } from '../../base/limitOutput.ts';
import { plainTerminalText } from '../../base/terminalText.ts';
import {
  type CallContext,
  defineTool,
  type PrepareResult,
  ToolFailure,
  type ToolResult,
  type ToolRunContext,
} from '../../core/tool.ts';
import { unattendedEnv } from '../../platform/commandRun.ts';
import type { EditorTests, TestOutcome } from '../../platform/editorTests.ts';
import { FileError, type FileSystem, utf8Format } from '../../platform/fileSystem.ts';
import type { ProcessSpec } from '../../platform/processes.ts';
import { shortPath } from '../files/shortPath.ts';
import type { CommandPorts } from '../shell/commandPorts.ts';
import { type EndedCommand, summariseExit, waitForEnd } from '../shell/foregroundCommand.ts';
import { runAsAdmitted } from '../shell/sandboxedCommand.ts';
import {
  countOutcomes,
  filterByName,
  formatExistingTests,
  formatFailures,
  testCounts,
} from './formatOutcomes.ts';
import { parseTestOutcomes, type TestReportFormat } from './parseTestOutcomes.ts';
import { fillTestCommand, type TestRequest, testCommandLine } from './testLine.ts';
import type { TestPresence } from './testPresence.ts';
import type { TestProject } from './testProject.ts';

export interface TestSources {
  readonly presence: Pick<TestPresence, 'isThere' | 'find'>;
  /** Absent if no editor offers tests. */
  readonly editorTests?: EditorTests;
  /** The user's own test command; empty to detect it from the project. */
  readonly command: () => string;
  /** Files of reports, which are stored next to command outputs and are not reviewed. */
  readonly files: Pick<FileSystem, 'stat' | 'readText' | 'writeText' | 'delete'>;
  /** As Node names it. */
  readonly platform: string;
}

/** Characters of output that replace a missing report. */
const outputLimit = 6_000;
/** Bytes. Larger reports are not read. */
const reportLimit = 20_000_000;

const input = lazySchema(() =>
  z.object({
    file_path: z.string().optional().describe('Absent: all'),
    name: z.string().optional().describe('Part of a test name'),
    list: z.boolean().optional().describe('Lists instead'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

type TestPlan =
  | { readonly kind: 'editor'; readonly places: readonly string[]; readonly wanted: TestRequest }
  | {
      readonly kind: 'command';
      readonly spec: ProcessSpec;
      readonly wanted: TestRequest;
      readonly report?: Report;
    };

interface Report {
  /** Absolute. */
  readonly path: string;
  readonly format: TestReportFormat;
}

export function runTestsTool(ports: CommandPorts, sources: TestSources) {
  return defineTool({
    name: 'run_tests',
    description: 'Runs tests of the project. Tells counts, and of each failure the assertion and its place.',
    input,
    effect: 'run',
    isOffered: () => sources.presence.isThere,
    title: titleOf,
    prepare: (asked, call) => prepare(ports, sources, asked, call),
    run: (_asked, plan, call) =>
      plan.kind === 'editor'
        ? runInEditor(ports, sources, plan, call)
        : runCommand(ports, sources, plan, call),
  });
}

function titleOf({ file_path, name, list }: Input): string {
  const path = file_path === undefined ? '' : shortPath(file_path);
  const ofFile = list ? t('List the tests of {0}', path) : t('Run the tests of {0}', path);
  const ofAll = list ? t('List the tests') : t('Run the tests');
  const where = path === '' ? ofAll : ofFile;
  return name === undefined ? where : t('{0} named {1}', where, name);
}

async function prepare(
  ports: CommandPorts,
  sources: TestSources,
  { file_path, name, list: isList = false }: Input,
  call: CallContext,
): Promise<PrepareResult<TestPlan>> {
  const file = file_path === undefined ? undefined : await findFile(ports, file_path);
  const wanted = { file, name: name === '' ? undefined : name, isList };
  const places = await placesInEditor(ports, sources, wanted);
  if (places) {
    const detail = describeInEditor(wanted, file_path ?? t('the workspace'));
    return { plan: { kind: 'editor', places, wanted }, subject: { kind: 'other', detail } };
  }
  const project = await sources.presence.find(file);
  const { command, cwd, format } = await describeRun(
    ports,
    sources,
    project,
    wanted,
    reportPath(ports, call),
  );
  const own = await ports.variables?.();
  const env = { ...unattendedEnv, ...own, CI: '1', NO_COLOR: '1', ...project?.env };
  const report = format && { path: reportPath(ports, call), format };
  return {
    plan: { kind: 'command', spec: { command, cwd, env, callId: call.callId }, wanted, report },
    subject: { kind: 'command', command, cwd: await ports.paths.show(cwd), background: false },
    target: { kind: 'command', command, cwd, canBeHeld: true },
  };
}

function describeInEditor({ name, isList }: TestRequest, place: string): string {
  const what = isList
    ? t('VS Code lists the tests of {0}.', place)
    : t('VS Code runs the tests of {0}.', place);
  return name === undefined ? what : `${what} ${t('Only tests named {0} are reported.', name)}`;
}

async function findFile({ paths, files }: CommandPorts, given: string): Promise<string> {
  const path = await paths.resolve(given, 'read');
  if (await files.stat(path)) return path;
  throw new ToolFailure(`There is no ${given}.`, () => t('Not found'));
}

/** Returns where the editor should run tests; `undefined` if it knows none, or the user configured a command. */
async function placesInEditor(
  { paths }: CommandPorts,
  { editorTests, command }: TestSources,
  { file, isList }: TestRequest,
): Promise<readonly string[] | undefined> {
  if (!editorTests?.isAvailable || command() !== '') return undefined;
  // Only runners can list all tests.
  if (file === undefined) return isList ? undefined : await paths.realRoots();
  return (await editorTests.list(file)).length > 0 ? [file] : undefined;
}

interface DescribedRun {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  readonly format?: TestReportFormat;
}

async function describeRun(
  { paths, files }: CommandPorts,
  { command, platform }: TestSources,
  project: TestProject | undefined,
  wanted: TestRequest,
  report: string,
): Promise<DescribedRun> {
  const own = command();
  const [root = '.'] = await paths.realRoots();
  if (own !== '') return { command: fillTestCommand(own, root, wanted, platform), cwd: root };
  if (!project)
    throw new ToolFailure(
      'No tests are known here. Run them with run_shell_command, or let the user name a command in folio.testCommand.',
      () => t('No tests known'),
    );
  const line = testCommandLine(project, wanted, report, platform);
  await expectInstalled(project, line, files, root);
  return { command: line, cwd: project.folder, format: wanted.isList ? undefined : project.runner.report };
}

/** Without a local installation, npx would download the runner. */
async function expectInstalled(
  { folder, runner }: TestProject,
  line: string,
  files: CommandPorts['files'],
  root: string,
): Promise<void> {
  if (!line.startsWith('npx ')) return;
  for (const place of new Set([folder, root]))
    if (await files.stat(`${place}/node_modules/.bin/${runner.name}`)) return;
  throw new ToolFailure(
    `${runner.name} is not installed: node_modules/.bin does not hold it. Install the packages of the project first.`,
    () => t('Runner not installed'),
  );
}

function reportPath({ outputFolder }: CommandPorts, { callId }: CallContext): string {
  return `${outputFolder()}/tests-${callId.replace(/[^\w-]/g, '_')}.report`;
}

async function runInEditor(
  { paths }: CommandPorts,
  { editorTests }: TestSources,
  { places, wanted }: Extract<TestPlan, { kind: 'editor' }>,
  { signal }: CallContext,
): Promise<ToolResult> {
  const [folder = ''] = places;
  if (wanted.isList) {
    const tests = await editorTests!.list(folder);
    const named = filterByName(
      tests.map(names => ({ name: names.join(' > '), result: 'skipped' })),
      wanted.name,
    );
    return { text: formatExistingTests(named), display: { summary: () => t('{0} listed', named.length) } };
  }
  const outcomes: TestOutcome[] = [];
  for (const place of places) outcomes.push(...((await editorTests!.run(place, signal)) ?? []));
  if (outcomes.length === 0)
    return { text: 'VS Code knows no tests there.', display: { summary: () => t('No tests') } };
  return (
    (await describeUnnamed(outcomes, wanted)) ?? {
      text: `${inEnglish(() => countOutcomes(filterByName(outcomes, wanted.name)))}.${await formatFailures(filterByName(outcomes, wanted.name), { paths, folder })}`,
      display: {
        summary: () => countOutcomes(filterByName(outcomes, wanted.name)),
        tests: testCounts(filterByName(outcomes, wanted.name)),
      },
    }
  );
}

/** Returns `undefined` if tests of that name exist, or none was requested. */
async function describeUnnamed(
  outcomes: readonly TestOutcome[],
  { name }: TestRequest,
): Promise<Pick<ToolResult, 'text' | 'display'> | undefined> {
  if (name === undefined || filterByName(outcomes, name).length > 0) return undefined;
  return {
    text: `No test has “${name}” in its name. There are:\n${formatExistingTests(outcomes)}`,
    display: { summary: () => t('No such test') },
  };
}

async function runCommand(
  ports: CommandPorts,
  { files }: TestSources,
  { spec, wanted, report }: Extract<TestPlan, { kind: 'command' }>,
  call: ToolRunContext,
): Promise<ToolResult> {
  // The sandbox can only open existing paths.
  if (report) await files.writeText(report.path, '', utf8Format);
  const sandboxed =
    call.sandboxed?.kind === 'up' && report
      ? {
          ...call.sandboxed,
          grants: { ...call.sandboxed.grants, write: [...call.sandboxed.grants.write, report.path] },
        }
      : call.sandboxed;
  try {
    return await runAsAdmitted(ports, spec, { sandboxed }, async held => {
      const ended = await waitForEnd(held, spec, call);
      const outcomes = report && (await readReport(report, files));
      return await describe(ports, spec, ended, outcomes, wanted, call);
    });
  } finally {
    if (report) await files.delete(report.path);
  }
}

async function readReport(
  { path, format }: Report,
  files: TestSources['files'],
): Promise<readonly TestOutcome[] | undefined> {
  try {
    const { size = 0 } = (await files.stat(path)) ?? {};
    if (size === 0 || size > reportLimit) return undefined;
    return await parseTestOutcomes(format, (await files.readText(path)).text);
  } catch (error) {
    // An unreadable file is no report.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

async function describe(
  { paths }: CommandPorts,
  { cwd }: ProcessSpec,
  { raw, exit, silence }: EndedCommand,
  outcomes: readonly TestOutcome[] | undefined,
  wanted: TestRequest,
  call: CallContext,
): Promise<ToolResult> {
  const { forModel, forUser, outputPath } = await limitOutput(raw, outputLimit, call.saveOutput);
  const detail = { kind: 'command', exitCode: exit.code, output: forUser, outputPath } as const;
  const bounded = true as const;
  const ending = silence?.isOver
    ? `Stopped: no output for ${silence.seconds} s.`
    : `Exit code: ${exit.code ?? `none, signal ${exit.signal}`}.`;
  if (wanted.isList || outcomes === undefined || outcomes.length === 0) {
    const lead = wanted.isList
      ? ending
      : `${ending} ${outcomes === undefined ? 'There is no report of its tests to read, so this is what it printed' : 'No tests ran'}:`;
    return {
      text: `${lead}\n${forModel}`,
      display: { summary: () => summariseExit(exit, silence), detail },
      bounded,
    };
  }
  const unnamed = await describeUnnamed(outcomes, wanted);
  if (unnamed)
    return {
      ...unnamed,
      display: { summary: unnamed.display.summary, detail },
      bounded,
    };
  const reported = filterByName(outcomes, wanted.name);
  const counts = () => countOutcomes(reported);
  const failures = await formatFailures(reported, { paths, folder: cwd });
  const isOdd = failures === '' && exit.code !== 0;
  const kept = failures === '' ? undefined : (outputPath ?? (await call.saveOutput(plainTerminalText(raw))));
  const whole =
    kept === undefined ? '' : `\nThe whole output is in ${kept}: read parts of it with read_file.`;
  const odd = isOdd ? `\n${ending} No test failed, so see what it printed:\n${forModel}` : whole;
  return {
    text: `${inEnglish(counts)}.${failures}${odd}`,
    display: {
      summary: counts,
      tests: testCounts(reported),
      detail: { ...detail, outputPath: kept ?? outputPath },
    },
    bounded,
  };
}
