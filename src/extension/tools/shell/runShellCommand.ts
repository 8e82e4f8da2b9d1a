import { resolve } from 'node:path';
import * as z from 'zod';
import { t } from '../../../protocol/language.ts';
import { lazySchema } from '../../../protocol/lazySchema.ts';
import { messageOf } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import {
  type CallContext,
  defineTool,
  type PrepareResult,
  type Tool,
  ToolFailure,
  type ToolResult,
  type ToolRunContext,
} from '../../core/tool.ts';
import { attendedEnv, unattendedEnv } from '../../platform/commandRun.ts';
import type { ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { CommandNeeds } from '../../platform/sandbox.ts';
import { runInBackground } from './backgroundCommand.ts';
import type { CommandPorts } from './commandPorts.ts';
import { runInteractive, runToEnd } from './foregroundCommand.ts';
import { InteractiveCommands } from './interactiveCommands.ts';
import { runAsAdmitted } from './sandboxedCommand.ts';

const input = lazySchema(() =>
  z.object({
    command: z.string(),
    description: z.string().optional().describe('What it is for, a few words'),
    dir_path: z.string().optional().describe('Where it runs; default: workspace root'),
    is_background: z.boolean().optional().describe('For servers and watchers: returns once started'),
    delay_ms: z.number().int().optional().describe('Background: how long to watch its start, default 200'),
    interactive: z
      .boolean()
      .optional()
      .describe('Runs in a terminal, where the user answers prompts, or you with send_input'),
    // Each of these needs approval, unless the user has granted it already.
    needs_write: z
      .array(z.string())
      .optional()
      .describe('Folders outside of the workspace that it must write to, absolute or ~/…'),
    needs_hosts: z.array(z.string()).optional().describe('Hosts that it must connect to, by name'),
    outside_sandbox: z.boolean().optional().describe('It cannot work in the sandbox whatever is granted'),
  }),
);
type Input = z.infer<ReturnType<typeof input>>;

interface CommandPlan {
  readonly spec: ProcessSpec;
}

/** @param open collects commands that wait for input */
export function runShellCommandTool(
  ports: CommandPorts,
  open = new InteractiveCommands(),
): Tool<Input, CommandPlan> {
  return defineTool({
    name: 'run_shell_command',
    description:
      'Runs a line of shell (bash; PowerShell on Windows) without terminal input unless interactive: prefer non-interactive flags. Returns output and exit code. Silent commands are stopped after some minutes.',
    input,
    unused: () => [
      ...(ports.isAttended ? [] : ['interactive']),
      ...(ports.sandbox?.isOn() ? [] : ['needs_write', 'needs_hosts', 'outside_sandbox']),
    ],
    effect: 'run',
    title: titleOf,
    // Two interactive programs at once would confuse a user, so each runs alone.
    commandLine: ({ command, is_background, interactive }) =>
      is_background || interactive ? undefined : command,
    prepare: (args, call) => prepareCommand(ports, args, call),
    run: async (args, { spec }, call) => {
      const { answering, signal } = call;
      if (spec.answerable)
        return runAsAdmitted(ports, spec, call, held => runInteractive(held, open, spec, call));
      if (spec.background)
        return runAsAdmitted(ports, spec, call, held =>
          runInBackground(held, spec, args.delay_ms, call, () => startAgain(ports, spec, call)),
        );
      if (answering === 'now') return runForUser(ports, open, spec, call);
      if (!answering) return runAsAdmitted(ports, spec, call, held => runToEnd(held, spec, call));
      const either = AbortSignal.any([signal, answering.wanted]);
      try {
        return await runAsAdmitted(ports, spec, call, held => runToEnd(held, spec, call, either));
      } catch (error) {
        if (error !== answering.wanted.reason || signal.aborted) throw error;
      }
      answering.begin();
      return reportModel('The user stopped it and ran it again.', await runForUser(ports, open, spec, call));
    },
  });
}

/** The user chose to answer the command, which the model did not expect. */
async function runForUser(
  ports: CommandPorts,
  open: InteractiveCommands,
  { env: _unattended, ...spec }: ProcessSpec,
  call: ToolRunContext,
): Promise<ToolResult> {
  const env = { ...attendedEnv, ...(await ports.variables?.()) };
  const answered = { ...spec, answerable: true, shown: true, env };
  const result = await runAsAdmitted(ports, answered, call, held =>
    runInteractive(held, open, answered, call),
  );
  return reportModel('The user has it run in a terminal, where they answer what it asks.', result);
}

/** Uses the same sandbox. Further hosts are denied without asking. */
async function startAgain(
  ports: CommandPorts,
  spec: ProcessSpec,
  { sandboxed }: Pick<ToolRunContext, 'sandboxed'>,
): Promise<RunningProcess> {
  let running: RunningProcess | undefined;
  const start = async (held: CommandPorts): Promise<ToolResult> => {
    running = held.processes.start(spec);
    return { text: '', display: { summary: () => '' } };
  };
  await runAsAdmitted(
    ports,
    spec,
    { sandboxed: sandboxed && { ...sandboxed, askToConnect: undefined } },
    start,
  );
  if (!running) throw new Error(t('The command could not be started again.'));
  return running;
}

function reportModel(words: string, result: ToolResult): ToolResult {
  return { ...result, text: `${words}\n${result.text}` };
}

function titleOf({ command, description }: Input): string {
  const line = oneLine(command, 150);
  if (line.endsWith('…') && description) return oneLine(description, 150);
  return t('Run {0}', line);
}

async function prepareCommand(
  ports: CommandPorts,
  args: Input,
  call: CallContext,
): Promise<PrepareResult<CommandPlan>> {
  const { command } = args;
  if (command.trim() === '') throw new ToolFailure(() => t('The command is empty.'));
  if (command.includes('\0')) throw new ToolFailure(() => t('The command contains a NUL character.'));
  const wanted = args.dir_path ?? '.';
  const cwd = await ports.paths.resolve(wanted, 'write');
  const stat = await ports.files.stat(cwd);
  if (stat?.kind !== 'directory') {
    throw new ToolFailure(`There is no folder ${wanted} to run the command in.`, () => t('No such folder'));
  }
  const background = args.is_background ?? false;
  const answerable = args.interactive ?? false;
  if (answerable && background)
    throw new ToolFailure(() => t('A command in the background cannot be interactive.'));
  if (answerable && !ports.isAttended)
    throw new ToolFailure(
      'Nobody can answer a command here: run it without interactive, with flags that ask nothing.',
      () => t('No user can answer'),
    );
  const env = { ...(answerable ? attendedEnv : unattendedEnv), ...(await ports.variables?.()) };
  const outputFile = background ? outputFileOf(ports, call) : undefined;
  return {
    plan: { spec: { command, cwd, env, background, answerable, outputFile, callId: call.callId } },
    subject: {
      kind: 'command',
      command,
      cwd: await ports.paths.show(cwd),
      background,
      terminal: answerable ? 'wanted' : ports.isAttended && !background ? 'offered' : undefined,
    },
    target: { kind: 'command', command, cwd, canBeHeld: true, needs: await needsOf(args, cwd, ports) },
  };
}

/** Resolves links before the user is asked: the grant is for the target. */
async function needsOf(
  { needs_write = [], needs_hosts = [], outside_sandbox: outside = false }: Input,
  cwd: string,
  { files, sandbox }: CommandPorts,
): Promise<CommandNeeds | undefined> {
  if (needs_write.length + needs_hosts.length === 0 && !outside) return undefined;
  const absolute = needs_write.map(path => resolve(cwd, path.replace(/^~(?=\/|$)/, sandbox?.home ?? '~')));
  const write = await Promise.all(absolute.map(path => files.realPath(path))).catch(error => {
    throw new ToolFailure(() => t('The folder that it needs to write was not found: {0}', messageOf(error)));
  });
  return { write: [...new Set(write)], hosts: [...new Set(needs_hosts.map(hostName))], outside };
}

/** Models sometimes give a URL. */
function hostName(wanted: string): string {
  const address = wanted.includes('://') ? wanted : `http://${wanted}`;
  if (!URL.canParse(address)) throw new ToolFailure(() => t('{0} is not a valid host name.', wanted));
  return new URL(address).hostname.replace(/^\[|\]$|\.$/g, '');
}

function outputFileOf(ports: CommandPorts, call: CallContext): string {
  return `${ports.outputFolder()}/background-${call.callId.replace(/[^\w-]/g, '_')}.log`;
}
