import type { FallbackDecision } from '../../../protocol/routing.ts';

/** The question to a user about a model that failed; only one at a time. */
export class PendingDecision {
  private answer: ((decision: FallbackDecision) => void) | undefined;

  /** Can be answered as soon as this returns. Stopping the turn is a decision too. Never rejects. */
  async wait(signal: AbortSignal): Promise<FallbackDecision> {
    if (signal.aborted) return 'stop';
    let stop = () => {};
    const decided = new Promise<FallbackDecision>(resolve => {
      this.answer = resolve;
      stop = () => resolve('stop');
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await decided;
    } finally {
      this.answer = undefined;
      signal.removeEventListener('abort', stop);
    }
  }

  /** False when nothing is asked (any more). */
  settle(decision: FallbackDecision): boolean {
    const { answer } = this;
    this.answer = undefined;
    answer?.(decision);
    return answer !== undefined;
  }
}
