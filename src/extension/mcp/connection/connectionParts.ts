/* The collaborators of a connection. */

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../platform/clock.ts';
import type { Containment } from '../../platform/sandbox.ts';
import type { ServerProcesses } from '../../platform/serverProcesses.ts';
import type { ServerSource } from '../config/serverConfig.ts';
import type { McpPerson } from './person.ts';

export type ListKind = 'tools' | 'prompts' | 'resources';

export interface ConnectionParts {
  readonly server: string;
  readonly source: ServerSource;
  readonly timeoutMs: number;
  /** Folio's version. */
  readonly version: string;
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** For a program; absent: none. */
  readonly walls?: Containment;
  readonly fetch: FetchLike;
  /** Absolute. */
  readonly folders: () => readonly string[];
  /** Absent: nobody is there, and the server is told so. */
  readonly person: McpPerson | undefined;
  readonly log: (line: string) => void;
  /** Logs lines that only help to find a mistake. */
  readonly debug: (line: string) => void;
  readonly changed: (list: ListKind) => void;
}

/** The library's own limit, which counts a person's time too. */
export const never = 2 ** 31 - 1;
