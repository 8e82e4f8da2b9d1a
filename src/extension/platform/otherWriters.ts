/** A write to a file that somebody else than a command made while it ran. */
export interface OtherWrite {
  /** Absolute and real. */
  readonly path: string;
  /** The bytes that it found; `null`: no file; `undefined`: nobody has seen them. */
  readonly before: Uint8Array | null | undefined;
  readonly after: Uint8Array | null;
}

/** Writers that are seen at work, as the editors of a window. */
export interface OtherWriters {
  /**
   * Reports each write once it is on the disk, in order. What it returns ends that, and resolves when a write that
   * had begun has been told of. Never rejects.
   */
  listen(heard: (write: OtherWrite) => void): () => Promise<void>;
}
