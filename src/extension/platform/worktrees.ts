/** A Git worktree of one session, separate from the user's working tree. */
export interface Worktree {
  /** Name of its folder, unique in the repository. */
  readonly name: string;
  /** Absolute and real: the root of its files. */
  readonly path: string;
  /** Absolute and real: the root of the working tree that it was created from. */
  readonly home: string;
  /** The commit that it started from. */
  readonly base: string;
}

/** Initial state of a worktree. `seen`: the files as they are, including uncommitted and untracked ones. */
export type WorktreeStart =
  | { readonly kind: 'head' }
  | { readonly kind: 'seen' }
  /** A branch, tag or commit. */
  | { readonly kind: 'ref'; readonly ref: string };

export interface WorktreeRequest {
  /** Absolute, inside a repository's working tree. */
  readonly folder: string;
  readonly name: string;
  readonly start: WorktreeStart;
  /** Files to copy from the user's working tree, relative to its root, with `/`. */
  readonly copies: readonly string[];
}

/** A worktree as Git lists it. */
export interface ListedWorktree {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Absent if Git does not know it: left by a crash, or pruned. */
  readonly commit?: string;
  /** Absent if none is checked out. */
  readonly branch?: string;
  /** True if its folder exists. */
  readonly isThere: boolean;
}

export type MergedText =
  | { readonly kind: 'clean'; readonly bytes: Uint8Array }
  /** `marked`: the text with conflict markers that name both sides; absent if one of them is binary. */
  | { readonly kind: 'conflict'; readonly marked?: Uint8Array };

/** Stored with Git's record of a worktree, and deleted with it. */
export interface WorktreeMetadata {
  /** The branch that was last made of it. */
  readonly branch?: string | undefined;
  /** The last commit of that branch. */
  readonly commit?: string | undefined;
  /** Where its remote offers to open a pull request. */
  readonly address?: string | undefined;
}

/** Work in a worktree that is on no branch. */
export interface UnbranchedWork {
  /** True if a branch has the present files. */
  readonly isOnBranch: boolean;
  /** Subjects of its commits that are on no branch, newest first. */
  readonly commits: readonly string[];
}

export interface BranchRequest {
  readonly name: string;
  /** Message for files that were uncommitted when the worktree started. */
  readonly beginning: string;
  /** In order, without empty ones. Ignored if the worktree has commits of its own. */
  readonly commits: readonly CommitRequest[];
  /** Message for changes in none of these commits. */
  readonly message: string;
}

export interface CommitRequest {
  readonly message: string;
  /** Changed files with their content at that time. Ignored ones are left out. */
  readonly files: readonly FileState[];
}

/** A file at one moment. */
export interface FileState {
  /** Relative to the root of its tree, with `/`. */
  readonly path: string;
  /** `null` if it does not exist. */
  readonly bytes: Uint8Array | null;
  /** Absent on systems without that bit. */
  readonly executable?: boolean | undefined;
}

/**
 * Worktrees of sessions. Never touches index, stash and files of the user's working tree, and runs no hook of the
 * repository. Methods reject with a `LocalizedError` that has Git's reason, and with the signal's reason on abort.
 */
export interface Worktrees {
  /** Returns ignored files that match patterns in the root's `.worktreeinclude`, relative to the root, with `/`. */
  listIncluded(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** All or nothing. Rejects if the name is taken, or there is no repository. */
  create(request: WorktreeRequest, signal: AbortSignal): Promise<Worktree>;
  /**
   * Provides existing, ignored folders of the user's working tree: as copy-on-write copies if the file system supports
   * them, else as folders of links to the original.
   * @param folders relative to the root, with `/`
   * @returns the folders that Git does not ignore, which are left out
   */
  share(worktree: Worktree, folders: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Returns the first of ten ports reserved for the worktree while it exists. They are free when chosen. */
  portBase(worktree: Pick<Worktree, 'path'>): Promise<number>;
  /** Returns the session worktrees of the folder's repository, and folders of those that Git has lost. */
  list(folder: string, signal: AbortSignal): Promise<readonly ListedWorktree[]>;
  /**
   * Returns a session's worktree ready for work. If Git has lost it, recreates its record on the commit that was last
   * brought home, and keeps its files. Rejects if there is none of the name, or no files.
   */
  repair(folder: string, name: string, signal: AbortSignal): Promise<Worktree>;
  /** Removes its files and its record, whatever it contains. Keeps branches. Does nothing if it is gone. */
  remove(worktree: Pick<Worktree, 'path' | 'home'>, signal: AbortSignal): Promise<void>;
  /**
   * Makes a branch of commits in the user's name. The newest has the worktree's present files. Continues an existing
   * branch. Rejects if that has other work or is checked out, or if Git has no user name.
   *
   * @returns the newest commit, and the number of new ones
   */
  makeBranch(
    worktree: Worktree,
    branch: BranchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly commit: string; readonly count: number }>;
  readNotes(worktree: Pick<Worktree, 'path'>, signal: AbortSignal): Promise<WorktreeMetadata>;
  /** Merges into existing notes. */
  addNotes(worktree: Pick<Worktree, 'path'>, notes: WorktreeMetadata, signal: AbortSignal): Promise<void>;
  /** Returns names and addresses. */
  listRemotes(
    worktree: Pick<Worktree, 'path'>,
    signal: AbortSignal,
  ): Promise<readonly { readonly name: string; readonly url: string }[]>;
  findUnbranchedWork(worktree: Worktree, signal: AbortSignal): Promise<UnbranchedWork>;
  /** Returns the commit with each file as it was last brought home, or at the start. */
  readTransferBase(worktree: Worktree, signal: AbortSignal): Promise<string>;
  /** Records these contents as brought home, whatever the worktree contains by now. */
  markTransferred(worktree: Worktree, files: readonly FileState[], signal: AbortSignal): Promise<void>;
  /** Restores the record to the commit that `readBrought` returned. */
  resetTransferBase(worktree: Worktree, commit: string, signal: AbortSignal): Promise<void>;
  /** Merges two texts with a common ancestor. */
  merge(
    texts: { readonly base: Uint8Array; readonly mine: Uint8Array; readonly theirs: Uint8Array },
    /** Names of the sides, for conflict markers. */
    sides: { readonly mine: string; readonly theirs: string },
    signal: AbortSignal,
  ): Promise<MergedText>;
}
