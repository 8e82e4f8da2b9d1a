/** Problems that language tools report. */
export interface Diagnostics {
  /** What is known now. */
  read(path: string): readonly Diagnostic[];
  /**
   * Waits until language tools have spoken about the file's present content, with a limit. `undefined`: they have
   * not, so nothing can be said. Rejects with the signal's reason on abort.
   */
  settle(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
}

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly source?: string;
}
