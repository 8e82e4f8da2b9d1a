import { type Saying, t } from '../../protocol/language.ts';
import type { Event } from '../base/emitter.ts';
import { oneLine } from '../base/text.ts';
import type { SandboxedProcess } from './sandbox.ts';

/**
 * Programs that are spoken to over standard input and output. Each runs in a process group of its own, and ends with
 * the host, whichever way that ends.
 */
export interface ServerProcesses {
  /** Never throws: a program that cannot start ends with `failure`. */
  start(program: ServerProgram): ServerProcess;
  /** Stops all of them. */
  dispose(): Promise<void>;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Beside what the host's environment has that is no secret. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox that it runs in, left once it has ended; absent: none. */
  readonly sandboxed?: SandboxedProcess;
}

export interface ServerProcess {
  readonly pid: number | undefined;
  /** Standard output as it comes. */
  readonly onDidRead: Event<Uint8Array>;
  /** Standard error, line by line; long lines are cut. */
  readonly onDidLog: Event<string>;
  /** Resolves when it can take more. Rejects when it has ended, or leaves too much unread. */
  write(text: string): Promise<void>;
  /** Resolves once it has ended and all its output was delivered. Never rejects. */
  readonly exit: Promise<ServerExit>;
  /** Closes its input, asks it to end, then kills its whole tree. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Says why it could not start, a sentence. */
  readonly failure?: Saying;
  /** Its sandbox did not stand, so that it did not run: the end is theirs. */
  readonly sandboxEnded?: boolean;
}

/** @param newestLog what it said last on standard error; empty: nothing */
export function describeServerExit(
  { code, signal, failure, sandboxEnded }: ServerExit,
  newestLog: string,
): string {
  if (failure) return failure();
  const line = oneLine(newestLog, 300);
  // More may be said behind it.
  const said = /[\p{L}\p{N}]$/u.test(line) ? `${line}.` : line;
  if (sandboxEnded)
    return said === ''
      ? t('Its sandbox could not be created, so it did not run.')
      : t('Its sandbox could not be created, so it did not run: {0}', said);
  if (signal)
    return said === ''
      ? t('Its process was ended by {0}.', signal)
      : t('Its process was ended by {0}: {1}', signal, said);
  return said === ''
    ? t('Its process ended with code {0}.', String(code))
    : t('Its process ended with code {0}: {1}', String(code), said);
}
