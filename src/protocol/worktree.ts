/* Where a session works: in the folders of the workspace, or in a worktree, a working tree of its own beside them. */

/** As the journal names it. */
export interface Worktree {
  /** Unique in its repository. */
  readonly name: string;
  /** Absolute and real: the root of its files. */
  readonly path: string;
  /** Absolute and real: the root of the working tree that it was made from. */
  readonly home: string;
  /** The commit that it began with. */
  readonly base: string;
}

export interface SessionPlace {
  /** Absolute, the first is where commands run. */
  readonly folders: readonly string[];
  /** `workspace`: the folders of the workspace that the session belongs to. Absent: it works in these. */
  readonly worktree?: Worktree & { readonly workspace: readonly string[] };
}

/** The folders of the workspace that a session belongs to, wherever it works. */
export function workspaceOf({ folders, worktree }: SessionPlace): readonly string[] {
  return worktree?.workspace ?? folders;
}

/** @param worktree absent: the session works in its workspace again */
export function moveTo(
  place: SessionPlace,
  folders: readonly string[],
  worktree: Worktree | undefined,
): SessionPlace {
  return { folders, worktree: worktree && { ...worktree, workspace: workspaceOf(place) } };
}
