/**
 * Finds files and text below a folder. Honours ignore files (.gitignore, .geminiignore, Git's own excludes) unless told
 * otherwise. Never searches `.git` or symlinks that lead out of the folder. Rejects with the signal's reason.
 */
export interface Search {
  /** Absolute paths of files, in no particular order. */
  findFiles(query: FileQuery, signal: AbortSignal): Promise<FileMatches>;
  findText(query: TextQuery, signal: AbortSignal): Promise<TextMatches>;
  /** Returns the current ignore rules of searches below an absolute folder. */
  readIgnoreRules(folder: string, choice?: IgnoreOptions): Promise<IgnoreRules>;
}

export interface RuleStamps {
  /** Changes with the ignore files that apply to an absolute folder, except those in subfolders. */
  stampRules(folder: string): Promise<string>;
}

/** The ignore files to apply. A member that is absent applies. */
export interface IgnoreOptions {
  /** `.gitignore`, the repository's `info/exclude` and the user's `core.excludesFile`. */
  readonly git?: boolean;
  readonly gemini?: boolean;
}

export interface IgnoreRules {
  /**
   * Returns the ignore file that excludes a path or one of its parent folders below these rules' folder: as in Git,
   * nothing below an excluded folder is included again.
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
  /** Globs of files to include and exclude. */
  readonly include?: string;
  readonly exclude?: readonly string[];
  /** A regular expression. Drops lines that match. */
  readonly excludeLines?: string;
  /** Also searches ignored files, except those that ignore files keep from agents. */
  readonly noIgnore?: boolean;
  /** If `false`, `noIgnore` searches those, too. */
  readonly respectGeminiIgnore?: boolean;
  /** Lines of context. */
  readonly before?: number;
  readonly after?: number;
  readonly maxPerFile?: number;
  /** Stops after this many matching lines. */
  readonly maxTotal: number;
}

export interface TextMatches {
  readonly files: readonly FileTextMatches[];
  /** Matching lines in `files`. */
  readonly total: number;
  /** True if there were more. */
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

/** The query itself is invalid, such as its regular expression. The message says how. */
export class SearchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SearchError';
  }
}
