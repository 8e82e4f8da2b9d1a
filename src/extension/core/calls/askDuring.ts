import type { Ask, AskSubject } from '../../../protocol/asks.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { inEnglish, type Saying } from '../../../protocol/language.ts';
import { type Offer, toChoice } from '../policy/offers.ts';
import { type Decision, decided } from './approvals.ts';
import type { Calling, OpenCall } from './calling.ts';
import { keepChoice } from './keepChoice.ts';

interface DuringAsk {
  /** Says why, one sentence. */
  readonly reason: Saying;
  readonly subject: AskSubject;
  /** Lasting permissions that would stop the asking; absent: none. */
  readonly always?: readonly Offer[];
}

type Asking = Pick<Calling, 'caller' | 'approvals' | 'clock' | 'policy'>;

/**
 * A call that runs wants to know something of the user: it waits as it did before it ran, and then runs on. Rejects
 * with the reason of an abort; a call whose question was withdrawn runs on, too. Once the call has ended, nothing more
 * is told of it.
 */
export async function askDuring(
  call: OpenCall,
  question: DuringAsk,
  calling: Asking,
  withdrawn: AbortSignal,
): Promise<Decision> {
  const { beside } = calling.caller;
  const ask = () => askAtWork(call, question, calling, withdrawn);
  return beside ? beside.ask(ask) : ask();
}

/** The same where the questions of others are no concern, or already held back. */
export async function askAtWork(
  { part: { id: callId }, signal: stopped, over }: OpenCall,
  { reason, subject, always = [] }: DuringAsk,
  { caller, approvals, clock, policy }: Asking,
  withdrawn: AbortSignal,
): Promise<Decision> {
  const signal = AbortSignal.any([stopped, over.signal, withdrawn]);
  // A question that nobody wants answered any more is not asked.
  signal.throwIfAborted();
  const emit = (event: SessionEventBody) => {
    if (!over.signal.aborted) caller.emit(event);
  };
  const id = clock.newId();
  emit({
    type: 'call.asked',
    callId,
    ask: { id, ...sayReason(reason), subject, always: always.map(toChoice) },
  });
  try {
    let decision = await approvals.wait(callId, id, signal);
    // Only answers, or none, can be given to questions.
    while (subject.kind === 'questions' && decision.kind !== 'answers' && decision.kind !== 'deny')
      decision = await approvals.wait(callId, id, signal);
    await keepChoice(decision, always, { policy, caller });
    emit({ type: 'call.decided', callId, ...decided(decision) });
    return decision;
  } finally {
    emit({ type: 'call.started', callId });
  }
}

/** Twice, where the user does not read English. @param sandboxes those that would hold a command */
export function sayReason(say: Saying, sandboxed?: Saying): Pick<Ask, 'reason' | 'english'> {
  const [reason, english] = [say(), inEnglish(say)];
  if (english === reason) return { reason };
  return { reason, english: { reason: english, walls: sandboxed && inEnglish(sandboxed) } };
}
