/* Decides whether a prepared call may run: asks the policy, and where the policy says so the person. */

import type { AskSubject } from '../../../protocol/asks.ts';
import { inEnglish, t } from '../../../protocol/language.ts';
import { showHidden } from '../../base/hiddenText.ts';
import { oneLine } from '../../base/text.ts';
import type { CallWriter } from '../changes/changes.ts';
import { takeHunks } from '../changes/partialProposal.ts';
import type { OpenCommand } from '../policy/commandJudge.ts';
import { toChoice } from '../policy/offers.ts';
import { deny, type Verdict } from '../policy/verdict.ts';
import { describeWalls, outsideOnce } from '../policy/walls.ts';
import type { Proposal } from '../tool.ts';
import type { Decision } from './approvals.ts';
import { sayReason } from './askDuring.ts';
import {
  type AdmittedCall,
  advance,
  denied,
  type EndedCall,
  type Outcome,
  type PreparedCall,
} from './call.ts';
import type { Calling } from './calling.ts';
import { cardLine, titleLimit } from './describeCall.ts';
import { keepChoice } from './keepChoice.ts';

export function admitCall(call: PreparedCall, calling: Calling): Promise<AdmittedCall | EndedCall> {
  return advance(call.open, calling, async () => {
    const verdict = await judge(call, calling);
    const { beside } = calling.caller;
    if (verdict.kind !== 'ask' || !beside) return settle(call, verdict, calling);
    // The person's answer to another call may meanwhile cover this one, too.
    return beside.ask(async () => settle(call, await judge(call, calling), calling));
  });
}

async function judge(
  { open, tool: { name, effect }, prepared: { target, mustAsk }, input: args, insist }: PreparedCall,
  { policy, commandJudge, caller }: Calling,
): Promise<Verdict> {
  const { mode, agent, own } = caller;
  const query = { tool: name, effect, target, mustAsk, args, mode: mode(), agent, own };
  if (insist === undefined) {
    const hear = commandJudge && ((asked: OpenCommand) => commandJudge.judge(asked, open.signal));
    return await policy.judge({ ...query, hear });
  }
  return await insisted(await policy.judge(query), insist, () => policy.judge({ ...query, mustAsk: true }));
}

async function settle(
  call: PreparedCall,
  verdict: Verdict,
  calling: Calling,
): Promise<AdmittedCall | Outcome> {
  if (verdict.kind !== 'deny' && verdict.judged)
    calling.caller.emit({ type: 'call.judged', callId: call.open.part.id, judged: verdict.judged });
  switch (verdict.kind) {
    case 'allow':
      return admitted(call, verdict, undefined, calling);
    case 'deny':
      return denied(inEnglish(verdict.reason), verdict.reason);
    case 'ask':
      return ask(call, verdict, calling);
  }
}

/** @param decision of a person who has looked at what it will do; absent: nobody has */
function admitted(
  call: PreparedCall,
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  decision: Decision | undefined,
  { changes, proposals, caller }: Calling,
): AdmittedCall {
  const { open, tool, args, input, prepared, note } = call;
  const proposal = decision ? decidedProposal(decision, call) : prepared.proposal;
  if (proposal && proposal !== prepared.proposal) proposals.keep(open.part.id, proposal);
  // A person who allowed something else than a text has not seen what it writes.
  const look = decision && prepared.subject?.kind === 'edit' ? 'seen' : 'unseen';
  const files = changes.filesOf(writerOf(call, caller.agent), look);
  const said = decision && answerOf(decision);
  const reads = verdict.reads ?? false;
  const walls = wallsAfter(verdict, decision);
  return { phase: 'admitted', open, tool, args, input, prepared, note, proposal, said, walls, reads, files };
}

/** The person may let a command out for this once. */
function wallsAfter(
  verdict: Exclude<Verdict, { readonly kind: 'deny' }>,
  decision: Decision | undefined,
): AdmittedCall['walls'] {
  if (verdict.kind !== 'ask' || decision?.kind !== 'always') return verdict.walls;
  return decision.choice === outsideOnce.id ? undefined : verdict.walls;
}

function writerOf(
  { open, prepared: { target }, title: words }: PreparedCall,
  agent: string | undefined,
): CallWriter {
  const { id: callId } = open.part;
  if (target?.kind !== 'command') return { kind: 'call', callId, words, agent };
  return { kind: 'command', callId, line: cardLine(target.command, titleLimit), agent };
}

/** A hook can only make it stricter: what is allowed is asked, and denied where nobody is there to ask. */
async function insisted(
  judged: Verdict,
  why: string,
  judgePersonal: () => Promise<Verdict>,
): Promise<Verdict> {
  const reason = () => t('A hook wants you to decide: {0}', oneLine(showHidden(why), 300));
  if (judged.kind === 'deny') return judged;
  // Both must be seen: that a file may hold secrets, and what the hook says of it.
  if (judged.kind === 'ask') return { ...judged, reason: () => `${reason()} ${judged.reason()}` };
  const personal = await judgePersonal();
  if (personal.kind === 'ask') return { ...personal, reason };
  return deny(() => t('A hook wants a person to decide on this call, and nobody is there.'));
}

async function ask(
  call: PreparedCall,
  verdict: Extract<Verdict, { kind: 'ask' }>,
  calling: Calling,
): Promise<AdmittedCall | Outcome> {
  const { reason, rule, commands, always, walls } = verdict;
  const { caller, approvals, clock } = calling;
  const { part, signal } = call.open;
  const { id: callId } = part;
  const id = clock.newId();
  caller.emit({
    type: 'call.asked',
    callId,
    ask: {
      id,
      ...sayReason(reason, walls && (() => describeWalls(walls))),
      subject: shownSubject(subjectOf(call), verdict),
      always: always.map(toChoice),
      rule,
      commands,
    },
  });
  const decision = await approvals.wait(callId, id, signal);
  const said = decision.kind === 'deny' ? decision.reason?.trim() || undefined : undefined;
  await keepChoice(decision, always, calling);
  caller.emit({ type: 'call.decided', callId, decision: decision.kind, reason: said });
  return decision.kind === 'deny' ? declined(call, said) : admitted(call, verdict, decision, calling);
}

/** A decision about a path covers everything in it, so the ask shows everything in it. */
function shownSubject(
  subject: AskSubject,
  { walls }: Extract<Verdict, { readonly kind: 'ask' }>,
): AskSubject {
  if (subject.kind === 'command') return { ...subject, walls: walls && describeWalls(walls) };
  if (subject.kind !== 'edit') return subject;
  return { ...subject, diff: { ...subject.diff, path: showHidden(subject.diff.path) } };
}

/** Readers prepare nothing to be shown; when they are asked about, it is for what they read. */
function subjectOf({ tool: { name }, prepared: { subject, target } }: PreparedCall): AskSubject {
  if (subject) return subject;
  if (target?.kind !== 'paths' || target.access !== 'read') return { kind: 'other', detail: name };
  return { kind: 'read', paths: target.paths.map(showHidden) };
}

function answerOf(decision: Decision): AdmittedCall['said'] {
  if (decision.kind === 'answers') return { answers: decision.answers };
  if (decision.kind === 'interactive') return { answering: 'now' };
  return decision.kind === 'plan' ? { approvedPlan: { mode: decision.mode } } : undefined;
}

async function declined({ prepared }: PreparedCall, said: string | undefined): Promise<Outcome> {
  if (prepared.declined) {
    const { reason, summary } = await prepared.declined(said);
    return denied(reason, summary);
  }
  const because = said
    ? ` They said: ${said}`
    : ' They gave no reason: do not try the same again; ask or go another way.';
  return denied(`The person denied this call; nothing was done.${because}`, () => said ?? t('Denied'));
}

/** The content to write, when the person changed it. */
function decidedProposal(decision: Decision, { prepared }: PreparedCall): Proposal | undefined {
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
  proposal: Proposal,
): string | undefined {
  if (decision.kind === 'edited') return decision.text;
  if (decision.kind !== 'hunks' || subject?.kind !== 'edit') return undefined;
  return takeHunks(proposal.before, proposal.after, subject.diff, decision.accepted);
}
