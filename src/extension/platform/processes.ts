import type { Event } from '../base/emitter.ts';

/**
 * Child processes of Folio's own. Each runs in a process group of its own, its output is captured whole, and its
 * exit is always known. Disposing stops all that were not started in the background.
 */
export interface Processes {
  /** Never throws: a process that cannot start ends with `failure`. */
  start(spec: ProcessSpec): RunningProcess;
  /** For those who mirror processes to the person. */
  readonly onDidStart: Event<RunningProcess>;
  dispose(): Promise<void>;
}

export interface ProcessSpec {
  /** A line for the shell (bash; PowerShell on Windows). */
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Goes on when the run that started it ends. */
  readonly background?: boolean;
  /** Absolute: all output is appended to this file too, also after the run has ended. Its folder is made. */
  readonly outputFile?: string;
}

export interface RunningProcess {
  readonly pid: number | undefined;
  readonly spec: ProcessSpec;
  /** Standard output and error in the order of arrival, decoded; characters are never torn. */
  readonly onDidWrite: Event<string>;
  /** Resolves once the process has ended and all its output was delivered. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  /** Ends the whole process tree: asks first, kills after a short grace. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start. */
  readonly failure?: string;
  /** Processes of its group that still ran when it ended. */
  readonly leftRunning: readonly number[];
}
