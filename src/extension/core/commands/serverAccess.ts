import type { McpServer } from '../../../protocol/panel/mcp.ts';
import type { ServerEntries, ServerFiles, ServerScope } from '../../platform/customizations/serverFiles.ts';
import type { Customizations } from '../customizations/customizations.ts';

/** A server that is not written yet. */
export interface ServerDraft {
  readonly place: ServerScope;
  /** The file that it would stand in, absolute. */
  readonly path: string;
  readonly name: string;
  readonly entry: ServerEntries;
  /** The user's text for each `${input:…}` of the entry, by its id. */
  readonly answers: ReadonlyMap<string, string>;
}

export type ServerCheck = Pick<McpServer, 'status' | 'tools'>;

/** Commands change servers with this; the window and a script each bring their own. */
export interface ServerAccess {
  readonly files: ServerFiles;
  readonly all: Pick<Customizations, 'list' | 'refresh' | 'consent'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As they are now; empty: none was started. */
  list(): readonly McpServer[];
  /** Arguments of the tools of a server that runs, as JSON Schema. */
  schemas(name: string): readonly { readonly tool: string; readonly schema: unknown }[];
  /** Throws an error with a sentence where there is no such server that runs. */
  restart(name: string): void;
  /** Gives a sentence when it did not succeed. */
  signIn(name: string): Promise<string | undefined>;
  /** Starts it beside the others and ends it again. Rejects only when the signal is aborted. */
  check(draft: ServerDraft, signal: AbortSignal): Promise<ServerCheck>;
  /** Keeps the answers where secrets are kept, for exactly this entry. Absent: there is no such place here. */
  readonly keep?: (draft: ServerDraft) => Promise<void>;
  /** Forgets what was kept for an entry that is taken out. Absent as `keep` is. */
  readonly forget?: (gone: Omit<ServerDraft, 'answers'>) => Promise<void>;
  /** A server that is configured starts at once, and not only with the next run. */
  readonly startsAtOnce: boolean;
}
