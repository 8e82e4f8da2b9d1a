/** Sessions on disk: one folder each, with the journal and saved outputs. */
export interface SessionStore {
  /** Newest first. Folders that cannot be read are left out and left alone. */
  list(): Promise<readonly StoredSession[]>;
  /** The journal's lines; a torn last line is dropped. Fails when there is no such session. */
  readJournal(sessionId: string): Promise<readonly string[]>;
  /** Opens for appending, makes the folder if there is none, and repairs a torn last line. */
  openJournal(sessionId: string): Promise<Journal>;
  /**
   * Keeps the whole of a cut output, with secrets of known formats masked; returns its absolute path. The same name
   * gives the same path.
   */
  saveOutput(sessionId: string, name: string, text: string): Promise<string>;
  /** The folder of saved outputs, absolute. The model may read there. */
  outputsFolder(sessionId: string): string;
  /** The folder of plans, absolute; made with the first one. The model may read there, the person edits there. */
  plansFolder(sessionId: string): string;
}

export interface StoredSession {
  readonly sessionId: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
}

export interface Journal {
  /** In order, whole lines. Returns at once; `flush` waits and fails if any append failed. */
  append(line: string): void;
  /** Everything appended so far is on the disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
