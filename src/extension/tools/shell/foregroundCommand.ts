import { plural, t } from '../../../protocol/language.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { limitOutput, noOutput } from '../../base/limitOutput.ts';
import { type CallContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { InactivityTimer, waitForExitOrStop } from '../../platform/commandRun.ts';
import type { ProcessExit, ProcessSpec } from '../../platform/processes.ts';
import type { CommandPorts } from './commandPorts.ts';
import { InteractiveCommand, type InteractiveCommands } from './interactiveCommands.ts';

export interface EndedCommand {
  /** Its output; if very long, only head and tail. */
  readonly raw: string;
  readonly exit: ProcessExit;
  /** Absent if silence was not limited. */
  readonly silence?: InactivityTimer;
}

/** Runs until the command ends, is silent for too long, or is stopped. An abort ends the whole process tree. */
export async function runToEnd(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: CallContext,
  signal = call.signal,
): Promise<ToolResult> {
  return await describeEnd(ports, await waitForEnd(ports, spec, call, signal), call);
}

/** Like `runToEnd`, for callers that describe the outcome themselves. */
export async function waitForEnd(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: CallContext,
  signal = call.signal,
): Promise<EndedCommand> {
  signal.throwIfAborted();
  const process = ports.processes.start(spec);
  const output = new HeadAndTail();
  const silence = new InactivityTimer(ports.clock, ports.inactivityTimeout(), ports.awaitsUser);
  const writing = process.onDidWrite(text => {
    silence.reset();
    output.append(text);
    call.write(text);
  });
  try {
    const exit = await waitForExitOrStop(process, silence, signal);
    if (exit.failure) throw new ToolFailure(exit.failure, () => t('Could not start'));
    return { raw: output.text, exit, silence };
  } finally {
    silence.end();
    writing.dispose();
  }
}

/** Runs until the command ends or waits for input. Silence is not limited, since the user may be thinking. */
export async function runInteractive(
  ports: CommandPorts,
  open: InteractiveCommands,
  spec: ProcessSpec,
  call: CallContext,
): Promise<ToolResult> {
  call.signal.throwIfAborted();
  const command = new InteractiveCommand(ports.processes.start(spec));
  const result = await followCommand(ports, open, command, call);
  const note = command.process.keyboard?.noTerminal;
  return note === undefined ? result : { ...result, text: `${note}\n${result.text}` };
}

/** Waits until a running command ends or waits for input, and describes that to the model. */
export async function followCommand(
  ports: CommandPorts,
  open: InteractiveCommands,
  command: InteractiveCommand,
  call: CallContext,
): Promise<ToolResult> {
  const state = await open.follow(command, ports.clock, call);
  if (state === 'waits') return describeWaiting(ports, command, call);
  if (state.failure) throw new ToolFailure(state.failure, () => t('Could not start'));
  return describeEnd(ports, { raw: command.takeOutput(), exit: state }, call);
}

async function describeWaiting(
  ports: CommandPorts,
  command: InteractiveCommand,
  call: CallContext,
): Promise<ToolResult> {
  const { id } = command;
  const { forModel, forUser, outputPath } = await limitOutput(
    command.takeOutput(),
    ports.outputLimit(),
    call.saveOutput,
  );
  return {
    text: `Waits for input. Process id: ${id}, which is also its process group; to answer: send_input; to stop it: kill -- -${id}\nOutput so far:\n${forModel}`,
    display: {
      summary: () => t('Waited for input, process {0}', id),
      detail: {
        kind: 'command',
        exitCode: null,
        output: forUser,
        outputPath: outputPath || undefined,
      },
    },
    bounded: true,
  };
}

async function describeEnd(
  ports: CommandPorts,
  { raw, exit, silence }: EndedCommand,
  call: CallContext,
): Promise<ToolResult> {
  const lines: string[] = [];
  if (silence?.isOver)
    lines.push(`Stopped: no output for ${silence.seconds} s. If it needs longer, run it in the background.`);
  lines.push(`Exit code: ${exit.code ?? 'none'}`);
  if (exit.signal) lines.push(`Signal: ${exit.signal}`);
  if (exit.leftRunning.length > 0)
    lines.push(`Still running in the background, process ids: ${exit.leftRunning.join(', ')}`);
  const { forModel, forUser, outputPath } = await limitOutput(raw, ports.outputLimit(), call.saveOutput);
  // Empty output looks like a failure: a model would repeat a command that succeeded.
  const isQuiet = exit.code === 0 && forModel === noOutput;
  return {
    text: `${lines.join('\n')}\n${isQuiet ? 'The command succeeded and printed nothing.' : forModel}`,
    display: {
      summary: () => summariseExit(exit, silence),
      detail: {
        kind: 'command',
        exitCode: exit.code,
        output: forUser,
        outputPath: outputPath || undefined,
      },
    },
    bounded: true,
  };
}

export function summariseExit(exit: ProcessExit, silence: InactivityTimer | undefined): string {
  if (silence?.isOver)
    return plural(
      silence.seconds,
      'one: Stopped after {0} second without output | other: Stopped after {0} seconds without output',
    );
  if (exit.code !== null) return t('Exit code {0}', exit.code);
  return exit.signal ? t('Ended by {0}', exit.signal) : t('Ended without an exit code');
}
