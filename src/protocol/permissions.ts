/* The agent's permissions, as a user decides and reads them. */

/** How long and where a permission holds. */
export type PermissionScope = 'session' | 'workspace' | 'user';

/** A lasting answer that an ask offers. */
export interface AlwaysChoice {
  readonly id: string;
  /** `once`: another way to allow just this. */
  readonly scope: PermissionScope | 'once';
  /** The thing to allow, as the button says it: `Always run npm test`. */
  readonly label: string;
}

/** One command of a command line, as the ask card lists it. */
export interface AskedCommand {
  /** As written; invisible characters shown as escapes. */
  readonly text: string;
  readonly verdict: 'reads' | 'unknown' | 'dangerous';
  /** Why, one sentence. */
  readonly reason: string;
}

/** One rule in force, for "Show Permissions". */
export interface Permission {
  readonly id: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The subject: `Commands that start with npm test`. */
  readonly subject: string;
  /** Where it comes from: `You, in this session`, `.gemini/policies/team.toml, line 12`. */
  readonly origin: string;
  readonly tier: 'default' | 'extension' | 'workspace' | 'user' | 'admin' | 'session';
  /** Absolute; where it can be read. */
  readonly file?: string;
  readonly line?: number;
  /** Folio wrote it and can take it back. */
  readonly removable: boolean;
  /** Modes it holds in; absent: all. */
  readonly modes?: readonly string[];
}
