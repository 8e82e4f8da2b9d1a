import { type LocalizedMessage, t } from '../../protocol/language.ts';
import type { Event } from '../base/emitter.ts';
import { oneLine } from '../base/text.ts';
import type { SandboxedProcess } from './sandbox.ts';

/**
 * Programs that communicate over standard input and output. Each runs in its own process group and ends with the host,
 * however that ends.
 */
export interface ServerProcesses {
  /** Never throws: a program that cannot start ends with `failure`. */
  start(program: ServerProgram): ServerProcess;
  dispose(): Promise<void>;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the host's variables that are no secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Its sandbox, if any, released once the program has ended. */
  readonly sandboxed?: SandboxedProcess;
}

export interface ServerProcess {
  readonly pid: number | undefined;
  /** Standard output as it comes. */
  readonly onDidRead: Event<Uint8Array>;
  /** Standard error, line by line; long lines are cut. */
  readonly onDidLog: Event<string>;
  /** Resolves when it can take more. Rejects if it has ended, or leaves too much unread. */
  write(text: string): Promise<void>;
  /** Resolves once it has ended and all its output was delivered. Never rejects. */
  readonly exit: Promise<ServerExit>;
  /** Closes its input, terminates it, then kills its process tree. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start, a sentence. */
  readonly failure?: LocalizedMessage;
  /** The sandbox could not be built, so the program never ran; code and signal are the sandbox's. */
  readonly sandboxEnded?: boolean;
}

/** @param reason line of standard error that says why; may be empty. See `ServerLog`. */
export function describeServerExit(
  { code, signal, failure, sandboxEnded }: ServerExit,
  reason: string,
): string {
  if (failure) return failure();
  const line = oneLine(reason, 300);
  // More text may follow.
  const said = /[\p{L}\p{N}'"`)\]]$/u.test(line) ? `${line}.` : line;
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
