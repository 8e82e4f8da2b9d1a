import type { OtherAgentTranscript } from '../core/imports/otherAgentSessions.ts';
import type { BoundedFile } from './readBounded.ts';

/** Places where agents store their sessions. */
export interface AgentSessionRoots {
  /** Absolute path. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** VS Code's workspace folders, as absolute paths. */
  readonly workspaceStorage: readonly string[];
}

export interface SessionFormat {
  readonly agent: string;
  /**
   * Finds its newest sessions. They may include sessions of other folders; `read` returns the folder.
   * @param folders absolute paths
   */
  find(
    places: AgentSessionRoots,
    folders: readonly string[] | 'all',
    count: number,
  ): Promise<readonly FoundFile[]>;
  /** Reads up to `limit` bytes. Rejects if the file cannot be read. */
  read(path: string, limit: number): Promise<OtherAgentTranscript>;
}

export interface FoundFile extends BoundedFile {
  /** Set if it is known to belong to a requested folder. */
  readonly isWanted?: true;
}
