/* The collaborators of a connection. */

import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../platform/clock.ts';
import type { SandboxedProcess } from '../../platform/sandbox.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import type { ServerSource } from '../config/serverConfig.ts';
import type { McpUser } from './user.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface ConnectionParts {
  readonly server: string;
  readonly source: ServerSource;
  readonly timeoutMs: number;
  /** The versions that it is known to speak: `older` ones begin with a handshake, `newer` ones without. */
  readonly era?: 'older' | 'newer';
  /** Folio's version. */
  readonly version: string;
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** For a program; absent: none. */
  readonly sandboxed?: SandboxedProcess;
  readonly fetch: FetchLike;
  /** Absolute. */
  readonly folders: () => readonly string[];
  /** Absent: nobody is there, and the server is told so. */
  readonly user: McpUser | undefined;
  /** Pages of the server are shown with its results. */
  readonly showsApps: boolean;
  readonly log: (line: string) => void;
  /** Logs lines that only help to find a mistake. */
  readonly debug: (line: string) => void;
  readonly changed: (list: ListKind) => void;
}

/** The library's own limit, which counts a user's time too. */
export const never = 2 ** 31 - 1;

/** Says that pages which tools name are shown. */
export const appsExtension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
