/** Sessions on disk: one folder each, with its journal, those of its subagents, and saved outputs. Nothing but `emptyTrash` deletes any. */

import { t } from '../../protocol/language.ts';
import { SpokenError } from '../base/errors.ts';
export interface SessionStore {
  /** Newest first. Folders that cannot be read are left out and left alone. */
  list(): Promise<readonly StoredSession[]>;
  /** The journal's lines; a torn last line is dropped. Fails when there is no such session. */
  readJournal(sessionId: string): Promise<readonly string[]>;
  /** The same from a byte on, where a line begins, a piece at a time, for who keeps little of it. */
  scanJournal(sessionId: string, from: number): AsyncIterable<JournalPiece>;
  /**
   * Opens for appending, makes the folder if there is none, and repairs a torn last line. Until it is closed no other
   * process can: there it rejects with `SessionInUse`.
   */
  openJournal(sessionId: string): Promise<Journal>;
  /** The same for a session that is there: fails when there is none, and makes nothing. */
  reopenJournal(sessionId: string): Promise<Journal>;
  /**
   * Opens the journal of the subagent that this call sent out, beside the session's own, which must be open here. It
   * keeps the same promises.
   */
  openAgentJournal(sessionId: string, callId: string): Promise<Journal>;
  /** Its lines, as `scanJournal` gives them; none when there is no such journal. */
  scanAgentJournal(sessionId: string, callId: string): AsyncIterable<JournalPiece>;
  /**
   * Keeps the whole of a cut output, with secrets of known formats masked, or the bytes of a picture; returns its
   * absolute path. The same name gives the same path.
   */
  saveOutput(sessionId: string, name: string, content: string | Uint8Array): Promise<string>;
  /** Makes nothing before the first text comes. The same name leads to the same text. */
  keepOutput(sessionId: string, name: string): RunningOutput;
  /** Reads output that an earlier run kept and did not discard; `undefined`: there is none. */
  readCallOutput(sessionId: string, name: string): Promise<OutputText | undefined>;
  /** The folder of saved outputs, absolute. The model may read there. */
  outputsFolder(sessionId: string): string;
  /** The folder of plans, absolute; made with the first one. The model may read there, the user edits there. */
  plansFolder(sessionId: string): string;
  /** Puts it into the trash, dated. Rejects with `SessionInUse` while another process has its journal open. */
  remove(sessionId: string, now: number): Promise<void>;
  /** Takes it out of the trash again. Fails when it is not there. */
  bringBack(sessionId: string): Promise<void>;
  /** Deletes for good what was put into the trash before this time. */
  emptyTrash(before: number): Promise<void>;
  /** Reads the newest text that any window gave to `writeIndex`; `undefined` when it is not there or cannot be read. */
  readIndex(of: IndexName): Promise<string | undefined>;
  /** Whole or not at all. */
  writeIndex(of: IndexName, text: string): Promise<void>;
}

/** Caches of what the journals say: summaries for the list, and sums for the statistics. */
export type IndexName = 'sessions' | 'statistics';

export interface StoredSession {
  readonly sessionId: string;
  /** When the journal's file last changed, milliseconds since the Unix epoch. */
  readonly changedAt: number;
  /** The journal's size in bytes. */
  readonly size: number;
}

export interface JournalPiece {
  readonly lines: readonly string[];
  /** Bytes of the journal before these lines. For the first piece it is 0 where no line began at the wanted place. */
  readonly start: number;
  /** Bytes of the journal up to the end of these lines. */
  readonly end: number;
}

export interface Journal {
  /**
   * In order, whole lines. When it returns, the system has the line, so that a kill of the host cannot lose it. A
   * line that the system refuses waits, with all that come after it, until a flush can write it. Throws only once it
   * is closed.
   */
  append(line: string): void;
  /** Characters that wait; 0: all is well. */
  readonly waiting: number;
  /** Everything appended so far is on the disk. Tries again what waits, and fails if it still cannot be written. */
  flush(): Promise<void>;
  /** Flushes, then closes, also when the flush fails. */
  close(): Promise<void>;
}

/** The output of a call while it runs; its newest part stays, at most some megabyte. */
export interface RunningOutput {
  /**
   * When it returns, the system has the text, so that a kill of the host cannot lose it. Never throws: what the disk
   * refuses is not kept.
   */
  append(text: string): void;
  /** Deletes it, also what an earlier run kept. Never throws. */
  discard(): void;
}

/** The part that is left of the output of a call that ran. */
export interface OutputText {
  readonly text: string;
  /** False: what came before it may be gone. */
  readonly isWhole: boolean;
}

/** Another window, or another run of the headless entry, writes this session. */
export class SessionInUse extends SpokenError {
  constructor() {
    super(() => t('This session is open in another window. Continue there, or close it there first.'));
    this.name = 'SessionInUse';
  }
}

/** Kept bytes, named by their content. The newest are kept longest; the oldest go when space runs out. */
export interface BlobStore {
  /** Keeps the bytes, durably once resolved. The id is the SHA-256 in hexadecimal. */
  put(bytes: Uint8Array): Promise<string>;
  /** `undefined` when they are not kept (any more). */
  get(id: string): Promise<Uint8Array | undefined>;
}

/** One text that belongs to a workspace and that several processes change. */
export interface SharedText {
  /** Names the file; `undefined`: no folder is open, so there is none. */
  readonly path: string | undefined;
  /** `undefined`: nothing was written yet. */
  read(): Promise<string | undefined>;
  /**
   * Replaces the text whole or not at all, one process after the other. Where `turn` gives `undefined` it stays. Rejects
   * while another process holds it for too long.
   */
  change(turn: (text: string | undefined) => string | undefined): Promise<void>;
}
