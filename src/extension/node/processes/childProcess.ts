/* Runs a command as a child process, with pipes or a file for its output. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { ProcessInput, ProcessSpec } from '../../platform/processes.ts';
import type { Launch } from '../../platform/sandbox.ts';
import { openOutputFile } from './fileOutput.ts';
import { openPipe } from './pipeOutput.ts';
import type { ProcessOutput, Sink } from './processOutput.ts';

/** A running process, however it was started. */
export interface StartedProcess {
  readonly pid: number | undefined;
  readonly ended: Promise<End>;
  readonly output: Pick<ProcessOutput, 'drain' | 'detach'>;
  readonly keyboard?: Keys;
}

/** The keyboard of a process. */
interface Keys extends Omit<ProcessInput, 'onDidChangeWaiting' | 'shell'> {
  /** Returns whether reads from this terminal time out. Omitted if they do not. */
  readonly timesOut?: () => Promise<boolean>;
}

type End = { readonly code: number | null; readonly signal: string | null } | { readonly error: unknown };

export function startChild(spec: ProcessSpec, launch: Launch, sink: Sink): StartedProcess {
  const output = openOutput(spec, sink);
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      // A new session: it has no terminal for password prompts, and our signals do not reach it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: [spec.answerable ? 'pipe' : 'ignore', output.childEnd, output.childEnd],
    });
    if (spec.background) child.unref();
    return { pid: child.pid, ended: endOf(child), output, keyboard: keyboardOf(child) };
  } catch (error) {
    output.detach();
    throw error;
  } finally {
    closeSync(output.childEnd);
  }
}

function keyboardOf({ stdin }: ChildProcess): Keys | undefined {
  // Ignores errors of a process that no longer reads its input.
  stdin?.on('error', () => {});
  return (
    (stdin && {
      noTerminal:
        'No terminal could be opened here, so its standard input is a plain pipe: programs that ask for a terminal do not work.',
      echo: () => Promise.resolve('unknown'),
      write: text => void (stdin.writable && stdin.write(text)),
      end: () => void stdin.end(),
      resize: () => {},
    }) ??
    undefined
  );
}

function openOutput(spec: ProcessSpec, sink: Sink): ProcessOutput {
  const ownFile = spec.background || spec.outputFile !== undefined || process.platform === 'win32';
  if (ownFile) return openOutputFile(spec.outputFile, sink);
  try {
    return openPipe(sink);
  } catch {
    // A system without named pipes. An unnamed file serves as well, but its size is unlimited.
    return openOutputFile(undefined, sink);
  }
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    // Emitted instead of `exit` if the process could not start.
    child.on('error', error => resolve({ error }));
  });
}
