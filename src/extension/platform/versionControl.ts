/** What version control knows of a folder's files. Never changes anything in it. */
export interface VersionControl {
  /**
   * Files that differ from what was committed last, and untracked ones that are not ignored. `undefined` when the
   * folder is not under version control, or it did not answer in time.
   */
  changedFiles(folder: string, signal: AbortSignal): Promise<readonly ChangedFile[] | undefined>;
  /** What the index holds of a file, as it stands in a fresh checkout; `undefined` when it holds none. */
  readIndexed(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
}

export interface ChangedFile {
  /** Absolute, real. */
  readonly path: string;
  readonly tracked: boolean;
}
