import type { ProgramGrants } from '../sandbox.ts';

/** Settings files that may name hooks. */
export interface HookFiles {
  /**
   * Returns all files, the most important first. Does not even read the workspace's unless it is trusted. Never
   * rejects: an unreadable file has a `problem`.
   */
  read(trusted: boolean): Promise<readonly HookFile[]>;
  /**
   * Returns a digest over the workspace files that a command names, so that a script cannot change after the user
   * allowed its command. Stable while nothing changes. Never rejects.
   */
  digest(command: string): Promise<string>;
}

export interface HookFile {
  /** Absolute. */
  readonly path: string;
  readonly origin: 'person' | 'workspace';
  /** The program whose hook contract the entries follow, if their events do not tell. */
  readonly dialect: HookDialect;
  /** Content parsed as JSON, not validated. */
  readonly content: unknown;
  /** True for an extension's file, which decides only about its own hooks. */
  readonly isExtension?: boolean;
  /** Variables of all its hooks. A hook's own variables win. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of those variables whose values are never shown. */
  readonly secrets?: readonly string[];
  /** Why the file cannot be used, one sentence. */
  readonly problem?: string;
}

export type HookDialect = 'gemini' | 'claude';

export interface HookProcesses {
  /**
   * Runs a shell command line with a text on its standard input. Never rejects. Resolves once no process of its group
   * runs any more, however it ended.
   */
  run(spec: HookSpec, signal: AbortSignal): Promise<HookExit>;
  dispose(): Promise<void>;
}

export interface HookSpec {
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Added to the environment that every hook inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  readonly timeoutMs: number;
  /** Time between the request to end and the kill, after the timeout; a default if absent. */
  readonly graceMs?: number;
  /** Requires this sandbox; if absent, it runs without one. */
  readonly sandbox?: ProgramGrants;
}

export type HookExit =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timedOut'; readonly stdout: string; readonly stderr: string }
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }
  /** It could not start, or something else ended it. `message`: a sentence. */
  | { readonly kind: 'failed'; readonly message: string };
