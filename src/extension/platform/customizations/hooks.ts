/* Ports of hooks: the files that name them, and processes that get an input. */

import type { ProgramGrants } from '../sandbox.ts';

/** Settings files that may name hooks. */
export interface HookFiles {
  /**
   * All files, the most important first. The workspace's are not even read unless it is trusted. Never rejects:
   * an unreadable file comes with a `problem`.
   */
  read(trusted: boolean): Promise<readonly HookFile[]>;
  /**
   * A digest over the files of the workspace that a command names, as they are now, so that a script cannot change
   * behind the back of who allowed its command. The same as long as nothing changes. Never rejects.
   */
  digest(command: string): Promise<string>;
}

export interface HookFile {
  /** Absolute. */
  readonly path: string;
  readonly origin: 'person' | 'workspace';
  /** Which program's contract its entries follow, where their events do not tell. */
  readonly dialect: HookDialect;
  /** The content, parsed as JSON; anything. */
  readonly content: unknown;
  /** It is an extension's: it decides about its own hooks alone. */
  readonly isExtension?: boolean;
  /** Variables of all its hooks; what one names itself wins. */
  readonly env?: Readonly<Record<string, string>>;
  /** Values of these that are shown nowhere. */
  readonly secrets?: readonly string[];
  /** A sentence: why it cannot be used. */
  readonly problem?: string;
}

export type HookDialect = 'gemini' | 'claude';

export interface HookProcesses {
  /**
   * Runs a line of the shell with a text on its standard input. Never rejects. When it resolves, nothing of the
   * process's group runs any more, however it ended.
   */
  run(spec: HookSpec, signal: AbortSignal): Promise<HookExit>;
  /** Ends all that run. */
  dispose(): Promise<void>;
}

export interface HookSpec {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** On top of what every hook inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly timeoutMs: number;
  /** From the request to end until the order to end, once its time is up; absent: as long as is usual. */
  readonly graceMs?: number;
  /** It runs in the sandbox or not at all; absent: as the user would run it. */
  readonly sandbox?: ProgramGrants;
}

export type HookExit =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timedOut'; readonly stdout: string; readonly stderr: string }
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }
  /** It could not start, or something else ended it. `message`: a sentence. */
  | { readonly kind: 'failed'; readonly message: string };
