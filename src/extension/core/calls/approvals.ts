import type { SessionEventBody } from '../../../protocol/events.ts';
import type { Answer as FormAnswer } from '../../../protocol/questions.ts';
import { abortable } from '../../base/abort.ts';

/** A user's answer to an approval request. */
export type Decision = Answer & NamedAsk;

interface NamedAsk {
  /** The request that was shown; only this one is decided. Absent: whichever waits. */
  readonly askId?: string;
}

type Answer =
  | { readonly kind: 'once' }
  /** Runs a command once, in a terminal where the user can answer it. */
  | { readonly kind: 'interactive' }
  /** `choice`: the id of a lasting permission of the request. */
  | { readonly kind: 'always'; readonly choice: string }
  | { readonly kind: 'answers'; readonly answers: readonly FormAnswer[] }
  | { readonly kind: 'plan'; readonly mode: 'default' | 'autoEdit' }
  /** Accepted with this text instead of the proposed one. */
  | { readonly kind: 'edited'; readonly text: string }
  /** Accepted in part: indices of hunks of the shown diff. */
  | { readonly kind: 'hunks'; readonly accepted: readonly number[] }
  | { readonly kind: 'deny'; readonly reason?: string };

/** Converts a decision to members of its event. */
export function decisionFields(
  decision: Decision,
): Pick<SessionEventBody<'call.decided'>, 'decision' | 'choice'> {
  return { decision: decision.kind, choice: decision.kind === 'always' ? decision.choice : undefined };
}

/** Approval requests that wait for a user, by call. */
export class PendingApprovals {
  private readonly waiting = new Map<
    string,
    { readonly id: string; readonly answer: (decision: Decision) => void }
  >();

  /** Rejects with the signal's reason if aborted first. */
  async wait(callId: string, askId: string, signal: AbortSignal): Promise<Decision> {
    const decided = new Promise<Decision>(answer => this.waiting.set(callId, { id: askId, answer }));
    try {
      return await abortable(decided, signal);
    } finally {
      // The call may have asked again meanwhile.
      if (this.waiting.get(callId)?.id === askId) this.waiting.delete(callId);
    }
  }

  /** Returns false if this request no longer waits: only what was shown is decided. */
  decide(callId: string, decision: Decision): boolean {
    const asked = this.waiting.get(callId);
    if (!asked || (decision.askId ?? asked.id) !== asked.id) return false;
    asked.answer(decision);
    return true;
  }
}
