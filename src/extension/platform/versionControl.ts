/** Version control of a folder's files. Read only. Rejects on abort. */
export interface VersionControl {
  /**
   * Returns files below the folder that differ from a commit, and untracked ones that are not ignored. `undefined` if
   * the folder is not under version control, too many differ, or there was no answer in time.
   * @param since the commit; `null` for before the first one; defaults to the one that is checked out
   */
  changedFiles(folder: string, signal: AbortSignal, since?: string | null): Promise<ChangedFiles | undefined>;
  /**
   * Returns committed contents as in a fresh checkout, by their names. Leaves out unavailable ones.
   * @param committed from `ChangedFile`s of this folder
   */
  readCommitted(
    folder: string,
    committed: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface ChangedFiles {
  /** The commit that is checked out; `null` if there is none yet. */
  readonly commit: string | null;
  /** Set if an index replaces commits, so that nobody can check out another one. */
  readonly isIndex?: true;
  readonly files: readonly ChangedFile[];
}

/** Never a submodule or a folder. */
export interface ChangedFile {
  /** Absolute, real. */
  readonly path: string;
  /** Names the committed content for `readCommitted`; `null` if the commit does not have the file. */
  readonly committed: string | null;
  /** True if the committed file is executable; absent if unknown or not stored. */
  readonly executable?: boolean;
  /** Set for a committed symbolic link, whose content is its target. */
  readonly isLink?: boolean;
}

/** A file's content in Git. */
export interface GitEntry {
  /** In octal digits. */
  readonly mode: string;
  /** Git's object id of the content. */
  readonly blob: string;
  /** Names the content for `readCommitted`; `undefined` during a merge conflict. */
  readonly content: string | undefined;
}

/** Git's present contents of a file; `null` if it has none. */
export interface GitEntries {
  readonly index: GitEntry | null;
  /** In the commit that is checked out. */
  readonly commit: GitEntry | null;
}

/** The staged files and their committed versions. Read only. */
export interface StagingArea extends Pick<VersionControl, 'readCommitted'> {
  /**
   * Returns the entries by path. Rejects with a sentence if Git does not answer.
   * @param root of the repository
   * @param paths absolute, real
   */
  readEntries(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, GitEntries>>;
  /** Returns the object id that the file would get in the index; `undefined` if unknown. */
  readObjectId(path: string): Promise<string | undefined>;
}

/** The working tree's changes since the commit that is checked out. Read only. */
export interface WorkingDiff {
  /**
   * Returns a unified diff of the files below the folder, with paths relative to it, and the names of untracked files
   * that are not ignored; `undefined` if the folder is not under version control. Rejects with a sentence on failure,
   * with the signal's reason on abort.
   */
  readDiff(
    folder: string,
    signal: AbortSignal,
  ): Promise<{ readonly diff: string; readonly untracked: readonly string[] } | undefined>;
}
