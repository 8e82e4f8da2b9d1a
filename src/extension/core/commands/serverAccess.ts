import type { McpServer } from '../../../protocol/panel/mcp.ts';
import type { ServerEntries, ServerFiles, ServerScope } from '../../platform/customizations/serverFiles.ts';
import type { Customizations } from '../customizations/customizations.ts';

/** A server that is not yet saved. */
export interface ServerDraft {
  readonly place: ServerScope;
  /** Absolute path of the file to write. */
  readonly path: string;
  readonly name: string;
  readonly entry: ServerEntries;
  /** The user's text for each `${input:…}` of the entry, by its id. */
  readonly answers: ReadonlyMap<string, string>;
}

export type ServerCheck = Pick<McpServer, 'status' | 'tools'>;

/** Access to servers for commands. The window and a script each implement it. */
export interface ServerAccess {
  readonly files: ServerFiles;
  readonly all: Pick<Customizations, 'list' | 'refresh' | 'consent'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Current servers; empty: none was started. */
  list(): readonly McpServer[];
  /** JSON Schemas of the arguments of a running server's tools. */
  schemas(name: string): readonly { readonly tool: string; readonly schema: unknown }[];
  /** Throws an error with a sentence if no such server runs. */
  restart(name: string): void;
  /** Returns a sentence if it failed. */
  signIn(name: string): Promise<string | undefined>;
  /** Starts the server separately and stops it again. Rejects only on abort. */
  check(draft: ServerDraft, signal: AbortSignal): Promise<ServerCheck>;
  /** Stores the answers as secrets of exactly this entry. Absent: no secret storage. */
  readonly keep?: (draft: ServerDraft) => Promise<void>;
  /** Deletes the secrets of a removed entry. Absent like `keep`. */
  readonly forget?: (gone: Omit<ServerDraft, 'answers'>) => Promise<void>;
  /** True if a new server starts immediately, not only in the next run. */
  readonly startsAtOnce: boolean;
}
