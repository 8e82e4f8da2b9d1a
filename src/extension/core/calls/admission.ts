/* Whether a prepared call may run: the policy is asked, and through it the person. */

import type { AskSubject } from '../../../protocol/asks.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import { takeHunks } from '../changes/partialProposal.ts';
import { toChoice, type Verdict } from '../policy/policy.ts';
import type { AdmittedContext, AnyTool, Prepared, Proposal } from '../tool.ts';
import type { Decision } from './approvals.ts';
import type { CallSurroundings } from './surroundings.ts';

export type Admission =
  /** `decided`: a person has looked at what it will do. `proposal`: as they want it. `said`: what they answered. */
  | {
      readonly kind: 'admitted';
      readonly decided: boolean;
      readonly proposal?: Proposal;
      readonly said?: Pick<AdmittedContext, 'answers' | 'approvedPlan'>;
      /** Of the command is known that it does nothing but read. */
      readonly reads?: true;
    }
  /** `reason` is for the model, `summary` for the card. */
  | { readonly kind: 'denied'; readonly reason: string; readonly summary: string };

export interface AdmittedCall {
  readonly callId: string;
  readonly tool: AnyTool;
  readonly prepared: Prepared<unknown>;
  /** What it would run with. */
  readonly args: unknown;
  /** Why a hook wants a person to decide, whatever the policy says. */
  readonly insist?: string;
}

/** Rejects with the signal's reason when the person stops instead of deciding. */
export async function admit(
  call: AdmittedCall,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<Admission> {
  const verdict = await judge(call, around);
  const { beside } = around.caller;
  if (verdict.kind !== 'ask' || !beside) return settle(call, verdict, around, signal);
  // What the person answers to the others meanwhile may hold for this call, too.
  return beside.ask(async () => settle(call, await judge(call, around), around, signal));
}

async function judge(
  { tool: { name, effect }, prepared: { target, mustAsk }, args, insist }: AdmittedCall,
  { policy, caller }: CallSurroundings,
): Promise<Verdict> {
  const { mode, agent } = caller;
  const query = { tool: name, effect, target, mustAsk, args, mode: mode(), agent };
  const judged = await policy.judge(query);
  if (insist === undefined) return judged;
  return await insisted(judged, insist, () => policy.judge({ ...query, mustAsk: true }));
}

async function settle(
  call: AdmittedCall,
  verdict: Verdict,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<Admission> {
  switch (verdict.kind) {
    case 'allow':
      return { kind: 'admitted', decided: false, reads: verdict.reads };
    case 'deny':
      return { kind: 'denied', reason: verdict.reason, summary: verdict.reason };
    case 'ask':
      return ask(call, verdict, around, signal);
  }
}

/** A hook can only make it stricter: what is allowed is asked, and denied where nobody is there to ask. */
async function insisted(
  judged: Verdict,
  why: string,
  judgePersonal: () => Promise<Verdict>,
): Promise<Verdict> {
  const reason = `A hook wants you to decide: ${oneLine(showHidden(why), 300)}`;
  if (judged.kind === 'deny') return judged;
  // Both must be seen: that a file may hold secrets, and what the hook says of it.
  if (judged.kind === 'ask') return { ...judged, reason: `${reason} ${judged.reason}` };
  const personal = await judgePersonal();
  if (personal.kind === 'ask') return { ...personal, reason };
  return { kind: 'deny', reason: 'A hook wants a person to decide on this call, and nobody is there.' };
}

async function ask(
  { callId, prepared, tool }: AdmittedCall,
  verdict: Extract<Verdict, { kind: 'ask' }>,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<Admission> {
  const { reason, rule, commands, always } = verdict;
  const subject = prepared.subject ?? subjectOf(tool, prepared);
  const id = around.clock.newId();
  around.caller.emit({
    type: 'call.asked',
    callId,
    ask: {
      id,
      reason,
      subject: shownSubject(subject),
      always: always.map(toChoice),
      ...(rule !== undefined && { rule }),
      ...(commands && { commands }),
    },
  });
  const decision = await around.approvals.wait(callId, id, signal);
  const said = decision.kind === 'deny' ? decision.reason?.trim() || undefined : undefined;
  await keep(decision, verdict, around);
  around.caller.emit({ type: 'call.decided', callId, decision: decision.kind, reason: said });
  if (decision.kind === 'deny')
    return prepared.declined ? { kind: 'denied', ...(await prepared.declined(said)) } : denied(said);
  const proposal = decidedProposal(decision, subject, prepared.proposal);
  return { kind: 'admitted', decided: true, proposal, said: answerOf(decision), reads: verdict.reads };
}

/** Who is told of the decision finds the permission in force. */
async function keep(
  decision: Decision,
  { always }: Extract<Verdict, { kind: 'ask' }>,
  around: CallSurroundings,
): Promise<void> {
  if (decision.kind !== 'always') return;
  const offer = always.find(({ id }) => id === decision.choice);
  const trouble = offer && (await around.policy.remember(offer));
  if (trouble) around.caller.emit({ type: 'notice.shown', level: 'warning', text: trouble });
}

/** What is decided on by its path is shown with all that is in the path. */
function shownSubject(subject: AskSubject): AskSubject {
  if (subject.kind !== 'edit') return subject;
  return { ...subject, diff: { ...subject.diff, path: showHidden(subject.diff.path) } };
}

/** Readers prepare nothing to be shown; when they are asked about, it is for what they read. */
function subjectOf({ name }: AnyTool, { target }: Prepared<unknown>): AskSubject {
  if (target?.kind !== 'paths' || target.access !== 'read') return { kind: 'other', detail: name };
  return { kind: 'read', paths: target.paths.map(showHidden) };
}

function answerOf(decision: Decision): Pick<AdmittedContext, 'answers' | 'approvedPlan'> | undefined {
  if (decision.kind === 'answers') return { answers: decision.answers };
  return decision.kind === 'plan' ? { approvedPlan: { mode: decision.mode } } : undefined;
}

function denied(said: string | undefined): Admission {
  const because = said
    ? ` They said: ${said}`
    : ' They gave no reason: do not try the same again; ask or go another way.';
  const reason = `The person denied this call; nothing was done.${because}`;
  return { kind: 'denied', reason, summary: said ?? 'Denied' };
}

/** What shall be written when the person changed it. */
function decidedProposal(
  decision: Decision,
  subject: AskSubject,
  proposal: Proposal | undefined,
): Proposal | undefined {
  if (!proposal) return undefined;
  const text = decidedText(decision, subject, proposal);
  return text === undefined
    ? proposal
    : { ...proposal, after: text, agentText: proposal.agentText ?? proposal.after };
}

function decidedText(decision: Decision, subject: AskSubject, proposal: Proposal): string | undefined {
  if (decision.kind === 'edited') return decision.text;
  if (decision.kind !== 'hunks' || subject.kind !== 'edit') return undefined;
  return takeHunks(proposal.before, proposal.after, subject.diff, decision.accepted);
}
