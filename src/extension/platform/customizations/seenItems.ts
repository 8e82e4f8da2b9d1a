/**
 * A user's decisions on what a workspace brings along, by fingerprint; `core/consent` alone asks it. A fingerprint
 * says where a thing stands and what it holds, so that a changed one is a new one. `isSeen` never rejects: a
 * fingerprint that cannot be looked up has not been seen.
 */
export interface SeenItems {
  isSeen(fingerprint: string): Promise<boolean>;
  markSeen(fingerprints: readonly string[]): Promise<void>;
  /** Takes that back; what was never marked stays so. */
  forget(fingerprints: readonly string[]): Promise<void>;
}
