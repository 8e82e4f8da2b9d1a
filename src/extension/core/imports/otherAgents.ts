/* Sessions that other agents keep on this machine. */

export interface OtherAgents {
  /**
   * Newest first. Never rejects: a session that cannot be read is listed with the problem.
   * @param folders absolute; sessions of these. `all`: of any folder
   */
  find(folders: readonly string[] | 'all'): Promise<readonly FoundSession[]>;
  /** Rejects when it cannot be read. What is not understood in it is left out and counted. */
  read(found: Pick<FoundSession, 'agent' | 'path'>): Promise<AgentTranscript>;
}

export interface FoundSession {
  /** The agent's name. */
  readonly agent: string;
  readonly id: string;
  /** Absolute: the file that holds it, or begins it. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly changedAt: number;
  readonly title: string;
  /** As far as it was read for the list. */
  readonly prompts: number;
  readonly isCut: boolean;
  readonly problem?: string;
}

export interface AgentTranscript {
  readonly id: string;
  /** Where it worked, absolute; empty where it does not say. */
  readonly folder: string;
  /** Empty where it has none. */
  readonly title: string;
  /** The newest that answered; empty where it does not say. */
  readonly model: string;
  readonly turns: readonly AgentTurn[];
  /** Lines or entries that were not understood. */
  readonly unreadable: number;
  /** It is longer than was read. */
  readonly isCut: boolean;
}

/** A prompt, and what the agent said and did on it, in order. */
export interface AgentTurn {
  /** Milliseconds since the Unix epoch; 0 where it does not say. */
  readonly at: number;
  readonly prompt: string;
  readonly work: readonly AgentWork[];
}

export type AgentWork =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Absent: it has none, as after an interruption. */
      readonly result?: { readonly text: string; readonly ok: boolean };
    };
