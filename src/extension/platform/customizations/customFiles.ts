/* Files with what a user, a workspace or an extension adds: commands, agents, skills, servers, tools. */

export interface CustomFiles {
  /**
   * All files, the least important first: extensions', the user's own, the workspace's. A workspace's files are not
   * even read unless it is trusted. An unreadable file has a `problem`. Never rejects.
   */
  read(trusted: boolean): Promise<readonly CustomFile[]>;
  /**
   * The content of the workspace's files that a command line names, as one digest; empty when it names none: what a
   * server's entry starts may change without the entry. Never rejects.
   * @param command by words; a line of it may as a whole be a path. @param cwd where it runs, as the entry names it
   */
  digest(command: string, cwd?: string): Promise<string>;
}

export interface CustomFile {
  readonly kind: CustomFileKind;
  /** Absolute. */
  readonly path: string;
  /** Below the folder that such files are looked for in, with slashes and without the ending: `git/commit`. */
  readonly name: string;
  readonly origin: CustomOrigin;
  /** Empty for settings, servers and manifests. */
  readonly text: string;
  /** Parsed content of settings, servers and manifests; anything. */
  readonly content?: unknown;
  /** Why it cannot be used, one sentence; it has neither text nor content then. */
  readonly problem?: string;
}

/**
 * `toml` and `markdown`: commands; `settings`: a `settings.json` with servers and tools; `servers`: VS Code's
 * `mcp.json`; `manifest`: a `gemini-extension.json`.
 */
export type CustomFileKind = 'toml' | 'markdown' | 'agent' | 'skill' | 'settings' | 'servers' | 'manifest';

export type CustomOrigin =
  | { readonly kind: 'person' }
  /** `extension`: the user linked one to a folder of the workspace. Its files are the workspace's all the same. */
  | { readonly kind: 'workspace'; readonly extension?: ExtensionPlace }
  /** Installed by the user. */
  | ({ readonly kind: 'extension' } & ExtensionPlace);

export interface ExtensionPlace {
  /** The name of the folder that it was installed in. */
  readonly name: string;
  /** Absolute, where its files stand: of a linked one the folder that it was linked to. */
  readonly folder: string;
  /** Absolute: the folder that it was installed as, where that is another. */
  readonly linkedFrom?: string;
  /** The user lets it not count here. */
  readonly isOff?: boolean;
  /** When its files were put there as a whole; another time means other programs under the same names. */
  readonly installedAt?: number;
}

export function extensionOf(origin: CustomOrigin): ExtensionPlace | undefined {
  if (origin.kind === 'extension') return origin;
  return origin.kind === 'workspace' ? origin.extension : undefined;
}
