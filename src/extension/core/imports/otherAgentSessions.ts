export interface OtherAgentSessions {
  /**
   * Newest first. Never rejects: an unreadable session is listed with its problem.
   * @param folders absolute folders whose sessions are wanted; `all`: every folder
   */
  find(folders: readonly string[] | 'all'): Promise<readonly FoundSession[]>;
  /** Rejects if it cannot be read. Unknown content is omitted and counted. */
  read(found: Pick<FoundSession, 'agent' | 'path'>): Promise<OtherAgentTranscript>;
}

export interface FoundSession {
  /** The agent's name. */
  readonly agent: string;
  readonly id: string;
  /** Absolute path of its file, or of the first one. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
  readonly title: string;
  /** Number of prompts in the part that was read for the list. */
  readonly prompts: number;
  readonly isCut: boolean;
  readonly problem?: string;
}

export interface OtherAgentTranscript {
  readonly id: string;
  /** Absolute working folder; empty if unknown. */
  readonly folder: string;
  /** May be empty. */
  readonly title: string;
  /** Model of the last answer; empty if unknown. */
  readonly model: string;
  readonly turns: readonly AgentTurn[];
  /** Lines or entries that could not be read. */
  readonly unreadable: number;
  /** It exceeds the limit and was cut. */
  readonly isCut: boolean;
}

/** A prompt with the agent's texts and calls, in order. */
export interface AgentTurn {
  /** Milliseconds since the Unix epoch; 0 if unknown. */
  readonly at: number;
  readonly prompt: string;
  readonly work: readonly TranscriptItem[];
}

export type TranscriptItem =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Absent: no result, as after an interruption. */
      readonly result?: { readonly text: string; readonly ok: boolean };
    };
