/** A session that the user named. */
export interface SavedChat {
  readonly sessionId: string;
  readonly name: string;
  /** Time of the last activity in it, milliseconds since the Unix epoch. */
  readonly changedAt: number;
}

/** The named sessions of this workspace. Each function rejects if the file system fails. */
export interface SavedChats {
  /** Newest first. */
  list(): Promise<readonly SavedChat[]>;
  /** Copies the shown session, which must not be empty, under this name. */
  save(name: string): Promise<unknown>;
  open(chat: SavedChat): Promise<unknown>;
  /** Moves it to the trash and tells the user. */
  remove(chat: SavedChat): Promise<unknown>;
}
