/* Memory inbox: facts and skills that sessions propose to keep. */

export interface InboxEvidence {
  /** `prompt`: written by the user; `call`: a successful call; `output`: returned by a tool. */
  readonly source: 'prompt' | 'call' | 'output';
  /** Number of the prompt or call in its session, from 1. */
  readonly number: number;
  readonly quote: string;
}

interface InboxHead {
  /** Unique in the inbox, never reused, from 1. */
  readonly number: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly sessionId: string;
  /** The session's title. */
  readonly session: string;
  readonly evidence: readonly InboxEvidence[];
}

export type InboxFact = InboxHead & {
  readonly kind: 'fact';
  readonly text: string;
  /** True if only output of tools supports it, which anybody may have written. */
  readonly onlyFromOutput?: true | undefined;
};

export type InboxSkill = InboxHead & {
  readonly kind: 'skill';
  readonly name: string;
  readonly description: string;
  /** Steps of the skill, in Markdown. */
  readonly text: string;
};

export type InboxEntry = InboxFact | InboxSkill;

/** Where an accepted entry goes. */
export type InboxTarget = 'workspace' | 'user';
