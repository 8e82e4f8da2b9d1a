/** Tests that extensions offer through the editor, which runs them as it does for the user. */
export interface EditorTests {
  /** An extension has found tests. It changes only in `settle`. */
  readonly isThere: boolean;
  /** At the start of a turn. Never rejects. */
  settle(): Promise<void>;
  /** Each test of a file by its names, outermost first; empty: the editor knows none there. Never rejects. */
  list(path: string): Promise<readonly (readonly string[])[]>;
  /**
   * Runs the tests of a file or below a folder to their end. `undefined`: the editor knows none there. An abort stops
   * the run and rejects with the signal's reason.
   */
  run(path: string, signal: AbortSignal): Promise<readonly TestOutcome[] | undefined>;
}

/** How one test ended. */
export interface TestOutcome {
  /** Its own name and those around it, outermost first, as its runner writes them. */
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** The assertion that failed, with what it expected and what it got. */
  readonly message?: string;
  /** Where it failed, or where the test is. */
  readonly place?: TestPlace;
}

export interface TestPlace {
  /** As the runner writes it: absolute, or relative to the folder of the run. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}
