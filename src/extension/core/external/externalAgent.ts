/* A port: agents of other makers, which drive a whole session in place of Folio's own. */

import type { Saying } from '../../../protocol/language.ts';
import type { Todo } from '../../../protocol/values.ts';
import type { DriverOption } from '../../../protocol/worktree.ts';
import { SpokenError } from '../../base/errors.ts';

export interface ExternalAgents {
  /**
   * Starts the agent of this name and begins or continues a session with it. Rejects with `ExternalFailure`, and with
   * the signal's reason on abort; then nothing of it runs.
   */
  open(
    name: string,
    place: ExternalPlace,
    client: ExternalClient,
    signal: AbortSignal,
  ): Promise<ExternalAgent>;
}

export interface ExternalPlace {
  /** Absolute; the first is where it works. */
  readonly folders: readonly string[];
  /** The agent's own id of the session that is to be continued; absent: a new one. */
  readonly session?: string | undefined;
  /** Servers of tools that it may use. */
  readonly servers: readonly ExternalServer[];
}

/** A server of tools, which the agent starts or calls itself. */
export interface ExternalServer {
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
  /** The agent's own id of it. */
  readonly session: string;
  /** It continues the session that was asked for, and knows what was said in it. */
  readonly continues: boolean;
  /** False: it has ended, and has to be opened again. */
  readonly isRunning: boolean;
  /** The choices that it offers, as they are now; a change comes as an update, too. */
  readonly options: readonly DriverOption[];
  /** Resolves once the agent has taken the value; does nothing where it does not offer it. Rejects with `ExternalFailure`. */
  choose(option: string, value: string): Promise<void>;
  /**
   * Resolves when the agent rests. An abort asks it to stop, which it confirms in time or is ended. Rejects only with
   * `ExternalFailure`.
   */
  prompt(parts: readonly PromptPart[], signal: AbortSignal): Promise<ExternalEnd>;
  /** Resolves when its processes are gone. Never rejects. */
  close(): Promise<void>;
}

export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `data`: base64, of a picture or a PDF. Left out where the agent takes no such thing. */
  | { readonly kind: 'file'; readonly data: string; readonly mimeType: string };

/** `length` and `requests` are limits of the agent's own. */
export type ExternalEnd = 'rested' | 'stopped' | 'refused' | 'length' | 'requests';

/**
 * Carries out requests of an agent. Updates come in order; a request may come while another is open. Requests reject
 * with an error whose English words the agent reads.
 */
export interface ExternalClient {
  update(update: ExternalUpdate): void;
  /** Rejects with `MissingFile` where there is none. @param range lines from 1 */
  readFile(path: string, range: { readonly line?: number; readonly limit?: number }): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  /** The option that the user takes, or what the rules say; `undefined`: the turn was stopped. */
  ask(call: ExternalCall, options: readonly ExternalOption[]): Promise<string | undefined>;
  /** Resolves once the command runs. */
  run(command: ExternalCommand): Promise<ExternalTerminal>;
}

export type ExternalUpdate =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ExternalCall }
  | { readonly kind: 'plan'; readonly todos: readonly Todo[] }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'options'; readonly options: readonly DriverOption[] };

/** A call of a tool of the agent's own. Absent fields are as they were reported before. */
export interface ExternalCall {
  readonly id: string;
  readonly title?: string;
  readonly deed?: ExternalDeed;
  readonly status?: 'pending' | 'running' | 'done' | 'failed';
  readonly args?: unknown;
  /** Absolute. */
  readonly paths?: readonly string[];
  readonly edits?: readonly ExternalEdit[];
  /** A command of Folio's stands for it. */
  readonly hasTerminal?: boolean;
  readonly text?: string;
}

export type ExternalDeed = 'read' | 'edit' | 'run' | 'fetch' | 'search' | 'other';

export interface ExternalEdit {
  readonly path: string;
  /** `null`: a new file. It may be a part of the file. */
  readonly before: string | null;
  readonly after: string;
}

export interface ExternalOption {
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
  /** The newest part of it, where it is cut. */
  readonly output: string;
  readonly isCut: boolean;
  /** Absent: it runs. */
  readonly exit: TerminalExit | undefined;
  readonly exited: Promise<TerminalExit>;
  stop(): void;
}

export interface TerminalExit {
  /** `null`: it was ended. */
  readonly code: number | null;
}

/** An agent that is about to make a file asks for it first, and has to know this from other errors. */
export class MissingFile extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`There is no file ${path}.`);
    this.name = 'MissingFile';
    this.path = path;
  }
}

/** Says what happened to the agent, then what to do. */
export class ExternalFailure extends SpokenError {
  readonly kind: 'missing' | 'restricted' | 'start' | 'login' | 'ended' | 'answer';

  constructor(kind: ExternalFailure['kind'], say: Saying) {
    super(say);
    this.name = 'ExternalFailure';
    this.kind = kind;
  }
}
