/* Facts and skills that a session proposes to keep, until the user accepts or drops them. */

export interface InboxEvidence {
  /** `prompt`: the user wrote it; `call`: a call of the agent that succeeded; `output`: a tool returned it. */
  readonly source: 'prompt' | 'call' | 'output';
  /** The number of the prompt or call in its session, from 1. */
  readonly number: number;
  readonly quote: string;
}

interface InboxHead {
  /** Names the entry for as long as the inbox exists; from 1. */
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
  /** Nothing but output of tools says it, which anybody may have written. */
  readonly onlyFromOutput?: true | undefined;
};

export type InboxSkill = InboxHead & {
  readonly kind: 'skill';
  readonly name: string;
  readonly description: string;
  /** The steps, Markdown. */
  readonly text: string;
};

export type InboxEntry = InboxFact | InboxSkill;

/** Where an accepted entry goes. */
export type InboxTarget = 'workspace' | 'user';
