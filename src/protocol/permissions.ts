/* Permissions of the agent: choices of asks, and rules in force. */

/** How long and where a permission holds. */
export type PermissionScope = 'session' | 'workspace' | 'user';

/** A lasting permission that an ask offers. */
export interface AlwaysChoice {
  readonly id: string;
  /** `once`: another way to allow only this call. */
  readonly scope: PermissionScope | 'once';
  /** Label of the button: `Always run npm test *`. */
  readonly label: string;
}

/** One command of a command line, as the ask card lists it. */
export interface AskedCommand {
  /** As written, with invisible characters escaped. */
  readonly text: string;
  readonly verdict: 'reads' | 'unknown' | 'dangerous';
  /** One sentence with the reason. */
  readonly reason: string;
}

/** One rule in force, for "Show Permissions". */
export interface Permission {
  readonly id: string;
  readonly decision: 'allow' | 'ask' | 'deny';
  /** For example `Commands that start with npm test`. */
  readonly subject: string;
  /** Source: `You, in this session`, or `.gemini/policies/team.toml, line 12`. */
  readonly origin: string;
  readonly tier: 'default' | 'extension' | 'workspace' | 'user' | 'admin' | 'session';
  /** Absolute path of its file. */
  readonly file?: string;
  readonly line?: number;
  /** True if Folio wrote the rule and can remove it. */
  readonly removable: boolean;
  /** Modes in which it applies. Absent: all. */
  readonly modes?: readonly string[];
}
