import type { Ask, AskSubject } from '../../../protocol/asks.ts';
import type { SessionEventBody } from '../../../protocol/events.ts';
import { inEnglish, type LocalizedMessage } from '../../../protocol/language.ts';
import { offerToChoice, type PermissionOffer } from '../policy/offers.ts';
import { type Decision, decisionFields } from './approvals.ts';
import type { CallServices, OpenCall } from './calling.ts';

interface DuringAsk {
  readonly reason: LocalizedMessage;
  readonly subject: AskSubject;
  /** Lasting permissions that would avoid the request; absent: none. */
  readonly always?: readonly PermissionOffer[];
}

type Asking = Pick<CallServices, 'caller' | 'approvals' | 'clock' | 'policy'>;

/**
 * Asks the user while a call runs; the call waits and then continues, also if the question is withdrawn. Rejects with
 * the reason of an abort. After the end of the call, nothing is emitted.
 */
export async function askDuring(
  call: OpenCall,
  question: DuringAsk,
  calling: Asking,
  withdrawn: AbortSignal,
): Promise<Decision> {
  const { beside } = calling.caller;
  const ask = () => askWithoutQueue(call, question, calling, withdrawn);
  return beside ? beside.ask(ask) : ask();
}

/** Like `askDuring`, without waiting for other agents' questions. */
export async function askWithoutQueue(
  { part: { id: callId }, signal: stopped, over }: OpenCall,
  { reason, subject, always = [] }: DuringAsk,
  { caller, approvals, clock, policy }: Asking,
  withdrawn: AbortSignal,
): Promise<Decision> {
  const signal = AbortSignal.any([stopped, over.signal, withdrawn]);
  // A question withdrawn before it was shown is not asked.
  signal.throwIfAborted();
  const emit = (event: SessionEventBody) => {
    if (!over.signal.aborted) caller.emit(event);
  };
  const id = clock.newId();
  emit({
    type: 'call.asked',
    callId,
    ask: { id, ...formatReason(reason), subject, always: always.map(offerToChoice) },
  });
  try {
    let decision = await approvals.wait(callId, id, signal);
    // Questions accept only answers or a refusal.
    while (subject.kind === 'questions' && decision.kind !== 'answers' && decision.kind !== 'deny')
      decision = await approvals.wait(callId, id, signal);
    await rememberChoice(decision, always, { policy, caller });
    emit({ type: 'call.decided', callId, ...decisionFields(decision) });
    return decision;
  } finally {
    emit({ type: 'call.started', callId });
  }
}

/**
 * Formats a reason, also in English if the user reads another language.
 * @param sandboxed describes the sandbox of a command
 */
export function formatReason(
  say: LocalizedMessage,
  sandboxed?: LocalizedMessage,
): Pick<Ask, 'reason' | 'english'> {
  const [reason, english] = [say(), inEnglish(say)];
  if (english === reason) return { reason };
  return { reason, english: { reason: english, walls: sandboxed && inEnglish(sandboxed) } };
}

/**
 * Stores a lasting permission. Call it before the decision is emitted, so that listeners find the permission in force.
 */
export async function rememberChoice(
  decision: Decision,
  always: readonly PermissionOffer[],
  { policy, caller }: Pick<CallServices, 'policy' | 'caller'>,
): Promise<void> {
  if (decision.kind !== 'always') return;
  const offer = always.find(({ id }) => id === decision.choice);
  const problem = offer && (await policy.remember(offer));
  if (problem) caller.emit({ type: 'notice.shown', level: 'warning', text: problem });
}
