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

export interface ContentNames {
  /** The name that Git's index would have for the file as it stands on the disk; `undefined`: nobody can say. */
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
