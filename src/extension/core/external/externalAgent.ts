/* A port: external agents, which run a whole session instead of Folio's own agent. */

import type { LocalizedMessage } from '../../../protocol/language.ts';
import type { Todo } from '../../../protocol/values.ts';
import type { DriverOption } from '../../../protocol/worktree.ts';
import { LocalizedError } from '../../base/errors.ts';

export interface ExternalAgentLauncher {
  /**
   * Starts the agent and begins or continues a session. Rejects with `ExternalFailure`, or on abort with the signal's
   * reason; then nothing keeps running.
   */
  open(
    name: string,
    wanted: ExternalSessionRequest,
    client: ExternalClient,
    signal: AbortSignal,
  ): Promise<ExternalAgent>;
}

/** The session that an external agent should begin or continue. */
export interface ExternalSessionRequest {
  /** Absolute. The agent works in the first. */
  readonly folders: readonly string[];
  /** The agent's own id of the session to continue; absent: a new one. */
  readonly session?: string | undefined;
  readonly servers: readonly ExternalMcpServer[];
}

/** An MCP server, which the agent itself starts or contacts. */
export interface ExternalMcpServer {
  readonly name: string;
  readonly source:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    | {
        readonly kind: 'http' | 'sse';
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      };
}

export interface ExternalAgent {
  /** The agent's own session id. */
  readonly session: string;
  /** It continues the requested session with its conversation. */
  readonly continues: boolean;
  /** False: it has ended and must be opened again. */
  readonly isRunning: boolean;
  /** Its current options; changes also arrive as updates. */
  readonly options: readonly DriverOption[];
  /**
   * Resolves once the agent has applied the value; does nothing for an unknown option. Rejects with `ExternalFailure`.
   */
  choose(option: string, value: string): Promise<void>;
  /**
   * Resolves when the agent stops. On abort it is asked to stop, and killed if it does not in time. Rejects only with
   * `ExternalFailure`.
   */
  prompt(parts: readonly ExternalPromptPart[], signal: AbortSignal): Promise<ExternalEnd>;
  /** Resolves when its processes have exited. Never rejects. */
  close(): Promise<void>;
}

export type ExternalPromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `data`: base64 of a picture or a PDF. Omitted if the agent does not support it. */
  | { readonly kind: 'file'; readonly data: string; readonly mimeType: string };

/** `length` and `requests` are the agent's own limits. */
export type ExternalEnd = 'rested' | 'stopped' | 'refused' | 'length' | 'requests';

/**
 * Handles requests of an agent. Updates arrive in order; requests may overlap. They reject with an error whose English
 * message the agent reads.
 */
export interface ExternalClient {
  update(update: ExternalUpdate): void;
  /** Rejects with `MissingFileError` if it does not exist. @param range lines from 1 */
  readFile(path: string, range: { readonly line?: number; readonly limit?: number }): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  /** Returns the id of the chosen option, by the user or by rules; `undefined`: the turn was stopped. */
  ask(call: ExternalCall, options: readonly ExternalPermissionOption[]): Promise<string | undefined>;
  /** Resolves once the command runs. */
  run(command: ExternalCommand): Promise<ExternalTerminal>;
}

export type ExternalUpdate =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ExternalCall }
  | { readonly kind: 'plan'; readonly todos: readonly Todo[] }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'options'; readonly options: readonly DriverOption[] };

/** A call of the agent's own tool. Absent fields are unchanged since the last report. */
export interface ExternalCall {
  readonly id: string;
  readonly title?: string;
  readonly deed?: ExternalAction;
  readonly status?: 'pending' | 'running' | 'done' | 'failed';
  readonly args?: unknown;
  /** Absolute. */
  readonly paths?: readonly string[];
  readonly edits?: readonly ExternalEdit[];
  /** A command run by Folio represents it. */
  readonly hasTerminal?: boolean;
  readonly text?: string;
}

export type ExternalAction = 'read' | 'edit' | 'run' | 'fetch' | 'search' | 'other';

export interface ExternalEdit {
  readonly path: string;
  /** `null`: a new file. May be only a part of the file. */
  readonly before: string | null;
  readonly after: string;
}

export interface ExternalPermissionOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'allow' | 'allowAlways' | 'deny' | 'denyAlways';
}

export interface ExternalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Absolute. */
  readonly cwd?: string;
}

export interface ExternalTerminal {
  /** Only the newest part if it is cut. */
  readonly output: string;
  readonly isCut: boolean;
  /** Absent: it still runs. */
  readonly exit: TerminalExit | undefined;
  readonly exited: Promise<TerminalExit>;
  stop(): void;
}

export interface TerminalExit {
  /** `null`: it was killed. */
  readonly code: number | null;
}

/** Agents request a file before creating it, and need to distinguish this error from others. */
export class MissingFileError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`There is no file ${path}.`);
    this.name = 'MissingFileError';
    this.path = path;
  }
}

/** An error about the agent, with advice. */
export class ExternalFailure extends LocalizedError {
  readonly kind: 'missing' | 'restricted' | 'start' | 'login' | 'ended' | 'answer';

  constructor(kind: ExternalFailure['kind'], say: LocalizedMessage) {
    super(say);
    this.name = 'ExternalFailure';
    this.kind = kind;
  }
}
