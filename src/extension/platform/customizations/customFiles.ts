/*
 * Files that customize Folio for a user or workspace, or come from an extension: commands, agents, skills, servers,
 * tools.
 */

export interface CustomFiles {
  /**
   * Returns all files, the least important first: extensions', the user's, the workspace's. Does not even read the
   * workspace's unless it is trusted. An unreadable file has a `problem`. Never rejects.
   */
  read(trusted: boolean): Promise<readonly CustomFile[]>;
  /**
   * Returns one digest over the workspace files that a command line names; empty if it names none. Detects that a
   * server's program changed while its entry did not. Never rejects.
   * @param command by words; a line of it may also be a path as a whole
   * @param cwd where it runs, as the entry names it
   */
  digest(command: string, cwd?: string): Promise<string>;
}

export interface CustomFile {
  readonly kind: CustomFileKind;
  /** Absolute. */
  readonly path: string;
  /** Path below the folder of such files, with slashes and without the ending: `git/commit`. */
  readonly name: string;
  readonly origin: CustomOrigin;
  /** Empty for settings, servers and manifests. */
  readonly text: string;
  /** Parsed content of settings, servers and manifests; anything. */
  readonly content?: unknown;
  /** Why the file cannot be used, one sentence. Text and content are then empty. */
  readonly problem?: string;
}

/**
 * `toml`, `markdown`: commands. `settings`: a `settings.json` with servers and tools. `servers`: VS Code's `mcp.json`.
 * `manifest`: a `gemini-extension.json`.
 */
export type CustomFileKind = 'toml' | 'markdown' | 'agent' | 'skill' | 'settings' | 'servers' | 'manifest';

export type CustomOrigin =
  | { readonly kind: 'person' }
  /**
   * `extension`: the user linked an extension to a folder of the workspace. Its files still count as the workspace's.
   */
  | { readonly kind: 'workspace'; readonly extension?: ExtensionLocation }
  /** Installed by the user. */
  | ({ readonly kind: 'extension' } & ExtensionLocation);

export interface ExtensionLocation {
  /** Name of the folder it was installed in. */
  readonly name: string;
  /** Absolute path of its files; for a linked extension, the folder that it is linked to. */
  readonly folder: string;
  /** Absolute path it was installed at, if its files are elsewhere. */
  readonly linkedFrom?: string;
  /** True if the user disabled it here. */
  readonly isOff?: boolean;
  /** Time of the installation. Another time means that programs of the same name may differ. */
  readonly installedAt?: number;
}

export function extensionOf(origin: CustomOrigin): ExtensionLocation | undefined {
  if (origin.kind === 'extension') return origin;
  return origin.kind === 'workspace' ? origin.extension : undefined;
}
