/* The program that an agent's session debugs, at most one at a time, with its events since the last result. */

import { abortable } from '../../base/abort.ts';
import { HeadAndTail } from '../../base/headAndTail.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type Breakpoint,
  type DebugCommand,
  DebugError,
  type DebugEvent,
  type DebuggedProgram,
  type Debugger,
  type DebugStart,
  type InspectionCommand,
  type UserProgram,
} from '../../platform/debug/debugger.ts';

type DebugState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | {
      readonly kind: 'stopped';
      readonly reason: string;
      readonly text: string;
      readonly threadId: number;
    }
  | { readonly kind: 'ended'; readonly exitCode: number | undefined };

/** A paused program that can be described, whoever debugs it. */
export interface PausedProgram {
  readonly state: DebugState;
  ask(command: InspectionCommand, args: object): Promise<Readonly<Record<string, unknown>>>;
}

export type ResumeCommand = Extract<DebugCommand, 'continue' | 'next' | 'stepIn' | 'stepOut'>;

/** Seconds to wait for an answer. An expression may call a function that never returns. */
const patience = 30;

/** Limits of program output between two results, in characters. */
const outputLimits = { head: 1_000, tail: 2_000 };

export class DebugSession implements PausedProgram {
  private readonly debugger: Pick<Debugger, 'start'>;
  private readonly clock: Pick<Clock, 'after'>;
  private program: DebuggedProgram | undefined;
  private output = new HeadAndTail(outputLimits);
  /** Breakpoints that the adapter has not bound, by line. */
  private readonly unbound = new Map<number | undefined, string>();
  private readonly lineOf = new Map<number, number | undefined>();
  private lines: readonly number[] = [];
  private settled = () => {};
  private present: DebugState = { kind: 'none' };

  constructor(debug: Pick<Debugger, 'start'>, clock: Pick<Clock, 'after'>) {
    this.debugger = debug;
    this.clock = clock;
  }

  get state(): DebugState {
    return this.present;
  }

  /** True while a program of this session runs or is paused. */
  get isActive(): boolean {
    return this.present.kind === 'running' || this.present.kind === 'stopped';
  }

  /** Ends the previous program first. */
  async start(request: DebugStart, seconds: number, signal: AbortSignal): Promise<void> {
    await this.stop();
    this.note(request.breakpoints);
    // Events during the start count: a program may pause or end before `start` returns.
    this.present = { kind: 'running' };
    try {
      this.program = await this.debugger.start(request, event => this.hear(event), signal);
    } catch (error) {
      this.present = { kind: 'none' };
      throw error;
    }
    await this.untilSettled(seconds, signal);
  }

  /** Only waits if the program is running already. */
  async resume(command: ResumeCommand, seconds: number, signal: AbortSignal): Promise<void> {
    const { program } = this;
    const before = this.present;
    if (before.kind === 'stopped' && program) {
      this.present = { kind: 'running' };
      try {
        await answerInTime(program.ask(command, { threadId: before.threadId }), command, this.clock);
      } catch (error) {
        if (this.state.kind === 'running') this.present = before;
        throw error;
      }
    } else if (before.kind !== 'running')
      throw new DebugError('No program is being debugged. Use action start.');
    else if (command !== 'continue')
      throw new DebugError('The program is running. Use continue to wait for a stop.');
    await this.untilSettled(seconds, signal);
  }

  /** Replaces the previous breakpoints. */
  async setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void> {
    this.note(breakpoints);
    await this.program?.setBreakpoints(breakpoints);
  }

  async stopAtCaught(): Promise<void> {
    await this.program?.stopAtCaught();
  }

  ask(command: DebugCommand, args: object): Promise<Readonly<Record<string, unknown>>> {
    if (!this.program || this.present.kind !== 'stopped')
      throw new DebugError('The program does not stand still. Let it run to a breakpoint first.');
    return answerInTime(this.program.ask(command, args), command, this.clock);
  }

  async stop(): Promise<void> {
    const { program } = this;
    this.program = undefined;
    await program?.stop();
    this.settle({ kind: 'none' });
  }

  /** Returns what the program printed since the last call. */
  takeOutput(): string {
    const { text } = this.output;
    this.output = new HeadAndTail(outputLimits);
    return text;
  }

  /** Unbound breakpoints, each with the reason. */
  get problems(): readonly string[] {
    return [...this.unbound]
      .filter(([line]) => line === undefined || this.lines.includes(line))
      .map(([line, problem]) => (line === undefined ? problem : `line ${line}: ${problem}`));
  }

  private note(breakpoints: readonly Breakpoint[]): void {
    this.lines = breakpoints.map(({ line }) => line);
    this.unbound.clear();
  }

  private hear(event: DebugEvent): void {
    switch (event.kind) {
      case 'output':
        this.output.append(event.text);
        return;
      case 'breakpoint':
        this.noteBound(event);
        return;
      case 'continued':
        if (this.present.kind === 'stopped') this.present = { kind: 'running' };
        return;
      case 'stopped':
        // Only the first thread to stop counts. All resume together.
        if (this.present.kind === 'running') this.settle(event);
        return;
      case 'ended':
        if (this.present.kind !== 'none') this.settle(event);
        this.program = undefined;
        return;
    }
  }

  private noteBound({ id, line, problem }: Extract<DebugEvent, { kind: 'breakpoint' }>): void {
    const known = id === undefined ? line : (this.lineOf.get(id) ?? line);
    if (id !== undefined) this.lineOf.set(id, known);
    if (problem === undefined) this.unbound.delete(known);
    else this.unbound.set(known, problem);
  }

  private settle(state: DebugState): void {
    this.present = state;
    this.settled();
  }

  /** Also returns after the time limit, with the program still running. */
  private async untilSettled(seconds: number, signal: AbortSignal): Promise<void> {
    if (this.present.kind !== 'running') return;
    let takeBack = () => {};
    const settled = new Promise<void>(resolve => {
      this.settled = resolve;
      takeBack = this.clock.after(seconds * 1000, resolve);
    });
    try {
      await abortable(settled, signal);
    } finally {
      takeBack();
      this.settled = () => {};
    }
  }
}

/** A program of the user's, which is read only. */
export function pausedProgramOf(users: UserProgram, clock: Pick<Clock, 'after'>): PausedProgram {
  const { threadId } = users;
  return {
    // VS Code does not report why it stopped.
    state: { kind: 'stopped', reason: '', text: '', threadId },
    ask: (command, args) => answerInTime(users.ask(command, args), command, clock),
  };
}

async function answerInTime<Answer>(
  answer: Promise<Answer>,
  command: DebugCommand,
  clock: Pick<Clock, 'after'>,
): Promise<Answer> {
  let takeBack = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    takeBack = clock.after(patience * 1000, () => {
      reject(new DebugError(`The debugger has not answered ${command} for ${patience} s.`));
    });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    takeBack();
  }
}
