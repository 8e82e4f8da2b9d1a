/* Runs a command as it is held, and says what held it back: to the model what to ask for, to the person what happened. */

import { messageOf } from '../../base/errors.ts';
import { type AdmittedContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import type { ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import {
  type Containment,
  describeTakenBack,
  type SandboxGrants,
  type SandboxReport,
} from '../../platform/sandbox.ts';
import type { CommandPorts } from './commandPorts.ts';
import { type Denied, findDenied } from './deniedBySandbox.ts';

type Run = (ports: CommandPorts) => Promise<ToolResult>;

/** @param run runs it over the ports that it gets */
export async function runHeld(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: Pick<AdmittedContext, 'walls'>,
  run: Run,
): Promise<ToolResult> {
  const { walls } = call;
  if (walls === undefined) return await run(ports);
  if (walls.kind === 'missing') return tell(await run(ports), `It ran without the sandbox. ${walls.why}`);
  const { grants } = walls;
  const containment = await contain(ports, grants, spec);
  return spec.background
    ? await runApart(ports, containment, run)
    : await runInside(ports, containment, run, { spec, grants, ports });
}

async function runInside(ports: CommandPorts, walls: Containment, run: Run, held: Held): Promise<ToolResult> {
  let running: RunningProcess | undefined;
  const start = (spec: ProcessSpec) => {
    running = ports.processes.start({ ...spec, walls });
    return running;
  };
  try {
    const result = await run({ ...ports, processes: { start } });
    if (running && !(await hasEnded(running))) {
      leaveAtEnd(running, walls);
      return tell(result, `It runs in the sandbox. ${stopsOutside}`, 'in the sandbox');
    }
    return describe({ result, report: await walls.leave() }, held);
  } catch (error) {
    await walls.leave();
    throw error;
  }
}

/** In the background what must not stay is taken back when the command ends, which nobody waits for. */
async function runApart(ports: CommandPorts, walls: Containment, run: Run): Promise<ToolResult> {
  const start = (spec: ProcessSpec) => {
    const running = ports.processes.start({ ...spec, walls });
    leaveAtEnd(running, walls);
    return running;
  };
  const result = await run({ ...ports, processes: { start } });
  return tell(result, `It runs in the sandbox. ${stopsOutside}`, 'in the sandbox');
}

const stopsOutside = 'Other commands do not see it there: to stop it, run that kill with outside_sandbox.';

function leaveAtEnd({ exit }: RunningProcess, walls: Containment): void {
  exit
    .then(() => walls.leave())
    .catch(() => {
      // The disk is at fault, and whoever uses it next is told of that.
    });
}

/** One that waits for input runs on after its call. */
async function hasEnded({ exit }: RunningProcess): Promise<boolean> {
  return (await Promise.race([exit, undefined])) !== undefined;
}

async function contain(
  { sandbox }: CommandPorts,
  grants: SandboxGrants,
  { background = false, answerable: terminal }: ProcessSpec,
): Promise<Containment> {
  try {
    if (!sandbox) throw new Error('There is no sandbox here.');
    return await sandbox.contain({ grants, background, terminal });
  } catch (error) {
    throw new ToolFailure(
      `The sandbox could not be built, so the command did not run: ${messageOf(error)} With outside_sandbox the person is asked whether it may run without one.`,
      'The sandbox could not be built',
    );
  }
}

interface Ended {
  readonly result: ToolResult;
  readonly report: SandboxReport;
}

interface Held {
  readonly spec: ProcessSpec;
  readonly grants: SandboxGrants;
  readonly ports: Pick<CommandPorts, 'sandbox' | 'paths'>;
}

function describe({ result, report }: Ended, { spec, grants, ports }: Held): ToolResult {
  const { detail } = result.display;
  const { output, exitCode } = detail?.kind === 'command' ? detail : { output: '', exitCode: null };
  if (exitCode !== 0 && /^bwrap: /m.test(output) && !/^bwrap: /.test(spec.command))
    return tell(
      result,
      `The sandbox itself failed, see its words. With outside_sandbox the person is asked whether it may run without one.`,
      'the sandbox failed',
    );
  const place = { cwd: spec.cwd, home: ports.sandbox?.home ?? '/', workspaces: ports.paths.all, grants };
  const failed =
    exitCode === 0 ? { write: [], hosts: [], closed: [] } : findDenied(spec.command, output, place);
  const denied = { ...failed, hosts: [...new Set([...report.hosts, ...failed.hosts])] };
  const words = [...describeDenied(denied), ...describeUndone(report)];
  return tell(result, ['It ran in the sandbox.', ...words].join(' '), summaryOf(denied, report));
}

function describeDenied({ write, hosts, closed }: Denied): readonly string[] {
  const needs = [
    ...(write.length > 0 ? [`needs_write: ${JSON.stringify(write)}`] : []),
    ...(hosts.length > 0 ? [`needs_hosts: ${JSON.stringify(hosts)}`] : []),
  ];
  return [
    ...(needs.length > 0
      ? [
          `The sandbox kept it from what it wanted. If it needs that, run it again with ${needs.join(' and ')}; the person is asked.`,
        ]
      : []),
    ...(closed.length > 0
      ? [
          `The sandbox does not open ${closed.join(', ')}. With outside_sandbox the person is asked whether it may run without one.`,
        ]
      : []),
  ];
}

function describeUndone({ undone }: SandboxReport): readonly string[] {
  if (undone.length === 0) return [];
  return [
    `The sandbox took back what is protected, whoever made it: ${undone.map(describeTakenBack).join('; ')}.`,
  ];
}

function summaryOf({ write, hosts, closed }: Denied, { undone }: SandboxReport): string {
  const missing = [
    ...write.map(path => `write to ${path}`),
    ...hosts.map(host => `connect to ${host}`),
    ...closed.map(path => `use ${path}`),
  ];
  const held = missing.length === 0 ? '' : `, which did not let it ${missing.join(' or ')}`;
  const back = undone.length === 0 ? '' : `, which took back ${undone.map(describeTakenBack).join('; ')}`;
  return `in the sandbox${held}${back}`;
}

/** @param short for the card, after how it ended; absent: the whole sentence */
function tell(result: ToolResult, words: string, short?: string): ToolResult {
  const { display, text } = result;
  const summary = short === undefined ? `${display.summary}. ${words}` : `${display.summary}, ${short}`;
  return { ...result, text: `${words}\n${text}`, display: { ...display, summary } };
}
