/* Whether a prepared call may run: the policy is asked, and through it the person. */

import type { AskSubject } from '../../../protocol/asks.ts';
import { takeHunks } from '../changes/partialProposal.ts';
import type { Rule } from '../policy/policy.ts';
import type { AnyTool, Prepared, Proposal } from '../tool.ts';
import type { Decision } from './approvals.ts';
import type { CallSurroundings } from './surroundings.ts';

export type Admission =
  /** `decided`: a person has looked at what it will do. `proposal`: as they want it. */
  | { readonly kind: 'admitted'; readonly decided: boolean; readonly proposal?: Proposal }
  /** `reason` is for the model, `summary` for the card. */
  | { readonly kind: 'denied'; readonly reason: string; readonly summary: string };

export interface AdmittedCall {
  readonly callId: string;
  readonly tool: AnyTool;
  readonly prepared: Prepared<unknown>;
}

/** Rejects with the signal's reason when the person stops instead of deciding. */
export async function admit(
  call: AdmittedCall,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<Admission> {
  const { tool, prepared } = call;
  const { name, effect } = tool;
  const verdict = around.policy.judge({ tool: name, effect, target: prepared.target, mode: around.mode() });
  switch (verdict.kind) {
    case 'allow':
      return { kind: 'admitted', decided: false };
    case 'deny':
      return { kind: 'denied', reason: verdict.reason, summary: verdict.reason };
    case 'ask':
      return ask(call, verdict, around, signal);
  }
}

async function ask(
  { callId, prepared, tool }: AdmittedCall,
  { reason, always: rule }: { readonly reason: string; readonly always?: Rule },
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<Admission> {
  const subject: AskSubject = prepared.subject ?? { kind: 'other', detail: tool.name };
  around.emit({
    type: 'call.asked',
    callId,
    ask: { reason, subject, always: rule ? [{ id: 'session', scope: 'session', label: rule.label }] : [] },
  });
  const decision = await around.approvals.wait(callId, signal);
  const said = decision.kind === 'deny' ? decision.reason?.trim() || undefined : undefined;
  around.emit({ type: 'call.decided', callId, decision: decision.kind, reason: said });
  if (decision.kind === 'deny') return denied(said);
  if (decision.kind === 'always' && rule) around.policy.remember(rule);
  return { kind: 'admitted', decided: true, proposal: decidedProposal(decision, subject, prepared.proposal) };
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
