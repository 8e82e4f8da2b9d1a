import type { AskSubject } from '../../../protocol/asks.ts';
import type { Decision } from './approvals.ts';
import type { CallSurroundings } from './surroundings.ts';

export interface DuringAsk {
  /** Why, one sentence. */
  readonly reason: string;
  readonly subject: AskSubject;
}

/**
 * A call that runs wants to know something of the person: it waits as it did before it ran, and then runs on. Rejects
 * with the reason of an abort; a call whose question was withdrawn runs on, too.
 */
export async function askDuring(
  callId: string,
  { reason, subject }: DuringAsk,
  { caller, approvals, clock }: Pick<CallSurroundings, 'caller' | 'approvals' | 'clock'>,
  signal: AbortSignal,
): Promise<Decision> {
  const { emit, beside } = caller;
  const ask = async () => {
    const id = clock.newId();
    emit({ type: 'call.asked', callId, ask: { id, reason, subject, always: [] } });
    try {
      let decision = await approvals.wait(callId, id, signal);
      // Only answers, or none, can be given to questions.
      while (subject.kind === 'questions' && decision.kind !== 'answers' && decision.kind !== 'deny')
        decision = await approvals.wait(callId, id, signal);
      emit({ type: 'call.decided', callId, decision: decision.kind });
      return decision;
    } finally {
      emit({ type: 'call.started', callId });
    }
  };
  return beside ? beside.ask(ask) : ask();
}
