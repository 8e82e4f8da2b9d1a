/** Starts programs of the workspace under a debugger, for one session of the agent. */
export interface Debugger {
  /** There is something to start, and something that can start it. Asked before each request. */
  isThere(): boolean;
  /** In the order of the file. Rejects with a `DebugError` for a file that cannot be read. */
  configurations(): Promise<readonly LaunchConfiguration[]>;
  /**
   * Resolves once the program runs with these breakpoints set. Rejects with a `DebugError`, or with the signal's
   * reason; then nothing of it is left.
   *
   * @param report gets events in order, those of the start included; none after the end
   */
  start(
    request: DebugStart,
    report: (event: DebugEvent) => void,
    signal: AbortSignal,
  ): Promise<DebuggedProgram>;
  /** The user's own program that stands still in view; `undefined`: none does. Absent: it cannot be known here. */
  users?(): UsersProgram | undefined;
  /** Ends what was started here. Resolves when nothing of it is left. Never rejects. */
  close(): Promise<void>;
}

/** An entry of `configurations` in a `launch.json`. */
export interface LaunchConfiguration {
  readonly name: string;
  readonly type: string;
  /** `launch` or `attach`. */
  readonly request: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface DebugStart {
  readonly configuration: LaunchConfiguration;
  readonly breakpoints: readonly Breakpoint[];
  /** Exceptions that the program catches stop it, too. */
  readonly stopsAtCaught: boolean;
}

export interface Breakpoint {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Stops only where this is true. */
  readonly condition?: string | undefined;
  /** Is printed in place of a stop, with the value of what stands in braces. */
  readonly log?: string | undefined;
}

/** A program reports it, in its own words: untrusted. */
export type DebugEvent =
  | {
      readonly kind: 'stopped';
      /** A word of the protocol: `breakpoint`, `step`, `exception`, `entry`, `pause` … */
      readonly reason: string;
      readonly text: string;
      readonly threadId: number;
    }
  | { readonly kind: 'continued' }
  | { readonly kind: 'output'; readonly text: string }
  /** `problem`: why the adapter has not bound it, so that it stops nothing for now. */
  | {
      readonly kind: 'breakpoint';
      readonly id: number | undefined;
      readonly line: number | undefined;
      readonly problem: string | undefined;
    }
  | { readonly kind: 'ended'; readonly exitCode: number | undefined };

/** A program that the user debugs. It is only read. */
export interface UsersProgram {
  /** The name of its debug session, as the user chose it. */
  readonly name: string;
  readonly threadId: number;
  /** As of a `DebuggedProgram`. Rejects also once the program has gone on, or the user views another one. */
  ask(command: ReadCommand, args: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface DebuggedProgram {
  /**
   * Sends a request of the debug adapter protocol to where the program stopped last. Rejects with a `DebugError`.
   *
   * @returns the body of the answer
   */
  ask(command: DebugCommand, args: object): Promise<Readonly<Record<string, unknown>>>;
  /** Sets these in place of all that were set here before. Those of the user stay. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void>;
  stopAtCaught(): Promise<void>;
  /** Ends the program, and takes the breakpoints back. Resolves when nothing of it is left. Never rejects. */
  stop(): Promise<void>;
}

export type ReadCommand = 'threads' | 'stackTrace' | 'scopes' | 'variables' | 'exceptionInfo' | 'evaluate';

export type DebugCommand = ReadCommand | 'continue' | 'next' | 'stepIn' | 'stepOut';

/** The message is a sentence for the model, in English. */
export class DebugError extends Error {
  override readonly name = 'DebugError';
  /** The words of the program or its debugger: untrusted. Empty: there are none. */
  readonly said: string;

  constructor(message: string, said = '') {
    super(message);
    this.said = said;
  }
}
