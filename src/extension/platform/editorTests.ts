/** Tests that other extensions provide through VS Code's test API. The editor runs them as for the user. */
export interface EditorTests {
  /** True if an extension has found tests. Changes only in `settle`. */
  readonly isAvailable: boolean;
  /** Called at the start of a turn. Never rejects. */
  settle(): Promise<void>;
  /** Returns each test of a file by its names, outermost first; empty if the editor knows none. Never rejects. */
  list(path: string): Promise<readonly (readonly string[])[]>;
  /**
   * Runs the tests of a file or folder to their end. `undefined` if the editor knows none there. An abort stops the run
   * and rejects with the signal's reason.
   */
  run(path: string, signal: AbortSignal): Promise<readonly TestOutcome[] | undefined>;
}

export interface TestOutcome {
  /** Its name after those of its suites, outermost first, as its runner writes them. */
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  /** The failed assertion with expected and actual value. */
  readonly message?: string;
  /** Location of the failure, else of the test. */
  readonly place?: TestLocation;
}

export interface TestLocation {
  /** As the runner writes it: absolute, or relative to the folder of the run. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}
