import type { Event } from '../base/emitter.ts';
import type { SandboxedProcess } from './sandbox.ts';

/**
 * Child processes of Folio's own. Each runs in a process group of its own, its output is captured whole, and its
 * exit is always known. Disposing stops all that were not started in the background, in a window these, too.
 */
export interface Processes {
  /** Never throws: a process that cannot start ends with `failure`. */
  start(spec: ProcessSpec): RunningProcess;
  /** For those who mirror processes to the user. */
  readonly onDidStart: Event<RunningProcess>;
  dispose(): Promise<void>;
}

export interface ProcessSpec {
  /** A line for the shell (bash; PowerShell on Windows). */
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Continues when the run that started it ends. */
  readonly background?: boolean;
  /**
   * Somebody answers it while it runs: in a terminal of its own where one can be had, else through a pipe that stays
   * open. Absent: it reads an end of file at once, since a program that reads by habit would wait for ever.
   */
  readonly answerable?: boolean;
  /** The user chose its terminal, which is shown as it starts. */
  readonly shown?: boolean;
  /** Absolute: all output is appended to this file too, also after the run has ended. Its folder is made. */
  readonly outputFile?: string;
  /** The call that runs it, whose card leads to its terminal; absent: no call does. */
  readonly callId?: string;
  /** The sandbox that it runs in; absent: none. */
  readonly sandboxed?: Pick<SandboxedProcess, 'wrap'>;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  readonly spec: ProcessSpec;
  /** A word for the shell that gives its process group where other commands see it; absent: `pid` does. */
  readonly groupInside?: string | undefined;
  /** Where it is answered; absent: nowhere. */
  readonly keyboard?: Keyboard;
  /** Standard output and error in the order of arrival, decoded; characters are never torn. */
  readonly onDidWrite: Event<string>;
  /** Resolves once the process has ended and all its output was delivered. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** One of the background outlives the window from now on; absent: it does anyway. */
  keep?(): void;
  /** Ends the whole process tree: asks first, kills after a short grace. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** Text that is typed into a terminal shows there or is hidden, as with a password. */
export type Echo = 'shown' | 'hidden' | 'unknown';

/** A shell takes what is typed, or may, since nobody can know what the program in front leads to. */
export interface ShellInFront {
  /** Absolute: its folder; absent: not known. */
  readonly cwd?: string;
}

/** Typed text goes to the program alone: it is kept and logged nowhere. */
export interface Keyboard {
  /** Why this is no terminal but an open pipe, as a sentence; absent: it is one. */
  readonly noTerminal?: string;
  /** The program waits for somebody to type, or no longer does; told within a second. */
  readonly onDidChangeWaiting: Event<boolean>;
  /** Asks the system again whether typed text is shown at this moment. Never rejects. */
  echo(): Promise<Echo>;
  /** Asks the system again; undefined: what is typed surely answers another program. Never rejects. */
  shell(): Promise<ShellInFront | undefined>;
  /** Nothing happens when the process has ended. */
  write(text: string): void;
  /** Through a pipe: no more follows. In a terminal Ctrl+D says that. */
  end(): void;
  resize(columns: number, rows: number): void;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start. */
  readonly failure?: string;
  /** Processes of its group that still ran when it ended. */
  readonly leftRunning: readonly number[];
}
