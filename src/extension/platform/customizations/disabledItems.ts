/** Items and extensions that the user disabled, by name. */
export interface DisabledItems {
  /** Returns the disabled names as of now. */
  listDisabled(): readonly string[];
  /** Applies to this workspace, or everywhere if none is open. Rejects if it cannot be saved. */
  set(names: readonly string[], to: 'on' | 'off'): Promise<void>;
  /** Returns a sentence on each source that names items but is not authorized to disable them. */
  problems(): readonly string[];
}
