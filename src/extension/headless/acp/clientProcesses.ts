/* Runs commands in the client's terminals, where the user can see and stop them. */

import type { AgentContext, TerminalOutputResponse } from '@agentclientprotocol/sdk';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import { tailOf } from '../../base/text.ts';
import type { ProgramFinder } from '../../node/processes/programs.ts';
import { shellCommand } from '../../node/processes/shell.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ProcessExit, Processes, ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { SessionClient } from './sessionClient.ts';

/** Maximum bytes of output that a terminal retains. */
const keptBytes = 1_000_000;
/** Interval for polling a running terminal. */
const scanMs = 200;

/** A background command writes to a file and outlives the session, so Folio runs it itself. */
export class ClientProcesses implements Processes {
  private readonly own: Processes;
  private readonly programs: ProgramFinder;
  private readonly client: SessionClient;
  private readonly clock: Pick<Clock, 'sleep'>;
  private readonly opened: (terminalId: string) => void;
  private readonly running = new Set<ClientTerminal>();
  private readonly started = new Emitter<RunningProcess>();
  readonly onDidStart = this.started.event;

  /** @param programs finds the shell. @param opened called with each new terminal */
  constructor(
    own: Processes,
    programs: ProgramFinder,
    client: SessionClient,
    clock: Pick<Clock, 'sleep'>,
    opened: (terminalId: string) => void,
  ) {
    this.own = own;
    this.programs = programs;
    this.client = client;
    this.clock = clock;
    this.opened = opened;
  }

  start(spec: ProcessSpec): RunningProcess {
    // A terminal of the client would run it without the sandbox.
    if (spec.background || spec.outputFile !== undefined || spec.sandboxed) return this.own.start(spec);
    const terminal = new ClientTerminal(spec, this.programs, this.client, this.clock, this.opened);
    this.running.add(terminal);
    void terminal.exit.then(() => this.running.delete(terminal));
    this.started.fire(terminal);
    return terminal;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.running].map(terminal => terminal.stop()));
    await this.own.dispose();
  }
}

class ClientTerminal implements RunningProcess {
  readonly pid = undefined;
  readonly spec: ProcessSpec;
  readonly exit: Promise<ProcessExit>;
  private readonly written = new Emitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly programs: ProgramFinder;
  private readonly client: SessionClient;
  private readonly clock: Pick<Clock, 'sleep'>;
  private readonly stopping = new AbortController();
  private output = '';

  constructor(
    spec: ProcessSpec,
    programs: ProgramFinder,
    client: SessionClient,
    clock: Pick<Clock, 'sleep'>,
    opened: (terminalId: string) => void,
  ) {
    this.spec = spec;
    this.programs = programs;
    this.client = client;
    this.clock = clock;
    this.exit = this.run(opened).catch((error: unknown) => ({
      code: null,
      signal: null,
      leftRunning: [],
      failure: `The command could not run in a terminal of the client: ${messageOf(error)}`,
    }));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.exit;
  }

  private async run(opened: (terminalId: string) => void): Promise<ProcessExit> {
    const { spec, client } = this;
    const { file, args } = shellCommand(this.programs, spec.command);
    const env = Object.entries(spec.env ?? {}).map(([name, value]) => ({ name, value }));
    const terminal = await client.context.createTerminal({
      sessionId: client.begun(),
      command: file,
      args: [...args],
      cwd: spec.cwd,
      env,
      outputByteLimit: keptBytes,
    });
    try {
      opened(terminal.id);
      return await this.follow(terminal);
    } finally {
      await terminal.release();
    }
  }

  private async follow(terminal: Awaited<ReturnType<AgentContext['createTerminal']>>): Promise<ProcessExit> {
    const ended = terminal.waitForExit();
    const over = new AbortController();
    void ended.then(
      () => over.abort(),
      () => over.abort(),
    );
    const either = AbortSignal.any([over.signal, this.stopping.signal]);
    while (!either.aborted) {
      this.receiveOutput(await terminal.currentOutput());
      await this.clock.sleep(scanMs, either).catch((error: unknown) => {
        if (!either.aborted) throw error;
      });
    }
    if (!over.signal.aborted) await terminal.kill();
    const { exitCode = null, signal = null } = await ended;
    this.receiveOutput(await terminal.currentOutput());
    return { code: exitCode, signal, leftRunning: [] };
  }

  /** Emits the new part of the output. A terminal whose output exceeds its limit drops the oldest part. */
  private receiveOutput({ output }: TerminalOutputResponse): void {
    const before = this.output;
    this.output = output;
    const added = output.startsWith(before) ? output.slice(before.length) : behindOverlap(before, output);
    if (added !== '') this.written.fire(added);
  }
}

/** Length of the suffix of the previous output that is searched in the new one. */
const anchorLength = 2_000;

function behindOverlap(before: string, now: string): string {
  const anchor = tailOf(before, anchorLength);
  const at = now.lastIndexOf(anchor);
  return at < 0 ? `\n… some output was lost …\n${now}` : now.slice(at + anchor.length);
}
