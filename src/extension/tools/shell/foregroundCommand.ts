import { abortable } from '../../base/abort.ts';
import { plural } from '../../base/text.ts';
import { type CallContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ProcessExit, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { CommandPorts } from '../runShellCommand.ts';
import { CommandOutput } from './commandOutput.ts';
import { describeOutput } from './commandText.ts';

/** Runs until the command ends, falls silent for too long, or is stopped; an abort takes the whole tree down. */
export async function runToEnd(
  ports: CommandPorts,
  spec: ProcessSpec,
  call: CallContext,
): Promise<ToolResult> {
  call.signal.throwIfAborted();
  const process = ports.processes.start(spec);
  const output = new CommandOutput();
  const silence = new SilenceWatch(ports.clock, ports.inactivityTimeout());
  const writing = process.onDidWrite(text => {
    silence.heard();
    output.add(text);
    call.write(text);
  });
  try {
    const exit = await waitForExit(process, silence, call.signal);
    if (exit.failure) throw new ToolFailure(exit.failure, 'Could not start');
    return await describeEnd(ports, output.read(), exit, silence, call);
  } finally {
    silence.end();
    writing.dispose();
  }
}

async function waitForExit(
  process: RunningProcess,
  silence: SilenceWatch,
  signal: AbortSignal,
): Promise<ProcessExit> {
  try {
    const first = await abortable(Promise.race([process.exit, silence.tooLong]), signal);
    if (first !== 'tooLong') return first;
    await process.stop();
    return await process.exit;
  } catch (error) {
    // Only the abort gets here: `exit` and `tooLong` never reject.
    await process.stop();
    throw error;
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
  return {
    text: `${lines.join('\n')}\n${forModel}`,
    display: {
      summary: summaryOf(exit, silence),
      detail: {
        kind: 'command',
        exitCode: exit.code,
        output: forPerson,
        ...(outputPath ? { outputPath } : {}),
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

/** Fires once nothing was heard for so many seconds. */
class SilenceWatch {
  readonly seconds: number;
  readonly tooLong: Promise<'tooLong'>;
  isOver = false;
  private readonly clock: Pick<Clock, 'now' | 'sleep'>;
  private readonly ended = new AbortController();
  private last: number;

  constructor(clock: Pick<Clock, 'now' | 'sleep'>, seconds: number) {
    this.clock = clock;
    this.seconds = seconds;
    this.last = clock.now();
    this.tooLong = new Promise(resolve => {
      if (seconds <= 0) return;
      this.watch().then(
        () => {
          this.isOver = true;
          resolve('tooLong');
        },
        // The watch is only ended early by `end`, when nobody waits any more.
        () => {},
      );
    });
  }

  heard(): void {
    this.last = this.clock.now();
  }

  end(): void {
    this.ended.abort();
  }

  private async watch(): Promise<void> {
    while (true) {
      const left = this.last + this.seconds * 1000 - this.clock.now();
      if (left <= 0) return;
      await this.clock.sleep(left, this.ended.signal);
    }
  }
}
