import type { Answer } from '../../../protocol/questions.ts';
import { abortable } from '../../base/abort.ts';

/** What a person answers to an ask. */
export type Decision =
  | { readonly kind: 'once' }
  /** `choice`: the id of one of the ask's lasting permissions. */
  | { readonly kind: 'always'; readonly choice: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  | { readonly kind: 'plan'; readonly mode: 'default' | 'autoEdit' }
  /** Accepted, with this text instead of the proposed one. */
  | { readonly kind: 'edited'; readonly text: string }
  /** Accepted in part: indices of the hunks of the diff that was shown. */
  | { readonly kind: 'hunks'; readonly accepted: readonly number[] }
  | { readonly kind: 'deny'; readonly reason?: string };

/** Questions that wait for a person, by call. */
export class Approvals {
  private readonly waiting = new Map<string, (decision: Decision) => void>();

  /** Rejects with the signal's reason when aborted first. */
  async wait(callId: string, signal: AbortSignal): Promise<Decision> {
    const answer = new Promise<Decision>(resolve => this.waiting.set(callId, resolve));
    try {
      return await abortable(answer, signal);
    } finally {
      this.waiting.delete(callId);
    }
  }

  /** False when nothing waits under this id (any more). */
  decide(callId: string, decision: Decision): boolean {
    const resolve = this.waiting.get(callId);
    resolve?.(decision);
    return resolve !== undefined;
  }
}
