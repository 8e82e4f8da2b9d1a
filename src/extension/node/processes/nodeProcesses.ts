import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import type { ProcessExit, Processes, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import { endTree } from './endTree.ts';
import { openOutputFile } from './fileOutput.ts';
import { GroupReaper } from './groupReaper.ts';
import { openPipe } from './pipeOutput.ts';
import type { ProcessOutput, Sink } from './processOutput.ts';
import { listMarked, listTree } from './processTable.ts';
import { type Environment, shellCommand, shellEnvironment } from './shell.ts';

/**
 * Commands as child processes of this one. A process of the foreground ends with the host, whichever way that
 * ends (see `GroupReaper`); one of the background writes to a file of its own and needs no host.
 */
export class NodeProcesses implements Processes {
  private readonly environment: Environment;
  private readonly mark: string | undefined;
  private readonly reaper = new GroupReaper();
  private readonly foreground = new Set<NodeProcess>();
  private readonly started = new Emitter<RunningProcess>();
  readonly onDidStart = this.started.event;
  private disposed = false;

  /**
   * @param environment what commands inherit, but for keys
   * @param mark goes into the environment of commands of the foreground, as FOLIO_RUN, so that disposing also finds
   * and ends what has left their groups and sessions; without it such daemons live on
   */
  constructor(environment: Environment = process.env, mark?: string) {
    this.environment = environment;
    this.mark = mark;
  }

  start(spec: ProcessSpec): RunningProcess {
    const running = new NodeProcess(spec, sink => this.spawn(spec, sink));
    if (!spec.background && running.pid !== undefined) this.watch(running, running.pid);
    this.started.fire(running);
    return running;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.foreground].map(running => running.stop()));
    if (this.mark) await Promise.all(listMarked(`FOLIO_RUN=${this.mark}`).map(pid => endTree(pid)));
    this.reaper.close();
    this.started.dispose();
  }

  private spawn(spec: ProcessSpec, sink: Sink): Started {
    if (this.disposed) throw new Error('Folio is closing and starts no more commands.');
    const mark = spec.background ? {} : { FOLIO_RUN: this.mark };
    return startChild(spec, shellEnvironment(this.environment, { ...spec.env, ...mark }), sink);
  }

  /** Until nothing of its group is left: what a command leaves behind ends with us, too. */
  private watch(running: NodeProcess, pid: number): void {
    this.foreground.add(running);
    if (process.platform !== 'win32') this.reaper.watch(pid);
    void running.gone.then(() => {
      this.foreground.delete(running);
      this.reaper.forget(pid);
    });
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly output: ProcessOutput;
}

function startChild(spec: ProcessSpec, env: Record<string, string>, sink: Sink): Started {
  const output = openOutput(spec, sink);
  try {
    const { file, args } = shellCommand(spec.command);
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env,
      // A session of its own: no terminal to ask for passwords, and signals for us do not reach it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', output.childEnd, output.childEnd],
    });
    if (spec.background) child.unref();
    return { child, output };
  } catch (error) {
    output.detach();
    throw error;
  } finally {
    closeSync(output.childEnd);
  }
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

class NodeProcess implements RunningProcess {
  readonly spec: ProcessSpec;
  readonly pid: number | undefined;
  readonly exit: Promise<ProcessExit>;
  /** Resolves when neither the process nor anything that it left in its group runs. */
  readonly gone: Promise<void>;
  private readonly written = new Emitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private resolveGone: () => void = () => {};
  private isGone = false;
  private stopping: Promise<void> | undefined;

  constructor(spec: ProcessSpec, start: (sink: Sink) => Started) {
    this.spec = spec;
    this.gone = new Promise(resolve => {
      this.resolveGone = resolve;
    });
    let started: Started;
    try {
      started = start(bytes => this.write(this.decoder.decode(bytes, { stream: true })));
    } catch (error) {
      this.pid = undefined;
      this.exit = Promise.resolve(this.fail(error));
      return;
    }
    this.pid = started.child.pid;
    this.exit = this.follow(started);
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    if (this.pid !== undefined && !this.isGone) {
      await endTree(this.pid);
      this.markGone();
    }
    await this.exit;
  }

  private write(text: string): void {
    if (text !== '') this.written.fire(text);
  }

  private async follow({ child, output }: Started): Promise<ProcessExit> {
    const end = await endOf(child);
    if ('error' in end) {
      output.detach();
      return this.fail(end.error);
    }
    await output.drain();
    output.detach();
    this.write(this.decoder.decode());
    const leftRunning = this.pid === undefined ? [] : await listLeftBehind(this.pid);
    if (leftRunning.length === 0) this.markGone();
    return { ...end, leftRunning };
  }

  private fail(error: unknown): ProcessExit {
    this.markGone();
    const failure =
      errorCode(error) === 'ENOENT' && !existsSync(this.spec.cwd)
        ? `The command could not start: there is no folder ${this.spec.cwd}.`
        : `The command could not start: ${messageOf(error)}`;
    return { code: null, signal: null, failure, leftRunning: [] };
  }

  private markGone(): void {
    this.isGone = true;
    this.resolveGone();
  }
}

type End = { readonly code: number | null; readonly signal: string | null } | { readonly error: unknown };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise(resolve => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    // Comes instead of `exit` when the process could not start, and then only.
    child.on('error', error => resolve({ error }));
  });
}

async function listLeftBehind(leader: number): Promise<readonly number[]> {
  if (process.platform === 'win32') return [];
  try {
    process.kill(-leader, 0);
  } catch (error) {
    // The common case costs one system call. Other errors say that somebody is there, perhaps a zombie.
    if (errorCode(error) === 'ESRCH') return [];
  }
  return (await listTree(new Set([leader]))).map(row => row.pid);
}
