import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../platform/clock.ts';
import type { SandboxedProcess } from '../../platform/sandbox.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import type { TransportConfig } from '../config/serverConfig.ts';
import type { McpUser } from './mcpUser.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface McpConnectionParts {
  readonly server: string;
  readonly source: TransportConfig;
  readonly timeoutMs: number;
  /** The protocol version, if known: `older` servers begin with a handshake, `newer` ones do not. */
  readonly era?: 'older' | 'newer';
  /** Folio's version. */
  readonly version: string;
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** The sandbox of a program. Omitted if it has none. */
  readonly sandboxed?: SandboxedProcess;
  readonly fetch: FetchLike;
  /** Absolute paths. */
  readonly folders: () => readonly string[];
  /** `undefined` if no user is present, which the server is told. */
  readonly user: McpUser | undefined;
  /** Results are shown with the server's pages. */
  readonly showsApps: boolean;
  readonly log: (line: string) => void;
  /** Logs at debug level. */
  readonly debug: (line: string) => void;
  readonly changed: (list: ListKind) => void;
}

/** Disables the library's own time limit, which would include the user's time. */
export const noTimeout = 2 ** 31 - 1;

/** Capability: Folio shows the pages that tools declare. */
export const appsExtension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
