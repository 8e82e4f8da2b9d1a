/** Problems that language tools report. */
export interface Diagnostics {
  /**
   * Resolves with the known problems of the file as it stands now, and with those of other files of the workspace, to
   * compare with those after an edit. Rejects with the signal's reason on abort.
   */
  read(path: string, signal: AbortSignal): Promise<readonly Diagnostic[]>;
  /**
   * Waits until language tools have spoken about the file's present content, with a limit. `undefined`: they have
   * not, so nothing can be said. Rejects with the signal's reason on abort.
   */
  settle(path: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined>;
  /**
   * Waits until language tools have spoken about all that changed, with a limit. False: they may still be at work, so
   * what is known may be about older texts. Rejects with the signal's reason on abort.
   */
  debounce(signal: AbortSignal): Promise<boolean>;
}

/** One way to look for problems of a file that is there. Rejects with the signal's reason on abort. */
export interface FileCheck {
  check(path: string, signal: AbortSignal): Promise<readonly Diagnostic[]>;
}

/**
 * Languages whose grammar is part of Folio. That of C and C++ found errors in 317 of 500 headers and sources that are
 * right, since macros are not known to it.
 */
export type Grammar =
  | 'bash'
  | 'c-sharp'
  | 'go'
  | 'java'
  | 'javascript'
  | 'php'
  | 'powershell'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'tsx'
  | 'typescript';

export interface SyntaxErrors {
  /** Where a text does not read as one of its language. Rejects where the grammar is missing. */
  findSyntaxErrors(text: string, grammar: Grammar): Promise<readonly Diagnostic[]>;
}

export interface Diagnostic {
  /** The file as people read it, where it is another one than that which was asked about. */
  readonly path?: string;
  readonly severity: 'error' | 'warning';
  /** From 1; absent: it is about no single line of the file. */
  readonly line?: number;
  readonly message: string;
  readonly source?: string;
}
