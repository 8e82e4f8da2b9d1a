/** Time, ids and randomness, so that tests can control them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` once after `ms`. Returns a function that cancels it. */
  after(ms: number, ring: () => void): () => void;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  /** Unique at least within a session, URL-safe. */
  newId(): string;
}
