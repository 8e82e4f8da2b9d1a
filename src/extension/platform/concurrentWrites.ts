/** A write to a file while a command ran, by something other than the command. */
export interface ConcurrentWrite {
  /** Absolute and real. */
  readonly path: string;
  /** Bytes before the write; `null` if there was no file; `undefined` if unknown. */
  readonly before: Uint8Array | null | undefined;
  readonly after: Uint8Array | null;
}

/** Observed writers, such as editors of a window. */
export interface ConcurrentWrites {
  /**
   * Reports each completed write, in order. The returned function stops that. It resolves once a write in progress was
   * reported. Never rejects.
   */
  listen(heard: (write: ConcurrentWrite) => void): () => Promise<void>;
}
