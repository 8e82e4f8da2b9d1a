/*
 * Where a session works: in the workspace; in its own Git worktree; or in the workspace with its commands in a
 * container.
 */

/** A worktree as recorded in the journal. */
export interface Worktree {
  /** Unique in its repository. */
  readonly name: string;
  /** Root of its files, absolute, with links resolved. */
  readonly path: string;
  /** Root of the working tree that it was made from, absolute, with links resolved. */
  readonly home: string;
  /** Commit that it began with. */
  readonly base: string;
}

/** Container for the commands of a session. Files are those of the workspace. */
export interface Container {
  /** Absolute path of the first workspace folder in the container. */
  readonly inside: string;
}

/** A place other than the workspace alone. */
export type IsolatedPlace = Worktree | Container;

/** A change of the commit with the changes that count as brought home. `before`: the commit until then. */
export interface BaseChange {
  readonly seq: number;
  readonly callId: string;
  readonly before: string;
}

/** An external agent that drives a session. */
export interface Driver {
  /** Name in the setting. */
  readonly name: string;
  /** The agent's own id of the session. Absent: none continues this conversation. */
  readonly session?: string | undefined;
  /** Absent: not yet received. */
  readonly options?: readonly DriverOption[] | undefined;
}

/** An option of a driver, with the driver's texts. */
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
  /** Absent: Folio's own agent drives the session. */
  readonly driver?: Driver | undefined;
  /** Absolute. Commands run in the first. */
  readonly folders: readonly string[];
  /** Absent: commands run outside containers. */
  readonly container?: Container | undefined;
  /** `workspace`: folders of the workspace that the session belongs to. Absent: it works in these. */
  readonly worktree?: Worktree & {
    readonly workspace: readonly string[];
    /** Oldest first, for rewinds. Absent: none. */
    readonly baseChanges?: readonly BaseChange[];
    /** Counts of files that are neither at home nor on a branch. Absent: unknown, since a file was written since. */
    readonly settled?: { readonly left: number; readonly conflicts: number } | undefined;
  };
}

/** Returns the folders of the workspace that a session belongs to, also while it works in a worktree. */
export function workspaceFoldersOf({ folders, worktree }: SessionPlace): readonly string[] {
  return worktree?.workspace ?? folders;
}

export function isContainer(place: IsolatedPlace | undefined): place is Container {
  return place !== undefined && 'inside' in place;
}
