/* Plain values that events, intentions and asks hold. */

/** How much of a file changed. */
export interface Counts {
  /** Lines; none of a notebook, whose lines nobody counts. */
  readonly added: number;
  readonly removed: number;
  /** Changed cells; only for notebooks. */
  readonly cells?: number;
  /** The file became executable, or is so no longer. */
  readonly executable?: boolean;
}

/** Both lines belong to it, counted from 1. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

export interface FileCounts extends Counts {
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly path: string;
}

/** A picture in a file beside the session's outputs. */
export interface KeptPicture {
  /** Absolute. */
  readonly path: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** It shows a tab of the user's own browser. */
  readonly ofTab?: true | undefined;
}

/** A page of an MCP server that shows a call's result. */
export interface SavedApp {
  readonly server: string;
  /** The resource that holds the page: `ui://…`. */
  readonly uri: string;
  /** Absolute: a file with the call's arguments and the server's result. */
  readonly path: string;
}

/** A task of an MCP server that goes on without the call that began it. */
export interface DetachedTask {
  readonly server: string;
  readonly id: string;
  /** When the server forgets it, milliseconds since the Unix epoch; absent: it does not say. */
  readonly until?: number;
}

export interface RestoredFile extends Counts {
  /** Relative to the first workspace folder where it lies in it; else absolute. */
  readonly path: string;
  /**
   * `merged`: put back with the user's later edits kept. `conflict`: left as it is, because the user's edits
   * lie in what would be put back. `lost`: what it held is no longer kept.
   */
  readonly result: 'restored' | 'created' | 'deleted' | 'merged' | 'conflict' | 'lost';
}

export interface CallWriting {
  readonly callId: string;
  /** The subagent whose call it is; absent: the agent's own. */
  readonly agent?: string;
}

/** The author of a change to a file. */
export type Writer =
  /** `words`: one line, as on the call's card, or the hooks around it. */
  | ({ readonly kind: 'call'; readonly words: string } & CallWriting)
  /** A call that ran a command, or the beginning of a long one. */
  | ({ readonly kind: 'command'; readonly line: string } & CallWriting)
  /** Somebody else may have written it while this call ran; `words`: its command, or the words of its card. */
  | ({ readonly kind: 'meanwhile'; readonly words: string } & CallWriting)
  /** Another session of the window wrote into it; `name`: its title, empty where it has none. */
  | { readonly kind: 'session'; readonly name: string }
  | { readonly kind: 'person'; readonly decision: 'review' | 'rewind' };

/** The effect of a call on the world. Readers run side by side, everything else alone and in order. */
export type Effect = 'read' | 'edit' | 'run' | 'fetch' | 'note';

/** Something that a user must know: what happened, then what to do. */
export interface Failure {
  /** A stable word for code and tests, for example `auth`, `quota`, `network`. */
  readonly kind: string;
  /** One or two sentences for the user. */
  readonly message: string;
  /** The same for a model; absent: it is the same. */
  readonly english?: string;
  /** The action that the panel offers beside Retry. */
  readonly remedy?: 'setKey' | 'selectModel' | 'openSettings' | 'compress';
}

export interface Citation {
  readonly uri: string;
  readonly title?: string;
}

/** Where a chat server had it from, so that it gets it back as it came: this server, and nobody else. */
export interface Origin {
  /** The name of the host. */
  readonly server: string;
  /** The member of the server's message that held the text. */
  readonly member?: string;
  /** A call's id there, which may have been replaced here. */
  readonly id?: string;
  /** Members of the server's message or call that are none of ours. */
  readonly sealed?: Readonly<Record<string, unknown>>;
}

export interface Todo {
  readonly description: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';
}

/** The newest plan, and whether it was approved; no word about that: it waits, or was left undecided. */
export interface NewestPlan {
  /** Absolute. */
  readonly path: string;
  readonly title: string;
  readonly approved?: boolean;
}

/** The context grew beyond its share of the model's limit, or a user asked for it. */
export type CompressionTrigger = 'automatic' | 'manual';

/** The fate of one chapter, in tokens. */
export interface CompressionPart {
  readonly chapterId: string;
  readonly summarised: number;
  /** Stays word for word. */
  readonly kept: number;
  /** Tokens of long results in the kept messages; the whole results stay on the disk. */
  readonly dropped: number;
}

/** A subagent's work, as it handed it in. Its keys are its own. */
export type Report = Readonly<Record<string, unknown>>;
