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
  /** `marked`: the text with conflict markers that name both sides; absent: one of them is binary. */
  | { readonly kind: 'conflict'; readonly marked?: Uint8Array };

/** Kept with Git's record of a worktree, and gone with it. */
export interface WorktreeNotes {
  /** The branch that was made of it last. */
  readonly branch?: string | undefined;
  /** The last commit of that branch. */
  readonly commit?: string | undefined;
  /** Where its remote offers to open a pull request. */
  readonly address?: string | undefined;
}

/** Work in a worktree that no branch has. */
export interface UnmergedWork {
  /** A branch holds the files as they stand. */
  readonly isOnBranch: boolean;
  /** Commits that were made in it and are on no branch, the newest first: their subjects. */
  readonly commits: readonly string[];
}

export interface BranchRequest {
  readonly name: string;
  /** For the files that were uncommitted as the worktree began. */
  readonly beginning: string;
  /** In order, without those that change nothing. Where the worktree has commits of its own, they stand instead. */
  readonly commits: readonly CommitRequest[];
  /** For what no commit of these has. */
  readonly message: string;
}

export interface CommitRequest {
  readonly message: string;
  /** Those that changed, as they were then; ignored ones are left out. */
  readonly files: readonly FileState[];
}

/** A file at one moment. */
export interface FileState {
  /** Relative to the root of its tree, with `/`. */
  readonly path: string;
  /** `null`: there is none. */
  readonly bytes: Uint8Array | null;
  /** Absent where files have no such bit. */
  readonly executable?: boolean | undefined;
}

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
  /**
   * Makes a branch of commits in the user's name; the newest holds the worktree's files as they stand. One that exists
   * continues. Rejects when that has other work or is checked out, and when Git knows no name of the user.
   *
   * @returns the newest commit, and how many were made
   */
  makeBranch(
    worktree: Worktree,
    branch: BranchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly commit: string; readonly count: number }>;
  readNotes(worktree: Pick<Worktree, 'path'>, signal: AbortSignal): Promise<WorktreeNotes>;
  /** Adds to what is there. */
  addNotes(worktree: Pick<Worktree, 'path'>, notes: WorktreeNotes, signal: AbortSignal): Promise<void>;
  /** Names with their addresses. */
  listRemotes(
    worktree: Pick<Worktree, 'path'>,
    signal: AbortSignal,
  ): Promise<readonly { readonly name: string; readonly url: string }[]>;
  findUnmerged(worktree: Worktree, signal: AbortSignal): Promise<UnmergedWork>;
  /** The commit that holds each file as it was when it was brought home last, or at the beginning. */
  readBrought(worktree: Worktree, signal: AbortSignal): Promise<string>;
  /** These files count as brought home as they are given, whatever stands in the worktree by now. */
  markBrought(worktree: Worktree, files: readonly FileState[], signal: AbortSignal): Promise<void>;
  /** Files count as brought home as they did when `readBrought` gave this commit. */
  takeBack(worktree: Worktree, commit: string, signal: AbortSignal): Promise<void>;
  /** Joins two texts that grew out of one. */
  merge(
    texts: { readonly base: Uint8Array; readonly mine: Uint8Array; readonly theirs: Uint8Array },
    /** Names of the sides, for conflict markers. */
    sides: { readonly mine: string; readonly theirs: string },
    signal: AbortSignal,
  ): Promise<MergedText>;
}
