/*
 * Where a session works: in the folders of the workspace; in a worktree, a working tree of its own beside them; or in
 * the folders of the workspace with its commands in a container.
 */

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

/** The commands of a session run in it; its files are those of the workspace. */
export interface Container {
  /** Absolute: the first folder of the workspace, as the container sees it. */
  readonly inside: string;
}

/** Another place than the workspace alone. */
export type Elsewhere = Worktree | Container;

/** A change of what counts as brought home: `before` is the commit that held it until then. */
export interface BaseChange {
  readonly seq: number;
  readonly callId: string;
  readonly before: string;
}

/** Another program that drives a session. */
export interface Driver {
  /** As the setting names it. */
  readonly name: string;
  /** The agent's own id of the session; absent: it has none that continues this conversation. */
  readonly session?: string | undefined;
  /** Absent: it has not said yet what it offers. */
  readonly options?: readonly DriverOption[] | undefined;
}

/** Something that a driver lets the user choose, in its own words. */
export interface DriverOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'mode' | 'model' | 'effort' | 'other';
  readonly value: string;
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly hint?: string | undefined;
  }[];
}

export interface SessionPlace {
  /** Absent: Folio's own agent works. */
  readonly driver?: Driver | undefined;
  /** Absolute, the first is where commands run. */
  readonly folders: readonly string[];
  /** Absent: commands run on the user's system. */
  readonly container?: Container | undefined;
  /** `workspace`: the folders of the workspace that the session belongs to. Absent: it works in these. */
  readonly worktree?: Worktree & {
    readonly workspace: readonly string[];
    /** Oldest first, for rewinds; absent: none. */
    readonly baseChanges?: readonly BaseChange[];
    /** Files that are neither at home nor on a branch; absent: not known, since a file was written meanwhile. */
    readonly settled?: { readonly left: number; readonly conflicts: number } | undefined;
  };
}

/** The folders of the workspace that a session belongs to, wherever it works. */
export function workspaceOf({ folders, worktree }: SessionPlace): readonly string[] {
  return worktree?.workspace ?? folders;
}

export function isContainer(place: Elsewhere | undefined): place is Container {
  return place !== undefined && 'inside' in place;
}
