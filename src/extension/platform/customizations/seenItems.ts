/**
 * A user's decisions on customizations of a workspace, by fingerprint. Only `core/consent` uses it. A fingerprint
 * covers location and content, so a changed item is a new one. `isSeen` never rejects: it returns false if the lookup
 * fails.
 */
export interface SeenItems {
  isSeen(fingerprint: string): Promise<boolean>;
  markSeen(fingerprints: readonly string[]): Promise<void>;
  /** Removes the marks. Ignores fingerprints without one. */
  forget(fingerprints: readonly string[]): Promise<void>;
}
