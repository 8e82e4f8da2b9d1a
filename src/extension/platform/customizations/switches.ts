/** Things and extensions that the user switched off, by name. */
export interface Switches {
  /** As it is now. */
  off(): readonly string[];
  /** In this workspace, or everywhere where none is open. Rejects when it cannot be kept. */
  set(names: readonly string[], to: 'on' | 'off'): Promise<void>;
  /** A sentence about what names things and has no say. */
  problems(): readonly string[];
}
