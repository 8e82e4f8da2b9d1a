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
  { emit, approvals, beside }: Pick<CallSurroundings, 'emit' | 'approvals' | 'beside'>,
  signal: AbortSignal,
): Promise<Decision> {
  const ask = async () => {
    emit({ type: 'call.asked', callId, ask: { reason, subject, always: [] } });
    try {
      let decision = await approvals.wait(callId, signal);
      // A second press that was meant for the call itself answers no questions.
      while (subject.kind === 'questions' && decision.kind !== 'answers' && decision.kind !== 'deny')
        decision = await approvals.wait(callId, signal);
      emit({ type: 'call.decided', callId, decision: decision.kind });
      return decision;
    } finally {
      emit({ type: 'call.started', callId });
    }
  };
  return beside ? beside.ask(ask) : ask();
}
