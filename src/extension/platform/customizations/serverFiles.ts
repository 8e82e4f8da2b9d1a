/** `user`: `.gemini/settings.json` of their home folder; `workspace`: that of the first folder. */
export type ServerPlace = 'person' | 'workspace';

export type ServerEntries = Readonly<Record<string, unknown>>;

/**
 * The servers of the settings files that Folio writes. Comments and all other keys stay as they are. Rejects with
 * `ServerFileError`, and then no byte has changed.
 */
export interface ServerFiles {
  /** Absolute; undefined: there is no such place, since no folder is open. */
  path(place: ServerPlace): string | undefined;
  /** By name; empty where there is no file. */
  read(place: ServerPlace): Promise<ServerEntries>;
  /** Makes the file where there is none. @param entry undefined: the server is taken out */
  write(place: ServerPlace, name: string, entry: ServerEntries | undefined): Promise<void>;
  /** Any other setting of such a file. @param path names from the outermost object. @param value undefined: it is taken out */
  put(place: ServerPlace, path: readonly string[], value: unknown): Promise<void>;
}

/** The message is a sentence for the user: what is wrong with the file and what to do. */
export class ServerFileError extends Error {}
