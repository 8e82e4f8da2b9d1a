/** Version control over a folder's files. Never changes anything in it. Abort rejects. */
export interface VersionControl {
  /**
   * Files below the folder that differ from a commit, and untracked ones that are not ignored. `undefined` when the
   * folder is not under version control, when too many differ, or when there was no answer in time.
   * @param since the commit; `null`: before the first one. Left out, it is the one that is checked out.
   */
  changedFiles(folder: string, signal: AbortSignal, since?: string | null): Promise<ChangedFiles | undefined>;
  /**
   * Committed contents as they stand in a fresh checkout, by what names them. What cannot be had is left out.
   * @param committed from `ChangedFile`s of this folder
   */
  readCommitted(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface ChangedFiles {
  /** The commit that is checked out; `null`: there is none yet. */
  readonly commit: string | null;
  /** It is an index that stands in the place of commits, so nobody can check out another one. */
  readonly isIndex?: true;
  readonly files: readonly ChangedFile[];
}

/** Never a submodule or a folder. */
export interface ChangedFile {
  /** Absolute, real. */
  readonly path: string;
  /** Names what the commit holds of it, for `readCommitted`; `null`: the commit does not hold it. */
  readonly committed: string | null;
  /** The commit holds it as a file to be run; absent where that is not known, or not kept. */
  readonly executable?: boolean;
  /** The commit holds it as a symbolic link, whose content is where it leads. */
  readonly isLink?: boolean;
}

/** A content that Git keeps for a file. */
export interface GitEntry {
  /** In octal digits. */
  readonly mode: string;
  /** Git's name of the content. */
  readonly blob: string;
  /** Names it for `readCommitted`; `undefined`: several contents are in conflict. */
  readonly content: string | undefined;
}

/** The contents that Git keeps for a file now; `null`: none. */
export interface GitEntries {
  readonly index: GitEntry | null;
  /** By the commit that is checked out. */
  readonly commit: GitEntry | null;
}

/** The files as they will be committed and as they were. Never changes anything in it. */
export interface StagingArea extends Pick<VersionControl, 'readCommitted'> {
  /**
   * The entries of each of the paths, by these. Rejects with a sentence when Git does not answer.
   * @param root of the repository
   * @param paths absolute, real
   */
  readEntries(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, GitEntries>>;
  /** The name that the index would have for the file as it stands on the disk; `undefined`: nobody can say. */
  readName(path: string): Promise<string | undefined>;
}

/** The working tree's changes since the commit that is checked out. Never changes anything in it. */
export interface WorkingDiff {
  /**
   * A unified diff of the files below the folder, with paths relative to it, and the names of untracked files that
   * are not ignored; `undefined` where the folder is not under version control. Rejects with a sentence when it
   * cannot be had, with the signal's reason on abort.
   */
  readDiff(
    folder: string,
    signal: AbortSignal,
  ): Promise<{ readonly diff: string; readonly untracked: readonly string[] } | undefined>;
}
