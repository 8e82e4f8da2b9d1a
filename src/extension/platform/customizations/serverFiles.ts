/** 'person': `.gemini/settings.json` in the home folder. 'workspace': the one in the first folder. */
export type ServerScope = 'person' | 'workspace';

export type ServerEntries = Readonly<Record<string, unknown>>;

/**
 * Servers in the settings files that Folio writes. Preserves comments and all other keys. Rejects with
 * `ServerFileError` and then changes no byte.
 */
export interface ServerFiles {
  /** Absolute path; `undefined` if no folder is open. */
  path(place: ServerScope): string | undefined;
  /** By name; empty without a file. */
  read(place: ServerScope): Promise<ServerEntries>;
  /** Creates the file if needed. @param entry `undefined` removes the server */
  write(place: ServerScope, name: string, entry: ServerEntries | undefined): Promise<void>;
  /** Sets any other key. @param path names from the outermost object. @param value `undefined` removes it */
  put(place: ServerScope, path: readonly string[], value: unknown): Promise<void>;
}

/** The message tells the user what is wrong with the file and what to do. */
export class ServerFileError extends Error {}
