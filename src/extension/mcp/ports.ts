import type { Event } from '../base/emitter.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { StoredSecrets } from '../platform/secrets.ts';
import type { ServerProcesses } from '../platform/serverProcesses.ts';
import type { McpUser } from './connection/mcpUser.ts';
import type { Redirects } from './signIn/redirects.ts';

export interface McpPorts {
  /** Folio's version. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: ServerProcesses;
  /** For programs whose entry requests the sandbox. */
  readonly sandbox: ProgramSandbox;
  readonly secrets: StoredSecrets;
  /** Variables that configurations may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path. */
  readonly home: string;
  /** Current workspace folders as absolute paths. */
  readonly folders: () => readonly string[];
  readonly onDidChangeFolders: Event<void>;
  /** Nothing runs in an untrusted workspace. */
  readonly trusted: () => boolean;
  /**
   * Returns whether a workspace server, including the scripts that it starts, is unchanged since the user allowed it.
   * Called before each start, because a server may restart long after its files were read. Never rejects.
   */
  readonly isCurrent: (server: string) => Promise<boolean>;
  /** Returns members for a call's `_meta` that continue the trace on the server. Omitted or `undefined` for none. */
  readonly traceOf?: (callId: string) => Readonly<Record<string, string>> | undefined;
  /** The organisation's limits. Omitted if there are none. */
  readonly restrictions?: Pick<Restrictions, 'refuseServer'> | undefined;
  /** Calls answered with a task end without its result. If omitted, they wait for it. */
  readonly detachesTasks?: boolean;
  /** True if a window shows servers' pages. If omitted, none does. */
  readonly showsApps?: () => boolean;
  /** Omitted if no user is present. */
  readonly user?: McpUser;
  /** Target of the browser's redirect. Defaults to a server on this machine. */
  readonly redirects?: Redirects;
}
