import type { SessionEventBody } from '../../../protocol/events.ts';
import type { Answer as FormAnswer } from '../../../protocol/questions.ts';
import { abortable } from '../../base/abort.ts';

/** A user's answer to an ask. */
export type Decision = Answer & NamedAsk;

interface NamedAsk {
  /** The ask that they were shown: no other one is decided on. Absent: whichever waits as they answer. */
  readonly askId?: string;
}

type Answer =
  | { readonly kind: 'once' }
  /** A command: once, in a terminal where the user answers it. */
  | { readonly kind: 'interactive' }
  /** `choice`: the id of one of the ask's lasting permissions. */
  | { readonly kind: 'always'; readonly choice: string }
  | { readonly kind: 'answers'; readonly answers: readonly FormAnswer[] }
  | { readonly kind: 'plan'; readonly mode: 'default' | 'autoEdit' }
  /** Accepted, with this text instead of the proposed one. */
  | { readonly kind: 'edited'; readonly text: string }
  /** Accepted in part: indices of the hunks of the diff that was shown. */
  | { readonly kind: 'hunks'; readonly accepted: readonly number[] }
  | { readonly kind: 'deny'; readonly reason?: string };

/** A decision as its event has it. */
export function decided(decision: Decision): Pick<SessionEventBody<'call.decided'>, 'decision' | 'choice'> {
  return { decision: decision.kind, choice: decision.kind === 'always' ? decision.choice : undefined };
}

interface WaitingAsk {
  readonly id: string;
  readonly answer: (decision: Decision) => void;
}

/** Questions that wait for a user, by call. */
export class Approvals {
  private readonly waiting = new Map<string, WaitingAsk>();

  /** Rejects with the signal's reason when aborted first. */
  async wait(callId: string, askId: string, signal: AbortSignal): Promise<Decision> {
    const decided = new Promise<Decision>(answer => this.waiting.set(callId, { id: askId, answer }));
    try {
      return await abortable(decided, signal);
    } finally {
      // The call may have asked again since.
      if (this.waiting.get(callId)?.id === askId) this.waiting.delete(callId);
    }
  }

  /** False when this ask does not wait (any more): what is decided on is what was shown. */
  decide(callId: string, decision: Decision): boolean {
    const asked = this.waiting.get(callId);
    if (!asked || (decision.askId ?? asked.id) !== asked.id) return false;
    asked.answer(decision);
    return true;
  }
}
