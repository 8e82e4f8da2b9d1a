import type { Event } from '../base/emitter.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Restrictions } from '../platform/managed/restrictions.ts';
import type { ProgramSandbox } from '../platform/sandbox.ts';
import type { KeptSecrets } from '../platform/secrets.ts';
import type { ServerProcesses } from '../platform/serverProcesses.ts';
import type { McpUser } from './connection/user.ts';
import type { Redirects } from './signIn/redirects.ts';

export interface McpPorts {
  /** Folio's version. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: ServerProcesses;
  /** For programs whose entry wants the sandbox. */
  readonly sandbox: ProgramSandbox;
  readonly secrets: KeptSecrets;
  /** Variables that configurations may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly home: string;
  /** Absolute workspace folders as they are now. */
  readonly folders: () => readonly string[];
  readonly onDidChangeFolders: Event<void>;
  /** Nothing runs in a workspace that the user does not trust. */
  readonly trusted: () => boolean;
  /**
   * Says whether this server of the workspace, with the scripts that it starts, is still as the user let it run.
   * Asked each time before it starts, since it may die and come back long after its files were read. Never rejects.
   */
  readonly isCurrent: (server: string) => Promise<boolean>;
  /** Returns members of a call's `_meta`, so that a trace continues on the server; absent or undefined: none. */
  readonly traceOf?: (callId: string) => Readonly<Record<string, string>> | undefined;
  /** Limits of the organisation; absent: none. */
  readonly restrictions?: Pick<Restrictions, 'refuseServer'> | undefined;
  /** Calls that a server answers by a task end without its result. Absent: they wait for it. */
  readonly detachesTasks?: boolean;
  /** A window is there that shows pages of servers. Absent: none is. */
  readonly showsApps?: () => boolean;
  /** Absent: nobody is there. */
  readonly user?: McpUser;
  /** Where the browser comes back to; absent: a server on this machine. */
  readonly redirects?: Redirects;
}
