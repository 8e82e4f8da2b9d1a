/* Plain values of events, intentions and asks. */

/** Size of a file change. */
export interface Counts {
  /** Lines; 0 for notebooks, which count cells. */
  readonly added: number;
  readonly removed: number;
  /** Changed cells; only for notebooks. */
  readonly cells?: number;
  /** New executable bit, if it changed. */
  readonly executable?: boolean;
}

/** Range of lines from 1, both ends included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export interface FileCounts extends Counts {
  /** Relative to the first workspace folder if inside it, otherwise absolute. */
  readonly path: string;
}

/** A picture stored beside the session's outputs. */
export interface KeptPicture {
  /** Absolute. */
  readonly path: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** True if it shows a tab of the user's own browser. */
  readonly ofTab?: true | undefined;
}

/** Page of an MCP server for the result of a call. */
export interface SavedMcpApp {
  readonly server: string;
  /** Resource of the page: `ui://…`. */
  readonly uri: string;
  /** Absolute path of a file with the call's arguments and the server's result. */
  readonly path: string;
}

/** A task that an MCP server continues after its call has ended. */
export interface DetachedTask {
  readonly server: string;
  readonly id: string;
  /** When the server forgets it, in milliseconds since the Unix epoch. Absent: not stated. */
  readonly until?: number;
}

export interface RestoredFile extends Counts {
  /** Relative to the first workspace folder if inside it, otherwise absolute. */
  readonly path: string;
  /**
   * `merged`: restored with the user's later edits kept. `conflict`: unchanged, as these edits overlap. `lost`: the
   * old content is no longer stored.
   */
  readonly result: 'restored' | 'created' | 'deleted' | 'merged' | 'conflict' | 'lost';
}

export interface WritingCall {
  readonly callId: string;
  /** Subagent that made the call. Absent: the agent itself. */
  readonly agent?: string;
}

/** The author of a change to a file. */
export type Writer =
  /** `words`: title of the call, or its hooks. */
  | ({ readonly kind: 'call'; readonly words: string } & WritingCall)
  /** `line`: the command line, cut if long. */
  | ({ readonly kind: 'command'; readonly line: string } & WritingCall)
  /** Written by somebody while this call ran. `words`: its command or title. */
  | ({ readonly kind: 'meanwhile'; readonly words: string } & WritingCall)
  /** Another session of the window. `name`: its title, empty if none. */
  | { readonly kind: 'session'; readonly name: string }
  | { readonly kind: 'person'; readonly decision: 'review' | 'rewind' };

/** Effect of a call. Readers run in parallel, everything else alone and in order. */
export type Effect = 'read' | 'edit' | 'run' | 'fetch' | 'note';

export interface Failure {
  /** A stable word for code and tests, for example `auth`, `quota`, `network`. */
  readonly kind: string;
  /** One or two sentences: what happened, then what to do. */
  readonly message: string;
  /** English message for models. Absent: same as `message`. */
  readonly english?: string;
  /** Action that the panel offers beside Retry. */
  readonly remedy?: 'setKey' | 'selectModel' | 'openSettings' | 'compress';
}

export interface Citation {
  readonly uri: string;
  readonly title?: string;
}

/** Original form of a part, to return it unchanged to the same chat server, and to no other. */
export interface PartWireData {
  /** Host name. */
  readonly server: string;
  /** Member of the server's message with the text. */
  readonly member?: string;
  /** Id of the call on the server, which Folio may have replaced. */
  readonly id?: string;
  /** Unknown members of the server's message or call. */
  readonly sealed?: Readonly<Record<string, unknown>>;
}

export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

/** The newest plan. Without `approved` it waits, or was left undecided. */
export interface NewestPlan {
  /** Absolute. */
  readonly path: string;
  readonly title: string;
  readonly approved?: boolean;
}

/** `automatic`: the context exceeded its threshold. `manual`: requested by the user. */
export type CompressionTrigger = 'automatic' | 'manual';

/** Effect of a compression on one chapter, in tokens. */
export interface CompressionPart {
  readonly chapterId: string;
  readonly summarised: number;
  /** Tokens that stay word for word. */
  readonly kept: number;
  /** Tokens cut from long results in the kept messages. Files keep the full results. */
  readonly dropped: number;
}

/** Report of a subagent, with keys of its choice. */
export type SubagentReport = Readonly<Record<string, unknown>>;
