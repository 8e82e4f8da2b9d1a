/* Folio's API for other extensions. Copy this file into yours: it imports nothing. docs/api.md shows how it is used. */

/** `activate` of the extension `folio.folio` resolves to this. */
export interface FolioApi {
  /** The first number rises when something that was there changes, the second when something is added. */
  readonly version: '1.0';
  /**
   * Everything goes through a connection, and what is done through it is shown to the user under this name.
   * @param extensionId of your own extension: `publisher.name`. Rejects when no such extension is installed.
   */
  connect(extensionId: string): Promise<FolioConnection>;
}

/** Disposing undoes all that was registered through it. Every function throws a `FolioApiError` afterwards. */
export interface FolioConnection extends FolioDisposable {
  /**
   * Sends a prompt in the session that the panel shows, marked with your extension's id, and resolves when the agent
   * rests. Calls that need the user's decision wait for it in the panel. Rejects with `busy` while the agent works.
   */
  sendPrompt(text: string, options?: FolioPromptOptions): Promise<FolioTurn>;
  /** Stops the agent in the session that the panel shows; resolves when it rests. */
  abort(): Promise<void>;
  /** Hears what happens in all sessions of the window. Events are frozen, and without secrets of known formats. */
  onEvent(listener: (event: FolioEvent) => void): FolioDisposable;
  /**
   * Gives the model a tool, from its next step on. The user is asked before each call, unless they allow more; in a
   * restricted workspace it is denied.
   */
  registerTool(tool: FolioTool): FolioDisposable;
  /** Adds text to each prompt: data for the model to weigh, never an instruction. */
  registerContext(provider: FolioContextProvider): FolioDisposable;
  /** Checks calls of tools, from the next prompt on. It can make them stricter, never looser. */
  registerHook(hook: FolioHook): FolioDisposable;
}

export interface FolioDisposable {
  dispose(): void;
}

/** The error of a wrong call, thrown or rejected with. */
export interface FolioApiError extends Error {
  readonly name: 'FolioApiError';
  /** `input`: an argument is not as described here, the message says which and why. */
  readonly code: 'input' | 'unknownExtension' | 'busy' | 'disposed';
}

export interface FolioPromptOptions {
  /** Begins a new session for it; the one before stays in the history. */
  readonly newSession?: boolean;
}

export interface FolioTurn {
  readonly sessionId: string;
  readonly end: FolioTurnEnd;
}

/** Why the agent rests. `message` is a sentence for the user. */
export type FolioTurnEnd =
  | { readonly kind: 'rested' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'budget' }
  | { readonly kind: 'loop' }
  | { readonly kind: 'hook'; readonly message: string }
  | { readonly kind: 'failed'; readonly trouble: string; readonly message: string };

/** Further types may be added: ignore those that you do not know. */
export type FolioEvent = {
  readonly sessionId: string;
  /** Rises within a session, with gaps. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
} & (
  | { readonly type: 'turn.started'; readonly turnId: string; readonly text: string }
  | { readonly type: 'turn.ended'; readonly turnId: string; readonly end: FolioTurnEnd }
  | { readonly type: 'chapter.started'; readonly chapterId: string; readonly title: string }
  /** A piece of the answer, by whole lines. */
  | { readonly type: 'text.appended'; readonly stepId: string; readonly text: string }
  | {
      readonly type: 'call.requested';
      readonly callId: string;
      readonly tool: string;
      /** One line that makes sense alone: `Read src/invoice.ts`. */
      readonly title: string;
    }
  | { readonly type: 'call.asked'; readonly callId: string; readonly reason: string }
  | {
      readonly type: 'call.ended';
      readonly callId: string;
      readonly outcome: 'ok' | 'failed' | 'denied' | 'cancelled';
      readonly summary: string;
    }
  | {
      readonly type: 'notice.shown';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
    }
);

export interface FolioTool {
  /** Letters, digits and underscores, at most 40. The model knows it by this name behind `ext_` and your extension's. */
  readonly name: string;
  /** When to use it and what it gives, for the model; at most 1,000 characters. */
  readonly description: string;
  /** The JSON Schema of an object. Arguments that do not fit it do not reach you. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** `read`: it changes nothing, so that several run side by side. `write`: anything else; denied in plan mode. */
  readonly effect: 'read' | 'write';
  /**
   * Returns what the model reads, as data that is not trusted. When it rejects, the model reads the error's message.
   * A call that is stopped aborts the signal and does not wait for you.
   */
  readonly invoke: (
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => string | Promise<string>;
}

export interface FolioContextProvider {
  /** Names the text in a few words for the model: `open tickets`. */
  readonly label: string;
  /**
   * Called for each prompt, with its words. At most 8,000 characters count; who takes longer than three seconds, or
   * rejects, adds nothing. `undefined` or an empty text: nothing to add.
   */
  readonly provide: (prompt: string, signal: AbortSignal) => string | undefined | Promise<string | undefined>;
}

/** A function that takes longer than ten seconds, or rejects, changes nothing; the panel says so. */
export interface FolioHook {
  /** Names of tools that it is about; left out: all. */
  readonly tools?: readonly string[];
  /** Before a call, and before the user is asked about it. */
  readonly beforeTool?: (call: FolioCall, signal: AbortSignal) => FolioVerdict | Promise<FolioVerdict>;
  /** Once a call has its result. `deny` keeps the result from the model. */
  readonly afterTool?: (
    call: FolioCall & { readonly ok: boolean; readonly result: string },
    signal: AbortSignal,
  ) => FolioVerdict | Promise<FolioVerdict>;
}

export interface FolioCall {
  readonly sessionId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** `undefined`: nothing to say. There is no way to allow what would be asked. */
export type FolioVerdict =
  | undefined
  | { readonly kind: 'deny'; readonly reason: string }
  /** A user decides, whatever was allowed before; only before a call. */
  | { readonly kind: 'ask'; readonly reason: string }
  /** For the model, as data to weigh. */
  | { readonly kind: 'context'; readonly text: string };
