/** Time, ids and chance, so that tests can hold them still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls once when `ms` have passed; what it returns takes that back. */
  after(ms: number, ring: () => void): () => void;
  /** From 0 up to and without 1. */
  random(): number;
  /** Unique within a session at least, URL-safe. */
  newId(): string;
}
