/** A session that the user gave a name. */
export interface SavedChat {
  readonly sessionId: string;
  readonly name: string;
  /** When something was last done in it, milliseconds since the Unix epoch. */
  readonly changedAt: number;
}

/** The named sessions of this workspace. Each function rejects when the disk cannot be read or written. */
export interface Chats {
  /** Newest first. */
  list(): Promise<readonly SavedChat[]>;
  /** Copies the shown session, in which something was said, under this name. */
  save(name: string): Promise<unknown>;
  open(chat: SavedChat): Promise<unknown>;
  /** Puts it into the trash, and says so. */
  remove(chat: SavedChat): Promise<unknown>;
}
