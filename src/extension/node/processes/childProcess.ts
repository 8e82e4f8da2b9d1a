/* A command as a plain child process, with pipes or a file for what it prints. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { ProcessInput, ProcessSpec } from '../../platform/processes.ts';
import type { Launch } from '../../platform/sandbox.ts';
import { openOutputFile } from './fileOutput.ts';
import { openPipe } from './pipeOutput.ts';
import type { ProcessOutput, Sink } from './processOutput.ts';

/** A process that runs, in whatever way it was started. */
export interface Started {
  readonly pid: number | undefined;
  readonly ended: Promise<End>;
  readonly output: Pick<ProcessOutput, 'drain' | 'detach'>;
  readonly keyboard?: Keys;
}

/** A keyboard as its process brings it. */
interface Keys extends Omit<ProcessInput, 'onDidChangeWaiting' | 'shell'> {
  /** Asks the system whether a read of this terminal ends after a while without a key; absent: it does not. */
  readonly readsBriefly?: () => Promise<boolean>;
}

type End = { readonly code: number | null; readonly signal: string | null } | { readonly error: unknown };

export function startChild(spec: ProcessSpec, launch: Launch, sink: Sink): Started {
  const output = openOutput(spec, sink);
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.cwd,
      env: launch.env,
      // A session of its own: no terminal to ask for passwords, and signals for us do not reach it.
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
  // A process that does not read any more has no use for what is typed.
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
    // A system without named pipes; a file without a name serves as well, but has no limit.
    return openOutputFile(undefined, sink);
  }
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    // Comes instead of `exit` when the process could not start, and then only.
    child.on('error', error => resolve({ error }));
  });
}
