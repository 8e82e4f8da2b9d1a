/**
 * State of a window besides files. `undefined` means that nobody could know (no window, no language tool). Rejects only
 * with the signal's reason.
 */
export interface Workbench {
  /** Returns symbols with names similar to the query, best first. Their lines may cover only the name. */
  findSymbols(query: string, signal: AbortSignal): Promise<readonly SymbolLocation[] | undefined>;
  /** Returns symbols of exactly this name, with all their lines. */
  findDefinitions(name: string, signal: AbortSignal): Promise<readonly SymbolLocation[] | undefined>;
  /** Returns problems of the workspace: visible files first, then open ones, then the others. */
  listProblems(): readonly FileProblem[] | undefined;
  /** Returns the latest command of the visible terminal, else of any. */
  lastCommand(): TerminalCommand | undefined;
}

export interface SymbolLocation {
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
  /** Without escape codes; of a long output, head and tail. */
  readonly output: string;
  /** `undefined` if it still runs, or the code is unknown. */
  readonly exitCode?: number;
  readonly running: boolean;
}
