import { existsSync } from 'node:fs';
import { Emitter } from '../../base/emitter.ts';
import { errorCode, messageOf } from '../../base/errors.ts';
import type {
  ProcessExit,
  Processes,
  ProcessInput,
  ProcessSpec,
  RunningProcess,
} from '../../platform/processes.ts';
import { type StartedProcess, startChild } from './childProcess.ts';
import { endTree } from './endTree.ts';
import { GroupReaper } from './groupReaper.ts';
import { InputWaitDetector } from './inputWaitDetector.ts';
import { OutputDecoder } from './outputDecoder.ts';
import type { Sink } from './processOutput.ts';
import { listMarked, listTree } from './processTable.ts';
import { ProgramFinder } from './programs.ts';
import { type EnvironmentVariables, shellCommand, shellEnvironment } from './shell.ts';
import { type FindTerminals, startInTerminal, terminalsFrom } from './terminalProcess.ts';

/**
 * Runs commands as child processes. A foreground process ends with the host for any reason (see `GroupReaper`). A
 * background process writes to its own file and needs no host; it ends with the window unless the user keeps it.
 */
export class NodeProcesses implements Processes {
  private readonly environment: EnvironmentVariables;
  private readonly mark: string | undefined;
  private readonly findTerminals: FindTerminals;
  private readonly programs: ProgramFinder;
  private readonly endsBackground: boolean;
  private readonly reaper = new GroupReaper();
  /** Processes that end with the host. */
  private readonly own = new Set<NodeProcess>();
  private readonly started = new Emitter<RunningProcess>();
  readonly onDidStart = this.started.event;
  private disposed = false;

  /**
   * @param environment inherited by commands, without keys
   * @param mark set as FOLIO_RUN in the environment of foreground commands, so that disposing also finds processes that
   * left their group or session; without it such daemons survive
   * @param findTerminals creates terminals for interactive commands; defaults to those of the npm package
   * @param programs finds the shell; commands find programs by their own PATH
   * @param endsBackground background commands also end with the host, unless they are kept
   */
  constructor(
    environment: EnvironmentVariables = process.env,
    mark?: string,
    findTerminals?: FindTerminals,
    programs = new ProgramFinder(() => [], environment),
    endsBackground = false,
  ) {
    this.environment = environment;
    this.mark = mark;
    this.findTerminals = findTerminals ?? terminalsFrom(['@lydell/node-pty']);
    this.programs = programs;
    this.endsBackground = endsBackground;
  }

  start(spec: ProcessSpec): RunningProcess {
    const running = new NodeProcess(spec, sink => this.spawn(spec, sink));
    const { pid } = running;
    if (pid !== undefined && (!spec.background || this.endsBackground)) this.watch(running, pid);
    if (pid !== undefined && spec.background && this.endsBackground)
      running.keep = () => this.leave(running, pid);
    this.started.fire(running);
    return running;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.own].map(running => running.stop()));
    if (this.mark) await Promise.all(listMarked(`FOLIO_RUN=${this.mark}`).map(pid => endTree(pid)));
    this.reaper.close();
    this.started.dispose();
  }

  private spawn(spec: ProcessSpec, sink: Sink): StartedProcess {
    if (this.disposed) throw new Error('Folio is closing and starts no more commands.');
    const env = spec.background ? spec.env : { ...spec.env, FOLIO_RUN: this.mark };
    const environment = shellEnvironment(this.environment, env);
    const launch = {
      ...shellCommand(this.programs, spec.command, spec.answerable),
      cwd: spec.cwd,
      env: environment,
    };
    const wrapped = spec.sandboxed?.wrap(launch) ?? launch;
    const terminals = spec.answerable ? this.findTerminals() : undefined;
    return terminals ? startInTerminal(terminals, wrapped, sink) : startChild(spec, wrapped, sink);
  }

  /** Watches until its group is empty, so that remaining processes end with the host too. */
  private watch(running: NodeProcess, pid: number): void {
    this.own.add(running);
    if (process.platform !== 'win32') this.reaper.watch(pid);
    void running.gone.then(() => this.leave(running, pid));
  }

  private leave(running: NodeProcess, pid: number): void {
    this.own.delete(running);
    this.reaper.forget(pid);
  }
}

class NodeProcess implements RunningProcess {
  readonly spec: ProcessSpec;
  readonly pid: number | undefined;
  readonly keyboard: ProcessInput | undefined;
  keep?: () => void;
  readonly exit: Promise<ProcessExit>;
  /** Resolves when neither the process nor anything in its group runs. */
  readonly gone: Promise<void>;
  private readonly written = new Emitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly decoder = new OutputDecoder();
  private resolveGone: () => void = () => {};
  private isGone = false;
  private stopping: Promise<void> | undefined;

  constructor(spec: ProcessSpec, start: (sink: Sink) => StartedProcess) {
    this.spec = spec;
    this.gone = new Promise(resolve => {
      this.resolveGone = resolve;
    });
    let started: StartedProcess;
    try {
      started = start(bytes => this.write(this.decoder.decode(bytes, this.keyboard !== undefined)));
    } catch (error) {
      this.pid = undefined;
      this.exit = Promise.resolve(this.fail(error));
      return;
    }
    this.pid = started.pid;
    this.keyboard = this.watchKeyboard(started);
    this.exit = this.follow(started);
  }

  private watchKeyboard({ keyboard, pid, ended }: StartedProcess): ProcessInput | undefined {
    if (keyboard === undefined || pid === undefined) return undefined;
    const { timesOut, ...keys } = keyboard;
    const watch = new InputWaitDetector(pid, timesOut);
    this.onDidWrite(text => watch.handleOutput(text));
    void ended.then(() => watch.end());
    const write = (text: string) => {
      // After a line, EOF or an interrupt, it may wait for more input; after other keys it was only woken.
      if (/[\r\n\x03\x04]/.test(text)) watch.handleInput();
      else watch.woken();
      keys.write(text);
    };
    const resize = (columns: number, rows: number) => {
      watch.woken();
      keys.resize(columns, rows);
    };
    const shell = async () => (await import('./shellInFront.ts')).findShellInFront(pid);
    return { ...keys, write, resize, shell, onDidChangeWaiting: watch.onDidChange };
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

  private async follow({ ended, output }: StartedProcess): Promise<ProcessExit> {
    const end = await ended;
    if ('error' in end) {
      output.detach();
      return this.fail(end.error);
    }
    await output.drain();
    output.detach();
    this.write(this.decoder.end());
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

async function listLeftBehind(leader: number): Promise<readonly number[]> {
  if (process.platform === 'win32') return [];
  try {
    process.kill(-leader, 0);
  } catch (error) {
    // The common case, checked with one system call. Other errors mean that a process exists, perhaps a zombie.
    if (errorCode(error) === 'ESRCH') return [];
  }
  return (await listTree(new Set([leader]))).map(row => row.pid);
}
