import { describeOutput, noOutput } from '../../base/describeOutput.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { plural } from '../../base/text.ts';
import { type CallContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import { SilenceWatch, untilExit } from '../../platform/commandRun.ts';
import type { ProcessExit, ProcessSpec } from '../../platform/processes.ts';
import type { CommandPorts } from './runShellCommand.ts';

/** Runs until the command ends, falls silent for too long, or is stopped; an abort takes the whole tree down. */
export async function runToEnd(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: CallContext,
): Promise<ToolResult> {
  call.signal.throwIfAborted();
  const process = ports.processes.start(spec);
  const output = new HeadAndTail();
  const silence = new SilenceWatch(ports.clock, ports.inactivityTimeout());
  const writing = process.onDidWrite(text => {
    silence.heard();
    output.append(text);
    call.write(text);
  });
  try {
    const exit = await untilExit(process, silence, call.signal);
    if (exit.failure) throw new ToolFailure(exit.failure, 'Could not start');
    return await describeEnd(ports, output.text, exit, silence, call);
  } finally {
    silence.end();
    writing.dispose();
  }
}

async function describeEnd(
  ports: CommandPorts,
  raw: string,
  exit: ProcessExit,
  silence: SilenceWatch,
  call: CallContext,
): Promise<ToolResult> {
  const lines: string[] = [];
  if (silence.isOver)
    lines.push(`Stopped: no output for ${silence.seconds} s. If it needs longer, run it in the background.`);
  lines.push(`Exit code: ${exit.code ?? 'none'}`);
  if (exit.signal) lines.push(`Signal: ${exit.signal}`);
  if (exit.leftRunning.length > 0)
    lines.push(`Still running in the background, process ids: ${exit.leftRunning.join(', ')}`);
  const { forModel, forPerson, outputPath } = await describeOutput(raw, ports.outputLimit(), call.saveOutput);
  // Nothing at all reads like a failure: a model tries again what has worked.
  const isQuiet = exit.code === 0 && forModel === noOutput;
  return {
    text: `${lines.join('\n')}\n${isQuiet ? 'The command succeeded and printed nothing.' : forModel}`,
    display: {
      summary: summaryOf(exit, silence),
      detail: {
        kind: 'command',
        exitCode: exit.code,
        output: forPerson,
        outputPath: outputPath || undefined,
      },
    },
    bounded: true,
  };
}

function summaryOf(exit: ProcessExit, silence: SilenceWatch): string {
  if (silence.isOver) return `Stopped after ${plural(silence.seconds, 'second')} without output`;
  if (exit.code !== null) return `Exit code ${exit.code}`;
  return exit.signal ? `Ended by ${exit.signal}` : 'Ended without an exit code';
}
