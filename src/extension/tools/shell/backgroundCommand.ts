import { t } from '../../../protocol/language.ts';
import { isAbortError } from '../../base/errors.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import { limitOutput } from '../../base/limitOutput.ts';
import { type CallContext, ToolFailure, type ToolResult } from '../../core/tool.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ProcessExit, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { CommandPorts, RestartProgram } from './commandPorts.ts';

const defaultDelay = 200;
const maxDelayMs = 60_000;

/** Starts a command that outlives the call, and reports its first output or early exit. */
export async function runInBackground(
  ports: CommandPorts,
  spec: ProcessSpec,
  delay: number | undefined,
  call: CallContext,
  startAgain: RestartProgram,
): Promise<ToolResult> {
  call.signal.throwIfAborted();
  const process = ports.processes.start(spec);
  const output = new HeadAndTail();
  const writing = process.onDidWrite(text => {
    output.append(text);
    call.write(text);
  });
  try {
    const pause = Math.min(Math.max(0, delay ?? defaultDelay), maxDelayMs);
    const exit = await exitWithin(process.exit, pause, ports.clock, call.signal);
    if (exit?.failure) throw new ToolFailure(exit.failure, () => t('Could not start'));
    if (!exit) ports.programs?.add(call.callId, process, output.text, startAgain);
    return await describeStart(ports, process, exit, output.text, spec, call);
  } catch (error) {
    if (call.signal.aborted) await process.stop();
    throw error;
  } finally {
    writing.dispose();
  }
}

/** Returns `undefined` if it still runs. */
async function exitWithin(
  exit: Promise<ProcessExit>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<ProcessExit | undefined> {
  const over = new AbortController();
  const pause = clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(
    () => undefined,
    error => {
      if (signal.aborted || !isAbortError(error)) throw error;
      return undefined;
    },
  );
  try {
    return await Promise.race([exit, pause]);
  } finally {
    over.abort();
  }
}

async function describeStart(
  ports: CommandPorts,
  { pid, groupInside }: Pick<RunningProcess, 'pid' | 'groupInside'>,
  exit: ProcessExit | undefined,
  raw: string,
  spec: ProcessSpec,
  call: CallContext,
): Promise<ToolResult> {
  const { forModel, forUser } = await limitOutput(raw, ports.outputLimit(), call.saveOutput);
  const group = groupInside ?? pid;
  const state = exit
    ? `Started in the background and ended already. Exit code: ${exit.code ?? `none, signal ${exit.signal}`}`
    : `Running in the background. Process id: ${group}, which is also its process group; to stop it: kill -- -${group}`;
  const place = `Its output goes to ${spec.outputFile}: read it with read_file.`;
  const detail = { kind: 'command', exitCode: exit?.code ?? null, output: forUser } as const;
  return {
    text: `${state}\n${place}\nOutput so far:\n${forModel}`,
    display: {
      summary: () =>
        exit
          ? t('Ended at once, exit code {0}', exit.code ?? t('none'))
          : t('Running in the background, process {0}', pid ?? '?'),
      detail: spec.outputFile ? { ...detail, outputPath: spec.outputFile } : detail,
    },
    bounded: true,
  };
}
