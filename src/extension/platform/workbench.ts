/**
 * Knowledge of a window beside files. `undefined`: nobody could know it (no window, no language tool). Rejects with
 * the signal's reason on abort, and never for want of an answer.
 */
export interface Workbench {
  /** Symbols whose name is like the query, best first; their lines may cover the name alone. */
  findSymbols(query: string, signal: AbortSignal): Promise<readonly SymbolPlace[] | undefined>;
  /** Symbols of exactly this name, with all their lines. */
  findDefinitions(name: string, signal: AbortSignal): Promise<readonly SymbolPlace[] | undefined>;
  /** Problems of the open workspace: files that the user sees first, then open ones, then the others. */
  listProblems(): readonly FileProblem[] | undefined;
  /** The newest command of the terminal that the user views, or else of any. */
  lastCommand(): TerminalCommand | undefined;
}

export interface SymbolPlace {
  readonly name: string;
  /** `Class`, `Function`. */
  readonly kind: string;
  /** Absolute. */
  readonly path: string;
  /** From 1, both inclusive. */
  readonly first: number;
  readonly last: number;
}

export interface FileProblem {
  /** Absolute. */
  readonly path: string;
  readonly severity: 'error' | 'warning';
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly source?: string;
}

export interface TerminalCommand {
  /** Name of the terminal. */
  readonly terminal: string;
  readonly command: string;
  /** Without escape codes, bounded: of a long one head and tail. */
  readonly output: string;
  /** `undefined`: it still runs, or nobody knows. */
  readonly exitCode?: number;
  readonly running: boolean;
}
