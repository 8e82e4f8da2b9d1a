import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { oneLine } from '../../base/text.ts';
import { wrapUntrusted } from '../../base/untrusted.ts';
import { folderContains } from '../../core/folderPaths.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { defineTool, ToolFailure, type ToolResult } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type Breakpoint,
  DebugError,
  type Debugger,
  type LaunchConfiguration,
  type UserProgram,
} from '../../platform/debug/debugger.ts';
import type { FileReader } from '../../platform/fileSystem.ts';
import { DebugSession, type PausedProgram, pausedProgramOf, type ResumeCommand } from './debugSession.ts';
import {
  describeException,
  describeStack,
  describeValue,
  describeVariables,
  readStackFrames,
  type SourceDisplay,
  type StackFrame,
} from './describeStop.ts';
import { findBreakpointLine } from './findBreakpointLine.ts';

const actions = ['start', 'continue', 'over', 'into', 'out', 'look', 'evaluate', 'stop'] as const;

const input = lazySchema(() =>
  z.object({
    action: z.enum(actions),
    config: z.string().optional(),
    breakpoints: z
      .array(
        z.object({
          file: z.string(),
          at: z.string().describe('Function or line text'),
          condition: z.string().optional(),
          log: z.string().optional().describe('Printed, with {x}'),
        }),
      )
      .optional(),
    caught_exceptions: z.boolean().optional(),
    frame: z.int().optional(),
    expression: z.string().optional(),
    seconds: z.int().optional(),
  }),
);

type Input = z.infer<ReturnType<typeof input>>;

export interface DebugPorts {
  readonly debugger: Debugger;
  readonly files: FileReader;
  readonly paths: WorkspacePaths;
  readonly clock: Clock;
  /** True if commands must run in the sandbox, which a debugged program cannot. */
  readonly wantsSandbox: () => boolean;
}

interface Plan {
  readonly configuration?: LaunchConfiguration;
  readonly breakpoints?: readonly Breakpoint[];
  /** The user's program that the call is about, if the agent runs none. */
  readonly users?: UserProgram | undefined;
}

const resumes: Partial<Record<Input['action'], ResumeCommand>> = {
  continue: 'continue',
  over: 'next',
  into: 'stepIn',
  out: 'stepOut',
};

/** One tool with an action, since each declaration adds to every request. */
export function debugTool(ports: DebugPorts) {
  const session = new DebugSession(ports.debugger, ports.clock);
  return defineTool({
    name: 'debug',
    description:
      "Debugs a launch configuration. A stop returns stack, variables, output. With none started, look and evaluate read the user's stopped program.",
    input,
    effect: 'run',
    isOffered: () => ports.debugger.isAvailable(),
    title: describeAction,
    prepare: async asked => {
      const plan = await reported(makePlan(ports, session, asked));
      const paths = asked.breakpoints?.map(({ file }) => file) ?? [];
      return {
        plan,
        subject: { kind: 'other', detail: describeSubject(asked, plan) },
        target: paths.length > 0 ? { kind: 'paths', paths, access: 'read' } : undefined,
        mustAsk: plan.users && asked.action === 'evaluate' ? true : asksWithSandbox(ports, asked),
      };
    },
    run: async (asked, plan, { signal }) => {
      try {
        return await reported(carryOut(ports, session, asked, plan, signal));
      } catch (error) {
        // Aborted while running: nobody would end the program later.
        if (signal.aborted) await session.stop();
        throw error;
      }
    },
  });
}

/** A program under the debugger runs outside of the sandbox. */
function asksWithSandbox(ports: DebugPorts, { action }: Input): true | undefined {
  return ports.wantsSandbox() && (action === 'start' || action === 'evaluate') ? true : undefined;
}

function describeAction({ action, config, expression = '' }: Input): string {
  switch (action) {
    case 'start':
      return config === undefined ? t('Debug') : t('Debug {0}', oneLine(config, 80));
    case 'continue':
      return t('Continue the program');
    case 'over':
      return t('Step over');
    case 'into':
      return t('Step into');
    case 'out':
      return t('Step out');
    case 'look':
      return t('Show stack and variables');
    case 'evaluate':
      return t('Evaluate {0}', oneLine(expression, 80));
    case 'stop':
      return t('End debugging');
  }
}

async function makePlan(ports: DebugPorts, session: DebugSession, asked: Input): Promise<Plan> {
  const breakpoints = asked.breakpoints && (await placeAll(ports, asked.breakpoints));
  if (asked.action !== 'start')
    return { breakpoints, users: session.isActive ? undefined : ports.debugger.users?.() };
  const all = await ports.debugger.configurations();
  const wanted = all.filter(({ name }) => asked.config === undefined || name === asked.config);
  const [configuration] = wanted;
  if (configuration && wanted.length === 1) return { configuration, breakpoints };
  const names = all.map(({ name }) => JSON.stringify(oneLine(name, 80))).join(', ');
  const problem =
    all.length === 0
      ? 'There is no launch configuration. One goes into .vscode/launch.json.'
      : `Name one of the launch configurations: ${names}.`;
  throw new DebugError([problem, ...noteUsers(ports.debugger.users?.())].join(' '));
}

/** Tells the model of the user's program, which it may have meant. */
function noteUsers(users: UserProgram | undefined): readonly string[] {
  return users ? [`${leadOf(users)} Use look to see where.`] : [];
}

function leadOf({ name }: UserProgram): string {
  return `The user's debug session ${JSON.stringify(oneLine(name, 80))} is stopped.`;
}

/** Shown to the user only if the call asks. */
function describeSubject(
  { action, expression = '', breakpoints = [] }: Input,
  { configuration, users }: Plan,
): string {
  const points = breakpoints
    .filter(({ condition, log }) => condition !== undefined || log !== undefined)
    .map(({ file, at, condition, log }) => oneLine(`${file}: ${at}  ${condition ?? ''} ${log ?? ''}`, 300));
  if (action === 'evaluate')
    return users ? `${t('In your debug session {0}:', oneLine(users.name, 80))}\n${expression}` : expression;
  const values = configuration && JSON.stringify(configuration.values, undefined, 2);
  return [values, ...points].filter(Boolean).join('\n');
}

async function placeAll(
  { files, paths }: DebugPorts,
  wanted: NonNullable<Input['breakpoints']>,
): Promise<readonly Breakpoint[]> {
  const placed: Breakpoint[] = [];
  for (const { file, at, condition, log } of wanted) {
    const path = await paths.resolve(file, 'read');
    if ((await files.stat(path))?.kind !== 'file') throw new DebugError(`There is no file ${file}.`);
    const found = findBreakpointLine((await files.readText(path)).text, at, file);
    if ('problem' in found) throw new DebugError(found.problem);
    placed.push({ path, line: found.line, condition, log });
  }
  return placed;
}

async function carryOut(
  ports: DebugPorts,
  session: DebugSession,
  asked: Input,
  { configuration, breakpoints, users }: Plan,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { action, caught_exceptions: stopsAtCaught = false } = asked;
  const seconds = Math.min(Math.max(asked.seconds ?? 30, 1), 300);
  if (action === 'stop') {
    await session.stop();
    return result(['Ended.', ...(users ? [`${leadOf(users)} Only the user ends it.`] : [])].join(' '), '');
  }
  if (users) return readUsers(ports, users, asked);
  if (action === 'start' && configuration)
    await session.start({ configuration, breakpoints: breakpoints ?? [], stopsAtCaught }, seconds, signal);
  const resume = resumes[action];
  if (resume) {
    if (breakpoints) await session.setBreakpoints(breakpoints);
    if (stopsAtCaught) await session.stopAtCaught();
    await session.resume(resume, seconds, signal);
  }
  if (session.state.kind !== 'stopped') return describeUnstopped(ports, session, seconds);
  const reason = oneLine(session.state.reason, 40).replace(/[^\w -]/g, '');
  return read(ports, session, asked, `Stopped: ${reason}.`, () => session.takeOutput().trimEnd());
}

async function readUsers(ports: DebugPorts, users: UserProgram, asked: Input): Promise<ToolResult> {
  if (resumes[asked.action])
    throw new DebugError(
      `${leadOf(users)} Only the user lets it go on. Use look or evaluate, or start your own.`,
    );
  return await read(ports, pausedProgramOf(users, ports.clock), asked, leadOf(users), () => '');
}

async function read(
  ports: DebugPorts,
  standing: PausedProgram,
  { action, frame = 0, expression = '' }: Input,
  lead: string,
  takeOutput: () => string,
): Promise<ToolResult> {
  const frames = await readStackFrames(standing);
  const chosen = frames[frame];
  if (!chosen) throw new DebugError(`There is no frame ${frame}; the stack has ${frames.length}.`);
  if (action === 'evaluate') return result('', await describeValue(standing, expression, chosen));
  const lines = await describeStopped(standing, frames, chosen, placeOf(ports));
  const output = takeOutput();
  const text = [...lines, ...(output === '' ? [] : ['Output:', output])].join('\n');
  return result(lead, text, () => t('Stopped in {0}, line {1}', oneLine(chosen.name, 60), chosen.line));
}

function describeUnstopped(ports: DebugPorts, session: DebugSession, seconds: number): ToolResult {
  const { state, problems } = session;
  const output = session.takeOutput();
  const unbound = problems.map(each => `Breakpoint without effect, ${oneLine(each, 200)}`);
  const text = [...unbound, output].filter(Boolean).join('\n');
  switch (state.kind) {
    case 'ended':
      return result(
        [
          `The program ended${state.exitCode === undefined ? '' : ` with code ${state.exitCode}`}.`,
          ...noteUsers(ports.debugger.users?.()),
        ].join(' '),
        text,
      );
    case 'running':
      return result(`Still running after ${seconds} s. Use continue to wait on, or stop.`, text);
    default:
      throw new DebugError('No program is being debugged. Use action start.');
  }
}

async function describeStopped(
  standing: PausedProgram,
  frames: readonly StackFrame[],
  frame: StackFrame,
  place: SourceDisplay,
): Promise<readonly string[]> {
  const exception = await describeException(standing);
  return [
    ...(exception === '' ? [] : [`Exception: ${exception}`]),
    `${frame.line}: ${await place.lineAt(frame.path, frame.line)}`,
    ...(await describeStack(frames, place)),
    ...(await describeVariables(standing, frame)),
  ];
}

function result(lead: string, data: string, summary = () => oneLine(lead || data, 80)): ToolResult {
  const text = [lead, data === '' ? '' : wrapUntrusted('untrusted_output', data)].filter(Boolean).join('\n');
  const detail = { kind: 'text', text: [lead, data].filter(Boolean).join('\n') } as const;
  return { text, bounded: true, display: { summary, detail } };
}

function placeOf({ files, paths }: DebugPorts): SourceDisplay {
  return {
    isOwn: path => {
      const isLibrary = /[\\/](?:node_modules|site-packages|\.venv|vendor)[\\/]/.test(path);
      return !isLibrary && paths.all.some(folder => folderContains(folder, path));
    },
    show: path => paths.show(path),
    lineAt: async (path, line) => {
      const place = await paths.locate(path, 'read');
      if (place.kind === 'refused' || (await files.stat(place.path))?.kind !== 'file') return '';
      const { text } = await files.readText(place.path);
      return oneLine(text.split('\n')[line - 1] ?? '', 200);
    },
  };
}

/** Turns errors of the debugger into failures for the model. */
async function reported<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DebugError)) throw error;
    const { message, said } = error;
    const text = said === '' ? message : `${message}\n${wrapUntrusted('untrusted_output', said)}`;
    throw new ToolFailure(text, () => oneLine([message, said].join(' '), 200));
  }
}
