/*
 * Runs a command with its sandbox, and reports what the sandbox denied: to the model what to request, to the user what
 * happened.
 */

import { inEnglish, type LocalizedMessage, t } from '../../../protocol/language.ts';
import { englishMessageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { ToolFailure, type ToolResult, type ToolRunContext } from '../../core/tool.ts';
import type { ProcessExit, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import {
  describeQuarantined,
  hasStarted,
  type QuarantinedPath,
  runWithSandboxRetries,
  type SandboxedEnd,
  type SandboxedProcess,
  type SandboxGrants,
  type SandboxReport,
  type SandboxRequest,
} from '../../platform/sandbox.ts';
import type { CommandPorts } from './commandPorts.ts';
import { type DeniedAccess, findDeniedAccess } from './deniedBySandbox.ts';
import { HostAskBatches } from './hostAsks.ts';

type Run = (ports: CommandPorts) => Promise<ToolResult>;

/**
 * Runs a command as it was admitted: in its sandbox, or plain if it has none. Adds to the result what the sandbox denied
 * and reverted.
 *
 * @param run runs the command with the given ports
 */
export async function runAsAdmitted(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: Pick<ToolRunContext, 'sandboxed'>,
  run: Run,
): Promise<ToolResult> {
  const { sandboxed } = call;
  if (sandboxed === undefined) return await run(ports);
  if (sandboxed.kind === 'missing') return withoutSandbox(await run(ports), sandboxed.why);
  const { grants, askToConnect } = sandboxed;
  const asks = askToConnect && new HostAskBatches(askToConnect, ports.clock);
  const result = await runInside(ports, run, { spec, grants, ports, asks });
  return { ...result, text: ports.sandbox?.late.before(result.text) ?? result.text };
}

function withoutSandbox(result: ToolResult, why: LocalizedMessage): ToolResult {
  const { display, text } = result;
  const describe = () => t('It ran without the sandbox. {0}', why());
  return {
    ...result,
    text: `${inEnglish(describe)}\n${text}`,
    display: { ...display, summary: () => `${display.summary()}. ${describe()}` },
  };
}

async function runInside(ports: CommandPorts, run: Run, held: Held): Promise<ToolResult> {
  const undone: QuarantinedPath[] = [];
  let take = (more: readonly QuarantinedPath[]): void => {
    undone.push(...more);
  };
  const ended = await runWithSandboxRetries(
    () => contain(held, more => take(more)),
    sandboxed => runBehind(sandboxed, { ...ports, awaitsUser: () => held.asks?.isOpen ?? false }, run),
  );
  const { result, report } = ended;
  if (!hasStarted(ended)) return notify(result, sandboxFailed, () => t('the sandbox failed'));
  if (report) return describe({ result, report }, held);
  take = reportLate(ports, held.spec);
  const words = ['It runs in the sandbox.', stopsOutside, ...describeUndone(undone)];
  return notify(result, words.join(' '), () => summaryOf({ write: [], hosts: [], closed: [] }, { undone }));
}

/** Reports a name once, even if the program creates it repeatedly. */
function reportLate(
  { sandbox }: CommandPorts,
  { command }: ProcessSpec,
): (undone: readonly QuarantinedPath[]) => void {
  const known = new Set<string>();
  return undone => {
    const news = undone.filter(({ path }) => !known.has(path));
    if (news.length === 0) return;
    for (const { path } of news) known.add(path);
    sandbox?.late.add(
      `While “${oneLine(command, 80)}” runs in the sandbox, protected names that appear are undone, whoever made them: ${listQuarantined(news)}. One that you made yourself can be put back once the command has ended.`,
    );
  };
}

/** Reverts protected names when the command ends, without waiting for one that continues after its call. */
async function runBehind(sandboxed: SandboxedProcess, ports: CommandPorts, run: Run): Promise<Ended> {
  let running: RunningProcess | undefined;
  const start = (spec: ProcessSpec) => {
    running = ports.processes.start({ ...spec, sandboxed });
    return running;
  };
  try {
    const result = await run({ ...ports, processes: { start } });
    const exit = running && (await endOf(running));
    if (!running || exit) return { result, code: exit?.code ?? null, report: await sandboxed.leave() };
    leaveAtEnd(running, sandboxed, ports);
    return { result, code: null };
  } catch (error) {
    await sandboxed.leave();
    throw error;
  }
}

const stopsOutside = 'Other commands do not see it there: to stop it, run that kill with outside_sandbox.';

function leaveAtEnd(
  { exit, spec }: RunningProcess,
  sandboxed: SandboxedProcess,
  { sandbox }: CommandPorts,
): void {
  exit
    .then(() => sandboxed.leave())
    .catch(error =>
      sandbox?.late.add(
        `The sandbox of “${oneLine(spec.command, 80)}” could not be taken down, so protected names that the command made may be left in the workspace: ${englishMessageOf(error)}`,
      ),
    );
}

/** Returns `undefined` for commands that continue after their call: in the background, or waiting for input. */
async function endOf({ exit }: RunningProcess): Promise<ProcessExit | undefined> {
  return await Promise.race([exit, undefined]);
}

const sandboxFailed =
  'The sandbox itself failed, see its words, so the command did not run. With outside_sandbox the user is asked whether it may run without one.';

async function contain(
  { ports: { sandbox }, grants, spec, asks }: Held,
  onQuarantined: SandboxRequest['onQuarantined'],
): Promise<SandboxedProcess> {
  const { background = false, answerable: terminal } = spec;
  try {
    if (!sandbox) throw new Error('There is no sandbox here.');
    return await sandbox.contain({
      grants,
      background,
      terminal,
      onHostRequested: asks?.decide,
      onQuarantined,
    });
  } catch (error) {
    throw new ToolFailure(
      `The sandbox could not be built, so the command did not run: ${englishMessageOf(error)} With outside_sandbox the user is asked whether it may run without one.`,
      () => t('The sandbox could not be created'),
    );
  }
}

interface Ended extends SandboxedEnd {
  readonly result: ToolResult;
}

interface Held {
  readonly spec: ProcessSpec;
  readonly grants: SandboxGrants;
  readonly ports: Pick<CommandPorts, 'sandbox' | 'paths'>;
  /** Absent if nobody is asked while it runs. */
  readonly asks: HostAskBatches | undefined;
}

function describe(
  { result, report }: Required<Pick<Ended, 'result' | 'report'>>,
  { spec, grants, ports, asks }: Held,
): ToolResult {
  const { detail } = result.display;
  const { output, exitCode } = detail?.kind === 'command' ? detail : { output: '', exitCode: null };
  const place = { cwd: spec.cwd, home: ports.sandbox?.home ?? '/', workspaces: ports.paths.all, grants };
  const failed =
    exitCode === 0 ? { write: [], hosts: [], closed: [] } : findDeniedAccess(spec.command, output, place);
  const refused = asks?.refused ?? [];
  const hosts = [...new Set([...report.hosts, ...failed.hosts])];
  const denied = { ...failed, hosts: hosts.filter(host => !refused.includes(host)) };
  const words = [...describeRefused(refused), ...describeDenied(denied), ...describeUndone(report.undone)];
  return notify(result, ['It ran in the sandbox.', ...words].join(' '), () =>
    summaryOf({ ...denied, hosts }, report),
  );
}

/** The user was already asked, so nobody should be asked again. */
function describeRefused(hosts: readonly string[]): readonly string[] {
  return hosts.length === 0
    ? []
    : [`The user was asked and did not let it connect to ${hosts.join(', ')}: continue without that.`];
}

function describeDenied({ write, hosts, closed }: DeniedAccess): readonly string[] {
  const needs = [
    ...(write.length > 0 ? [`needs_write: ${JSON.stringify(write)}`] : []),
    ...(hosts.length > 0 ? [`needs_hosts: ${JSON.stringify(hosts)}`] : []),
  ];
  return [
    ...(needs.length > 0
      ? [
          `The sandbox kept it from what it wanted. If it needs that, run it again with ${needs.join(' and ')}; the user is asked.`,
        ]
      : []),
    ...(closed.length > 0
      ? [
          `The sandbox does not open ${closed.join(', ')}. With outside_sandbox the user is asked whether it may run without one.`,
        ]
      : []),
  ];
}

function describeUndone(undone: readonly QuarantinedPath[]): readonly string[] {
  if (undone.length === 0) return [];
  return [`The sandbox took back what is protected, whoever made it: ${listQuarantined(undone)}.`];
}

function summaryOf(
  { write, hosts, closed }: DeniedAccess,
  { undone }: Pick<SandboxReport, 'undone'>,
): string {
  const missing = [
    ...write.map(path => t('write to {0}', path)),
    ...hosts.map(host => t('connect to {0}', host)),
    ...closed.map(path => t('use {0}', path)),
  ];
  const parts = [t('in the sandbox')];
  if (missing.length > 0)
    parts.push(
      t(
        'which did not allow it to {0}',
        missing.reduce((one, other) => t('{0} or {1}', one, other)),
      ),
    );
  if (undone.length > 0) parts.push(t('which took back {0}', undone.map(describeQuarantined).join('; ')));
  return parts.join(', ');
}

function listQuarantined(undone: readonly QuarantinedPath[]): string {
  return inEnglish(() => undone.map(describeQuarantined).join('; '));
}

/** @param short for the card, after the outcome */
function notify(result: ToolResult, words: string, short: LocalizedMessage): ToolResult {
  const { display, text } = result;
  return {
    ...result,
    text: `${words}\n${text}`,
    display: { ...display, summary: () => `${display.summary()}, ${short()}` },
  };
}
