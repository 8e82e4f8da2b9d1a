/**
 * Finding files and text below a folder. Ignore files (.gitignore, .geminiignore, Git's own excludes) count unless
 * asked otherwise; `.git` and what the folder's symlinks lead out to are never searched. Rejects with the signal's
 * reason on abort.
 */
export interface Search {
  /** Absolute paths of files, in no particular order. */
  findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches>;
  findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
  /** The rules that searches below an absolute folder heed, as of now. */
  readIgnoreRules(folder: string, choice?: IgnoreChoice): Promise<IgnoreRules>;
}

export interface RuleStamps {
  /** Changes with the ignore files that hold for an absolute folder, but for those in folders below it. */
  stampRules(folder: string): Promise<string>;
}

/** The ignore files that count. A member that is absent counts. */
export interface IgnoreChoice {
  /** `.gitignore`, the repository's `info/exclude` and the user's `core.excludesFile`. */
  readonly git?: boolean;
  readonly gemini?: boolean;
}

export interface IgnoreRules {
  /**
   * The ignore file that leaves out a path, or a folder between the two that it lies in: as in Git, nothing below
   * such a folder comes back.
   * @param path absolute, below the folder of these rules
   */
  findIgnoring(path: string, kind: 'file' | 'folder'): string | undefined;
}

export interface FileQuery {
  /** Absolute. */
  readonly folder: string;
  /** Glob relative to the folder, for example `src/**` + `/*.ts`. */
  readonly pattern: string;
  readonly caseSensitive?: boolean;
  readonly respectGitIgnore?: boolean;
  readonly respectGeminiIgnore?: boolean;
  /** Globs to leave out. */
  readonly exclude?: readonly string[];
}

export interface FileMatches {
  readonly paths: readonly string[];
}

export interface TextQuery {
  /** Absolute; a folder, or one file. */
  readonly path: string;
  /** A regular expression in ripgrep's syntax, or literal text. */
  readonly pattern: string;
  readonly literal?: boolean;
  readonly caseSensitive?: boolean;
  /** Globs of files to take and to leave out. */
  readonly include?: string;
  readonly exclude?: readonly string[];
  /** A regular expression: lines that match it are dropped. */
  readonly excludeLines?: string;
  /** Also looks into what ignore files leave out, but for those that keep files from agents. */
  readonly noIgnore?: boolean;
  /** At `false`, `noIgnore` spares those neither. */
  readonly respectGeminiIgnore?: boolean;
  /** Lines of context. */
  readonly before?: number;
  readonly after?: number;
  readonly maxPerFile?: number;
  /** Searching ends once so many lines have matched. */
  readonly maxTotal: number;
}

export interface TextMatches {
  readonly files: readonly FileTextMatches[];
  /** Matching lines in `files`. */
  readonly total: number;
  /** There was more. */
  readonly limited: boolean;
}

export interface FileTextMatches {
  readonly path: string;
  readonly lines: readonly MatchLine[];
}

export interface MatchLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** The query itself is wrong (for example its regular expression); the message says how. */
export class SearchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SearchError';
  }
}
