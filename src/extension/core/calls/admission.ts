/* Decides whether a prepared call may run: asks the policy and, if it says so, the user. */

import type { AskSubject } from '../../../protocol/asks.ts';
import { inEnglish, t } from '../../../protocol/language.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import type { CallWriter } from '../changes/changeTracker.ts';
import { applyHunks } from '../changes/partialProposal.ts';
import type { UndecidedCommand } from '../policy/commandClassifier.ts';
import { offerToChoice } from '../policy/offers.ts';
import { describeSandbox, outsideSandboxOnce } from '../policy/sandbox.ts';
import { denied, type Verdict } from '../policy/verdict.ts';
import type { EditProposal } from '../tool.ts';
import { type Decision, decisionFields } from './approvals.ts';
import { formatReason, rememberChoice } from './askDuring.ts';
import {
  type AdmittedCall,
  advanceCall,
  type CallOutcome,
  deniedOutcome,
  type EndedCall,
  type PreparedCall,
} from './call.ts';
import type { CallServices } from './calling.ts';
import { callTitleLimit, cardLine } from './describeCall.ts';

export function admitCall(call: PreparedCall, calling: CallServices): Promise<AdmittedCall | EndedCall> {
  return advanceCall(call.open, calling, async () => {
    const verdict = await classify(call, calling);
    const { beside } = calling.caller;
    if (verdict.kind !== 'ask' || !beside) return settle(call, verdict, calling);
    // The answer to another call may meanwhile cover this one, too.
    return beside.ask(async () => settle(call, await classify(call, calling), calling));
  });
}

async function classify(
  { open, tool: { name, effect }, prepared: { target, mustAsk }, input: args, insist }: PreparedCall,
  { policy, commandClassifier, caller }: CallServices,
): Promise<Verdict> {
  const { mode, agent, own } = caller;
  const query = { tool: name, effect, target, mustAsk, args, mode: mode(), agent, own };
  if (insist === undefined) {
    const hear =
      commandClassifier && ((asked: UndecidedCommand) => commandClassifier.classify(asked, open.signal));
    return await policy.classify({ ...query, hear });
  }
  return await insisted(await policy.classify(query), insist, () =>
    policy.classify({ ...query, mustAsk: true }),
  );
}

async function settle(
  call: PreparedCall,
  verdict: Verdict,
  calling: CallServices,
): Promise<AdmittedCall | CallOutcome> {
  if (verdict.kind !== 'deny' && verdict.classified)
    calling.caller.emit({ type: 'call.judged', callId: call.open.part.id, judged: verdict.classified });
  switch (verdict.kind) {
    case 'allow':
      return admitted(call, verdict, undefined, calling);
    case 'deny':
      return deniedOutcome(inEnglish(verdict.reason), verdict.reason);
    case 'ask':
      return ask(call, verdict, calling);
  }
}

/** @param decision of a user who checked the effect; absent: nobody did */
function admitted(
  call: PreparedCall,
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  decision: Decision | undefined,
  { changes, proposals, caller }: CallServices,
): AdmittedCall {
  const { open, tool, args, input, prepared, note } = call;
  const proposal = decision ? decidedProposal(decision, call) : prepared.proposal;
  if (proposal && proposal !== prepared.proposal) proposals.keep(open.part.id, proposal);
  // Only users who approved an edit have seen the text that it writes.
  const scan = decision && prepared.subject?.kind === 'edit' ? 'seen' : 'unseen';
  const files = changes.filesOf(writerOf(call, caller.agent), scan);
  const said = decision && answerOf(decision);
  const reads = verdict.reads ?? false;
  const sandboxed = sandboxAfter(verdict, decision);
  return {
    phase: 'admitted',
    open,
    tool,
    args,
    input,
    prepared,
    note,
    proposal,
    said,
    sandboxed,
    reads,
    files,
  };
}

/** The user may allow a command outside the sandbox once. */
function sandboxAfter(
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  decision: Decision | undefined,
): AdmittedCall['sandboxed'] {
  if (verdict.kind !== 'ask' || decision?.kind !== 'always') return verdict.sandboxed;
  return decision.choice === outsideSandboxOnce.id ? undefined : verdict.sandboxed;
}

function writerOf(
  { open, prepared: { target }, title: words }: PreparedCall,
  agent: string | undefined,
): CallWriter {
  const { id: callId } = open.part;
  if (target?.kind !== 'command') return { kind: 'call', callId, words, agent };
  return { kind: 'command', callId, line: cardLine(target.command, callTitleLimit), agent };
}

/** A hook can only tighten: what is allowed asks instead, and is denied if no user is present. */
async function insisted(
  classified: Verdict,
  why: string,
  classifyPersonal: () => Promise<Verdict>,
): Promise<Verdict> {
  const reason = () => t('A hook asks for your decision: {0}', oneLine(escapeInvisibleText(why), 300));
  if (classified.kind === 'deny') return classified;
  // Both reasons are shown: for example a secret in a file and the hook's message.
  if (classified.kind === 'ask') return { ...classified, reason: () => `${reason()} ${classified.reason()}` };
  const personal = await classifyPersonal();
  if (personal.kind === 'ask') return { ...personal, reason };
  return denied(() => t("A hook asks for a user's decision on this call, but there is no user to ask."));
}

async function ask(
  call: PreparedCall,
  verdict: Extract<Verdict, { kind: 'ask' }>,
  calling: CallServices,
): Promise<AdmittedCall | CallOutcome> {
  const { reason, rule, commands, always, eachTime, sandboxed } = verdict;
  const { caller, approvals, clock } = calling;
  const { part, signal } = call.open;
  const { id: callId } = part;
  const id = clock.newId();
  caller.emit({
    type: 'call.asked',
    callId,
    ask: {
      id,
      ...formatReason(reason, sandboxed && (() => describeSandbox(sandboxed))),
      subject: shownSubject(subjectOf(call), verdict),
      always: always.map(offerToChoice),
      rule,
      commands,
      eachTime: always.length === 0 ? eachTime?.() : undefined,
    },
  });
  const decision = await approvals.wait(callId, id, signal);
  const said = decision.kind === 'deny' ? decision.reason?.trim() || undefined : undefined;
  await rememberChoice(decision, always, calling);
  caller.emit({ type: 'call.decided', callId, ...decisionFields(decision), reason: said });
  return decision.kind === 'deny' ? declined(call, said) : admitted(call, verdict, decision, calling);
}

/** A decision about a path covers all of it, so hidden characters are shown. */
function shownSubject(
  subject: AskSubject,
  { sandboxed }: Extract<Verdict, { readonly kind: 'ask' }>,
): AskSubject {
  if (subject.kind === 'command') return { ...subject, walls: sandboxed && describeSandbox(sandboxed) };
  if (subject.kind !== 'edit') return subject;
  return { ...subject, diff: { ...subject.diff, path: escapeInvisibleText(subject.diff.path) } };
}

/** Readers prepare no subject, so the request shows the paths that they read. */
function subjectOf({ tool: { name }, prepared: { subject, target } }: PreparedCall): AskSubject {
  if (subject) return subject;
  if (target?.kind !== 'paths' || target.access !== 'read') return { kind: 'other', detail: name };
  return { kind: 'read', paths: target.paths.map(escapeInvisibleText) };
}

function answerOf(decision: Decision): AdmittedCall['said'] {
  if (decision.kind === 'answers') return { answers: decision.answers };
  if (decision.kind === 'interactive') return { answering: 'now' };
  return decision.kind === 'plan' ? { approvedPlan: { mode: decision.mode } } : undefined;
}

async function declined({ prepared }: PreparedCall, said: string | undefined): Promise<CallOutcome> {
  if (prepared.declined) {
    const { reason, summary } = await prepared.declined(said);
    return deniedOutcome(reason, summary);
  }
  const because = said
    ? ` They said: ${said}`
    : ' They gave no reason: do not try the same again; ask or go another way.';
  return deniedOutcome(`The user denied this call; nothing was done.${because}`, () => said ?? t('Denied'));
}

/** Returns the content to write if the user changed it. */
function decidedProposal(decision: Decision, { prepared }: PreparedCall): EditProposal | undefined {
  const { proposal, subject } = prepared;
  if (!proposal) return undefined;
  const text = decidedText(decision, subject, proposal);
  return text === undefined
    ? proposal
    : { ...proposal, after: text, agentText: proposal.agentText ?? proposal.after };
}

function decidedText(
  decision: Decision,
  subject: AskSubject | undefined,
  proposal: EditProposal,
): string | undefined {
  if (decision.kind === 'edited') return decision.text;
  if (decision.kind !== 'hunks' || subject?.kind !== 'edit') return undefined;
  return applyHunks(proposal.before, proposal.after, subject.diff, decision.accepted);
}
