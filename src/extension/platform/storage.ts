/** Sessions on disk: a folder each with journal, subagents' journals and outputs. Only `emptyTrash` deletes any. */

import { t } from '../../protocol/language.ts';
import { LocalizedError } from '../base/errors.ts';
export interface SessionStore {
  /** Newest first. Skips unreadable folders. */
  list(): Promise<readonly StoredSession[]>;
  /** Returns the journal's lines without a truncated last one. Rejects if there is no such session. */
  readJournal(sessionId: string): Promise<readonly string[]>;
  /** Reads the journal from a byte at which a line begins, in chunks, for callers that keep little of it. */
  scanJournal(sessionId: string, from: number): AsyncIterable<JournalChunk>;
  /**
   * Opens for appending, creates the folder if needed, and repairs a truncated last line. Until closed, other processes
   * get `SessionInUseError`.
   */
  openJournal(sessionId: string): Promise<Journal>;
  /** Like `openJournal`, but rejects if the session does not exist. */
  reopenJournal(sessionId: string): Promise<Journal>;
  /**
   * Opens the journal of the subagent that this call started, and repairs its last line. The session's own journal must
   * be open here.
   */
  openAgentJournal(sessionId: string, callId: string): Promise<Journal>;
  /** Like `scanJournal`; yields nothing if there is no such journal. */
  scanAgentJournal(sessionId: string, callId: string): AsyncIterable<JournalChunk>;
  /**
   * Saves a complete output whose display was cut, with known secrets masked, or the bytes of a picture. Returns its
   * absolute path. The same name gives the same path.
   */
  saveOutput(sessionId: string, name: string, content: string | Uint8Array): Promise<string>;
  /** Creates nothing before the first text arrives. The same name refers to the same text. */
  openRunningOutput(sessionId: string, name: string): RunningOutput;
  /** Reads output that an earlier run saved and did not discard, if any. */
  readCallOutput(sessionId: string, name: string): Promise<OutputText | undefined>;
  /** Absolute folder of saved outputs, which the model may read. */
  outputsFolder(sessionId: string): string;
  /** Absolute folder of plans, created with the first one. The model may read there, and the user edits there. */
  plansFolder(sessionId: string): string;
  /** Moves it to the trash, dated. Rejects with `SessionInUseError` while another process has its journal open. */
  remove(sessionId: string, now: number): Promise<void>;
  /** Restores it from the trash. Rejects if it is not there. */
  bringBack(sessionId: string): Promise<void>;
  /** Deletes everything that was moved to the trash before this time. */
  emptyTrash(before: number): Promise<void>;
  /** Returns the newest text that any window passed to `writeIndex`; `undefined` if missing or unreadable. */
  readIndex(of: IndexName): Promise<string | undefined>;
  /** Atomic. */
  writeIndex(of: IndexName, text: string): Promise<void>;
}

/** Caches derived from journals: summaries for the list, and sums for statistics. */
export type IndexName = 'sessions' | 'statistics';

export interface StoredSession {
  readonly sessionId: string;
  /** Modification time of the journal, milliseconds since the Unix epoch. */
  readonly changedAt: number;
  /** Size of the journal in bytes. */
  readonly size: number;
}

export interface JournalChunk {
  readonly lines: readonly string[];
  /** Byte offset of these lines. 0 in the first chunk if no line began at the requested offset. */
  readonly start: number;
  /** Byte offset of the end of these lines. */
  readonly end: number;
}

export interface Journal {
  /**
   * Appends complete lines in order. The system has the line when this returns, so that a kill of the host cannot lose
   * it. A line that the system refuses waits, with all later ones, until a flush can write it. Throws only once it is
   * closed.
   */
  append(line: string): void;
  /** Number of waiting characters; 0 if all are written. */
  readonly waiting: number;
  /**
   * Resolves once everything appended is on disk. Retries waiting lines, and rejects if they still cannot be written.
   */
  flush(): Promise<void>;
  /** Flushes, then closes even if the flush failed. */
  close(): Promise<void>;
}

/** A copy of a running call's output that survives a kill of the host: the newest part, at most a megabyte. */
export interface RunningOutput {
  /**
   * The system has the text when this returns, so that a kill of the host cannot lose it. Never throws: drops what the
   * file system refuses.
   */
  append(text: string): void;
  /** Deletes the copy, including one of an earlier run. Call when the result is recorded. Never throws. */
  discard(): void;
}

/** The available part of a call's output. */
export interface OutputText {
  readonly text: string;
  /** False if earlier output may be missing. */
  readonly isWhole: boolean;
}

/** Another window or headless run is writing this session. */
export class SessionInUseError extends LocalizedError {
  constructor() {
    super(() => t('This session is open in another window. Continue there, or close it there first.'));
    this.name = 'SessionInUseError';
  }
}

/** Stored bytes by content hash. If space runs out, the oldest are deleted first. */
export interface BlobStore {
  /** Stores the bytes, durably once resolved. Returns the SHA-256 in hexadecimal. */
  put(bytes: Uint8Array): Promise<string>;
  /** Returns `undefined` if they are not stored (any more). */
  get(id: string): Promise<Uint8Array | undefined>;
}

/** A text of a workspace that several processes change. */
export interface SharedText {
  /** Name of the file; `undefined` if no folder is open. */
  readonly path: string | undefined;
  /** Returns `undefined` if nothing was written yet. */
  read(): Promise<string | undefined>;
  /**
   * Replaces the text atomically, one process at a time. Leaves it if `turn` returns `undefined`. Rejects if another
   * process holds it for too long.
   */
  change(turn: (text: string | undefined) => string | undefined): Promise<void>;
}
