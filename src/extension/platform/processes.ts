import type { Event } from '../base/emitter.ts';
import type { SandboxedProcess } from './sandbox.ts';

/**
 * Child processes of Folio. Each runs in its own process group, all its output is captured, and its exit is always
 * reported. Disposing stops all foreground processes; in a window, also background ones.
 */
export interface Processes {
  /** Never throws: a process that cannot start ends with `failure`. */
  start(spec: ProcessSpec): RunningProcess;
  /** For code that mirrors processes to the user. */
  readonly onDidStart: Event<RunningProcess>;
  dispose(): Promise<void>;
}

export interface ProcessSpec {
  /** A command line for the shell (bash; PowerShell on Windows). */
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** True if it continues after the run that started it ends. */
  readonly background?: boolean;
  /**
   * True if it can get input while it runs: in a terminal if available, else through an open pipe. Otherwise its input
   * is closed at once, since a program that reads stdin would wait forever.
   */
  readonly answerable?: boolean;
  /** True if the user asked for its terminal, which is then shown at the start. */
  readonly shown?: boolean;
  /** Absolute path. All output is also appended to this file, even after the run has ended. Creates its folder. */
  readonly outputFile?: string;
  /** The call that runs it, whose card links to its terminal; absent without a call. */
  readonly callId?: string;
  readonly sandboxed?: Pick<SandboxedProcess, 'wrap'>;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  readonly spec: ProcessSpec;
  /** A shell expression for its process group id as other commands see it; absent if that is `pid`. */
  readonly groupInside?: string | undefined;
  readonly keyboard?: ProcessInput;
  /** Standard output and error in order of arrival, decoded; characters are never split. */
  readonly onDidWrite: Event<string>;
  /** Resolves once the process has ended and all its output was delivered. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Lets a background process outlive the window from now on; absent if it does anyway. */
  keep?(): void;
  /** Ends the process tree: terminates, then kills after a short grace period. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** The terminal shows typed text, or hides it as with a password. */
export type Echo = 'shown' | 'hidden' | 'unknown';

/** The program in the foreground is a shell, or may lead to one, so typed text may be a command. */
export interface ForegroundShell {
  /** Absolute path of its folder, if known. */
  readonly cwd?: string;
}

/** Input for one program. Typed text is neither stored nor logged. */
export interface ProcessInput {
  /** Why this is an open pipe and no terminal, as a sentence; absent if it is a terminal. */
  readonly noTerminal?: string;
  /** Fires within a second when the program begins or stops waiting for input. */
  readonly onDidChangeWaiting: Event<boolean>;
  /** Asks the system whether typed text is shown at this moment. Never rejects. */
  echo(): Promise<Echo>;
  /** Asks the system for the foreground shell; `undefined` if typed text surely goes elsewhere. Never rejects. */
  shell(): Promise<ForegroundShell | undefined>;
  /** Does nothing after the process has ended. */
  write(text: string): void;
  /** Closes the pipe. In a terminal Ctrl+D does that. */
  end(): void;
  resize(columns: number, rows: number): void;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start. */
  readonly failure?: string;
  /** Process ids of its group that were still running when it ended. */
  readonly leftRunning: readonly number[];
}
