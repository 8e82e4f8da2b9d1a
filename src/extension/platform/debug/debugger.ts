/** Starts programs of the workspace under a debugger, for one session. */
export interface Debugger {
  /** True if there is something to debug and an adapter for it. Called before each request. */
  isAvailable(): boolean;
  /** In the order of the file. Rejects with a `DebugError` if the file cannot be read. */
  configurations(): Promise<readonly LaunchConfiguration[]>;
  /**
   * Resolves once the program runs with these breakpoints set. Rejects with a `DebugError`, or with the signal's
   * reason, after everything of it has ended.
   *
   * @param report gets events in order, including those of the start; none after the end
   */
  start(
    request: DebugStart,
    report: (event: DebugEvent) => void,
    signal: AbortSignal,
  ): Promise<DebuggedProgram>;
  /** Returns the user's own paused program in view, if any. Absent if that cannot be known here. */
  users?(): UserProgram | undefined;
  /** Ends what was started here. Resolves when all of it has ended. Never rejects. */
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
  /** Also stops at exceptions that the program catches. */
  readonly stopsAtCaught: boolean;
}

export interface Breakpoint {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Stops only if this expression is true. */
  readonly condition?: string | undefined;
  /** Logs this text instead of stopping. Expressions in braces are evaluated. */
  readonly log?: string | undefined;
}

/** Events in the words of the program: untrusted. */
export type DebugEvent =
  | {
      readonly kind: 'stopped';
      /** A reason of the protocol: `breakpoint`, `step`, `exception`, `entry`, `pause` … */
      readonly reason: string;
      readonly text: string;
      readonly threadId: number;
    }
  | { readonly kind: 'continued' }
  | { readonly kind: 'output'; readonly text: string }
  /** `problem`: why the adapter has not bound it, so that it has no effect for now. */
  | {
      readonly kind: 'breakpoint';
      readonly id: number | undefined;
      readonly line: number | undefined;
      readonly problem: string | undefined;
    }
  | { readonly kind: 'ended'; readonly exitCode: number | undefined };

/** A program that the user debugs. Read only. */
export interface UserProgram {
  /** Name of its debug session, chosen by the user. */
  readonly name: string;
  readonly threadId: number;
  /** As for a `DebuggedProgram`. Also rejects once the program has continued, or the user views another one. */
  ask(command: InspectionCommand, args: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface DebuggedProgram {
  /**
   * Sends a request of the Debug Adapter Protocol for the place where the program stopped last. Rejects with a
   * `DebugError`.
   *
   * @returns the body of the response
   */
  ask(command: DebugCommand, args: object): Promise<Readonly<Record<string, unknown>>>;
  /** Replaces all breakpoints set here before. Keeps the user's. */
  setBreakpoints(breakpoints: readonly Breakpoint[]): Promise<void>;
  stopAtCaught(): Promise<void>;
  /** Ends the program and removes its breakpoints. Resolves when all of it has ended. Never rejects. */
  stop(): Promise<void>;
}

export type InspectionCommand =
  | 'threads'
  | 'stackTrace'
  | 'scopes'
  | 'variables'
  | 'exceptionInfo'
  | 'evaluate';

export type DebugCommand = InspectionCommand | 'continue' | 'next' | 'stepIn' | 'stepOut';

/** The message is a sentence for the model, in English. */
export class DebugError extends Error {
  override readonly name = 'DebugError';
  /** Untrusted message of the program or its debugger; may be empty. */
  readonly said: string;

  constructor(message: string, said = '') {
    super(message);
    this.said = said;
  }
}
