import type { AgentTranscript } from '../core/imports/otherAgents.ts';
import type { BoundedFile } from './readBounded.ts';

/** Where agents keep their sessions. */
export interface AgentPlaces {
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** VS Code's folders of workspaces, absolute. */
  readonly workspaceStorage: readonly string[];
}

/** One agent's way to keep sessions. */
export interface SessionFormat {
  readonly agent: string;
  /**
   * Finds its newest sessions. One of another folder may be among them: `read` says which it is of.
   * @param folders absolute
   */
  find(places: AgentPlaces, folders: readonly string[] | 'all', count: number): Promise<readonly FoundFile[]>;
  /** Reads up to so many bytes. Rejects when the file cannot be read. */
  read(path: string, limit: number): Promise<AgentTranscript>;
}

export interface FoundFile extends BoundedFile {
  /** It is known to be of one of the wanted folders. */
  readonly isWanted?: true;
}
