/** A working tree of its own for one session, beside the one that the user works in. */
export interface Worktree {
  /** Its folder's name, unique among those of the repository. */
  readonly name: string;
  /** Absolute and real: the root of its files. */
  readonly path: string;
  /** Absolute and real: the root of the working tree that it was made from. */
  readonly home: string;
  /** The commit that it began with. */
  readonly base: string;
}

/** The state that a worktree begins with; `seen`: the files as they stand, uncommitted and untracked ones included. */
export type WorktreeStart =
  | { readonly kind: 'head' }
  | { readonly kind: 'seen' }
  /** A branch, tag or commit. */
  | { readonly kind: 'ref'; readonly ref: string };

export interface WorktreeRequest {
  /** Absolute, inside of a repository's working tree. */
  readonly folder: string;
  readonly name: string;
  readonly start: WorktreeStart;
  /** Files of the user's working tree to be copied, relative to its root, with `/`. */
  readonly copies: readonly string[];
}

/** A worktree as Git lists it. */
export interface ListedWorktree {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Absent: Git does not know it; a crash left it, or its record was pruned. */
  readonly commit?: string;
  /** Absent: none is checked out. */
  readonly branch?: string;
  /** Its folder is there. */
  readonly isThere: boolean;
}

export type MergedText =
  | { readonly kind: 'clean'; readonly bytes: Uint8Array }
  | { readonly kind: 'conflict' };

/**
 * Worktrees of sessions. Index, stash and files of the user's own working tree stay as they are, and no hook of the
 * repository runs. Methods reject with a `SpokenError` that has Git's reason, and with the signal's reason on abort.
 */
export interface Worktrees {
  /** Ignored files that `.worktreeinclude` in the root names by patterns, relative to the root, with `/`. */
  listIncluded(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** All or nothing. Rejects when the name is taken, and where there is no repository. */
  create(request: WorktreeRequest, signal: AbortSignal): Promise<Worktree>;
  /**
   * Gives it folders of its home, each that is there and that Git ignores: as copies that share their blocks with the
   * original where the file system has such, else as folders of links into the original.
   * @param folders relative to the root, with `/`
   * @returns those that Git does not ignore, which it does not get
   */
  share(worktree: Worktree, folders: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** The first of ten ports that are the worktree's own while it lives; free when they are chosen. */
  portBase(worktree: Pick<Worktree, 'path'>): Promise<number>;
  /** Those of the folder's repository that sessions made, and folders of such that Git has lost. */
  list(folder: string, signal: AbortSignal): Promise<readonly ListedWorktree[]>;
  /**
   * One that a session made, as it can be worked in: where Git has lost it, its record is made again on the commit that
   * it was brought home last, and its files stay as they are. Rejects where there is none of the name, or no files.
   */
  repair(folder: string, name: string, signal: AbortSignal): Promise<Worktree>;
  /** Removes its files and its record, whatever it holds. Branches stay. Nothing happens when it is gone. */
  remove(worktree: Pick<Worktree, 'path' | 'home'>, signal: AbortSignal): Promise<void>;
  /** Makes a branch whose newest commit holds the worktree's files as they stand. Rejects when the branch exists. */
  makeBranch(
    worktree: Worktree,
    branch: { readonly name: string; readonly message: string },
    signal: AbortSignal,
  ): Promise<{ readonly commit: string }>;
  /** The commit that holds each file as it was when it was brought home last, or at the beginning. */
  readBrought(worktree: Worktree, signal: AbortSignal): Promise<string>;
  /**
   * These files count as brought home as they stand now.
   * @param paths relative to the worktree, with `/`; deleted ones, too
   */
  markBrought(worktree: Worktree, paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** Joins two texts that grew out of one. */
  merge(
    texts: { readonly base: Uint8Array; readonly mine: Uint8Array; readonly theirs: Uint8Array },
    signal: AbortSignal,
  ): Promise<MergedText>;
}
