import * as z from 'zod';
import { oneLine } from '../../base/text.ts';
import type { WorkspacePaths } from '../../core/paths.ts';
import { type CallContext, defineTool, type Prepared, type Tool, ToolFailure } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import { unattendedEnv } from '../../platform/commandRun.ts';
import type { FileSystem } from '../../platform/fileSystem.ts';
import type { Processes, ProcessSpec } from '../../platform/processes.ts';
import { runInBackground } from './backgroundCommand.ts';
import { runToEnd } from './foregroundCommand.ts';

export interface CommandPorts {
  readonly processes: Pick<Processes, 'start'>;
  readonly files: Pick<FileSystem, 'stat'>;
  readonly paths: WorkspacePaths;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Seconds without output until a command is stopped; 0: never. */
  readonly inactivityTimeout: () => number;
  /** Characters of output that the model gets whole. */
  readonly outputLimit: () => number;
  /** Absolute folder for the output of background processes; the model may read there. */
  readonly outputFolder: () => string;
}

const input = z.object({
  command: z.string(),
  description: z.string().optional().describe('What it is for, a few words'),
  dir_path: z.string().optional().describe('Where it runs; default: workspace root'),
  is_background: z.boolean().optional().describe('For servers and watchers: returns once started'),
  delay_ms: z.number().int().optional().describe('Background: how long to watch its start, default 200'),
});
type Input = z.infer<typeof input>;

export interface CommandPlan {
  readonly spec: ProcessSpec;
}

export function runShellCommand(ports: CommandPorts): Tool<Input, CommandPlan> {
  return defineTool({
    name: 'run_shell_command',
    description:
      'Runs a line of shell (bash; PowerShell on Windows) without terminal input: use non-interactive flags. Returns output and exit code. Silent commands are stopped after some minutes.',
    input,
    effect: 'run',
    title: titleOf,
    commandLine: ({ command, is_background }) => (is_background ? undefined : command),
    prepare: (args, call) => prepareCommand(ports, args, call),
    run: (args, { spec }, call) =>
      spec.background ? runInBackground(ports, spec, args.delay_ms, call) : runToEnd(ports, spec, call),
  });
}

function titleOf({ command, description }: Input): string {
  const line = oneLine(command, 150);
  if (line.endsWith('…') && description) return oneLine(description, 150);
  return `Run ${line}`;
}

async function prepareCommand(
  ports: CommandPorts,
  args: Input,
  call: CallContext,
): Promise<Prepared<CommandPlan>> {
  const { command } = args;
  if (command.trim() === '') throw new ToolFailure('The command is empty.');
  if (command.includes('\0')) throw new ToolFailure('The command holds a NUL character.');
  const wanted = args.dir_path ?? '.';
  const cwd = await ports.paths.resolve(wanted, 'write');
  const stat = await ports.files.stat(cwd);
  if (stat?.kind !== 'directory') {
    throw new ToolFailure(`There is no folder ${wanted} to run the command in.`, 'No such folder');
  }
  const background = args.is_background ?? false;
  const outputFile = background ? { outputFile: outputFileOf(ports, call) } : {};
  return {
    plan: { spec: { command, cwd, env: unattendedEnv, background, ...outputFile } },
    subject: { kind: 'command', command, cwd: await ports.paths.show(cwd), background },
    target: { kind: 'command', command, cwd },
  };
}

function outputFileOf(ports: CommandPorts, call: CallContext): string {
  return `${ports.outputFolder()}/background-${call.callId.replace(/[^\w-]/g, '_')}.log`;
}
