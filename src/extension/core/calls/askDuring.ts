import type { AskSubject } from '../../../protocol/asks.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import type { Decision } from './approvals.ts';
import type { Calling, OpenCall } from './calling.ts';

interface DuringAsk {
  /** Why, one sentence. */
  readonly reason: string;
  readonly subject: AskSubject;
}

/**
 * A call that runs wants to know something of the person: it waits as it did before it ran, and then runs on. Rejects
 * with the reason of an abort; a call whose question was withdrawn runs on, too. Once the call has ended, nothing more is
 * told of it.
 */
export async function askDuring(
  { part: { id: callId }, signal: stopped, over }: OpenCall,
  { reason, subject }: DuringAsk,
  { caller, approvals, clock }: Pick<Calling, 'caller' | 'approvals' | 'clock'>,
  withdrawn: AbortSignal,
): Promise<Decision> {
  const { beside } = caller;
  const signal = AbortSignal.any([stopped, over.signal, withdrawn]);
  const emit = (event: SessionEventBody) => {
    if (!over.signal.aborted) caller.emit(event);
  };
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
