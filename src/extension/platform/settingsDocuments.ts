/**
 * Configuration files in JSON: `settings.json`, `mcp.json`, manifests, lists of hooks. Many parts of Folio ask for
 * the same file, several times a turn. A file that is at rest is read and parsed once for all of them, and the
 * document is the same object until the file changes.
 */
export interface SettingsDocuments {
  /** As the file is now; `undefined` where there is none. Never rejects. @param path absolute */
  read(path: string): Promise<SettingsDocument | undefined>;
}

export type SettingsDocument =
  /** `content` is anything; comments and trailing commas are tolerated. */
  | { readonly status: 'parsed'; readonly text: string; readonly content: unknown }
  /** It is no JSON; the error says where. */
  | { readonly status: 'damaged'; readonly text: string; readonly error: unknown }
  /** It is there and its text cannot be had. */
  | { readonly status: 'unreadable'; readonly error: unknown };
