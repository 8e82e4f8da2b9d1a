/**
 * JSON configuration files: `settings.json`, `mcp.json`, manifests, lists of hooks. Many parts of Folio read the same
 * file, several times a turn. An unchanged file is read and parsed once for all of them. They get the same object until
 * it changes.
 */
export interface SettingsDocuments {
  /** Returns the file as of now; `undefined` if there is none. Never rejects. @param path absolute */
  read(path: string): Promise<SettingsDocument | undefined>;
}

export type SettingsDocument =
  /** `content` is not validated. Comments and trailing commas are accepted. */
  | { readonly status: 'parsed'; readonly text: string; readonly content: unknown }
  /** Not JSON; the error says where. */
  | { readonly status: 'damaged'; readonly text: string; readonly error: unknown }
  /** The file exists but cannot be read. */
  | { readonly status: 'unreadable'; readonly error: unknown };
