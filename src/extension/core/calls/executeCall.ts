/* Runs an admitted call and reports its outcome. */

import { inEnglish } from '../../../protocol/language.ts';
import { messageOf } from '../../base/errors.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Diagnostic } from '../../platform/diagnostics.ts';
import type { HostAccessDecision } from '../../platform/sandbox.ts';
import { mentionsGit } from '../changes/gitCommandTracker.ts';
import type { AfterCallResult, CallEnd } from '../hooks/callHooks.ts';
import {
  type CallerFacts,
  type TerminalRestart,
  ToolFailure,
  type ToolResult,
  type ToolRunContext,
} from '../tool.ts';
import { askWithoutQueue } from './askDuring.ts';
import {
  type AdmittedCall,
  advanceCall,
  type CallOutcome,
  cancelledOutcome,
  type EndedCall,
  endCall,
  failedOutcome,
  toolContextOf,
} from './call.ts';
import type { CallServices, OpenCall, RunToolCall } from './calling.ts';
import { withNote } from './describeCall.ts';
import { resultText, withChanges } from './resultText.ts';

/** Milliseconds that a stopped tool gets to end on its own before it is abandoned. */
const stopGraceMs = 1500;

/** @param make makes nested calls for the tool */
export async function executeCall(
  call: AdmittedCall,
  calling: CallServices,
  make: RunToolCall,
): Promise<EndedCall> {
  const { open, tool, proposal, files, reads } = call;
  const { target } = call.prepared;
  const { part, signal } = open;
  if (signal.aborted) return endCall(open, cancelledOutcome(open), calling);
  return advanceCall<never>({ ...open, since: calling.clock.now() }, calling, async () => {
    const canRestart = isOffered(call) || undefined;
    calling.caller.emit({ type: 'call.started', callId: part.id, canRestart });
    const problemsBefore = proposal ? await findProblems(proposal.path, open, calling) : [];
    const usesGit = target?.kind === 'command' && mentionsGit(target.command);
    // The effects of a server's tool are unknown.
    const mayStage = usesGit || target?.kind !== 'command';
    const watched = { effect: tool.effect, files, reads, usesGit, mayStage, signal, callId: part.id };
    const { result: ran, changes } = await calling.changes.watch(watched, () => run(call, calling, make));
    if (ran instanceof ToolFailure) return afterFailure(call, ran, calling);
    const result = withChanges(ran, changes);
    const text = await resultText(result, open, problemsBefore, calling);
    const after = await reportHooks(call, { text, summary: ran.display.summary, ok: true }, calling);
    const blobs = after.heldBack ? undefined : result.blobs;
    return { kind: 'ok', text: after.text, display: result.display, blobs, tailCall: after.tailCall };
  });
}

async function run(
  call: AdmittedCall,
  calling: CallServices,
  make: RunToolCall,
): Promise<ToolResult | ToolFailure> {
  const { open, tool, input, prepared, files, proposal, said } = call;
  try {
    const sandboxed = attended(call, calling);
    const surface = surfaceOf(open, calling, make);
    const context = { ...toolContextOf(open, calling), files, proposal, sandboxed, ...said };
    const work = (restart?: TerminalRestart) => {
      const running = tool.run(
        input,
        prepared.plan,
        { ...context, answering: restart ?? said?.answering },
        surface,
      );
      return tool.windsUp ? running : withGrace(running, open.signal, calling.clock);
    };
    return await (isOffered(call) ? offerRestart(call, work, calling) : work());
  } catch (error) {
    if (!(error instanceof ToolFailure) || open.signal.aborted) throw error;
    return error;
  }
}

function surfaceOf(
  { part, signal }: OpenCall,
  { caller: { works, forScript } }: CallServices,
  make: RunToolCall,
): CallerFacts {
  return {
    forScript,
    openWork: works && (task => works.open({ ...task, callId: part.id }, make, signal)),
  };
}

/** Without a user nothing can ask, and a read-only command does not connect. */
function attended(call: AdmittedCall, calling: CallServices): ToolRunContext['sandboxed'] {
  const { sandboxed, reads } = call;
  if (sandboxed?.kind !== 'up' || reads || !calling.policy.interactive) return sandboxed;
  return { ...sandboxed, askToConnect: (hosts, withdrawn) => connectDuring(call, hosts, calling, withdrawn) };
}

/** True for a command without a terminal that could have one. */
function isOffered({ prepared: { subject }, said }: AdmittedCall): boolean {
  return subject?.kind === 'command' && subject.terminal === 'offered' && said?.answering === undefined;
}

function offerRestart<T>(
  { open: { part, live } }: AdmittedCall,
  work: (restart: TerminalRestart) => Promise<T>,
  { caller, restarts }: CallServices,
): Promise<T> {
  const begin = () => {
    live.flush();
    caller.emit({ type: 'call.started', callId: part.id });
  };
  return restarts.during(part.id, wanted => work({ wanted, begin }));
}

async function afterFailure(
  call: AdmittedCall,
  failure: ToolFailure,
  calling: CallServices,
): Promise<CallOutcome> {
  const { message, summary } = failure;
  const { text, tailCall } = await reportHooks(call, { text: message, summary, ok: false }, calling);
  return { ...failedOutcome(text, summary, calling), tailCall };
}

/** Hooks are also notified of a call that ran and failed. */
async function reportHooks(
  { open: { part, signal }, args, note }: AdmittedCall,
  { text, ...end }: CallEnd,
  { caller }: CallServices,
): Promise<AfterCallResult> {
  const noted = withNote(text, note);
  const hooked = { callId: part.id, tool: part.name, args, signal };
  const after = await caller.hooks?.after(hooked, { text: noted, ...end });
  return after ?? { text: noted, heldBack: false };
}

/** Returns `undefined` if they cannot be determined. */
function findProblems(
  path: string,
  { signal }: OpenCall,
  { diagnostics, log }: CallServices,
): Promise<readonly Diagnostic[] | undefined> {
  return diagnostics.read(path, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn(`Problems of ${path} are unknown: ${messageOf(error)}`);
    return undefined;
  });
}

/** After an abort, gives the tool a moment to end on its own, so that nothing is left half done. */
function withGrace<T>(running: Promise<T>, signal: AbortSignal, clock: Clock): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    running.then(resolve, reject);
    const abort = () => void clock.sleep(stopGraceMs).then(() => reject(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    running
      .finally(() => signal.removeEventListener('abort', abort))
      .catch(() => {
        // The rejection reaches the caller through `reject` above.
      });
  });
}

/*
 * Asks the policy, and maybe the user, whether a sandboxed command may connect to hosts without a grant.
 * Rejects with the reason of `withdrawn`, or of the end of the call.
 */

/** Rejects with the reason of `withdrawn` or of the end of the call. */
async function connectDuring(
  { open, tool: { name, effect }, prepared: { target }, input: args }: AdmittedCall,
  hosts: readonly string[],
  calling: CallServices,
  withdrawn: AbortSignal,
): Promise<HostAccessDecision> {
  const { policy, caller } = calling;
  if (target?.kind !== 'command') return { kind: 'refused', why: 'This is no command.' };
  const { mode, agent } = caller;
  const query = { tool: name, effect, target, args, mode: mode(), agent };
  const settle = async (): Promise<HostAccessDecision> => {
    const verdict = await policy.classifyHosts(query, hosts);
    if (verdict.kind === 'allow') return { kind: 'granted' };
    if (verdict.kind === 'deny') return { kind: 'refused', why: inEnglish(verdict.reason) };
    const { reason, always } = verdict;
    const subject = {
      kind: 'connect',
      hosts: hosts.map(escapeInvisibleText),
      command: target.command,
    } as const;
    const decision = await askWithoutQueue(open, { reason, subject, always }, calling, withdrawn);
    if (decision.kind !== 'deny') return { kind: 'granted' };
    const said = decision.reason?.trim();
    const because = said ? ` They said: ${said}` : '';
    return {
      kind: 'refused',
      why: `The user did not let this command connect to ${hosts.join(', ')}.${because}`,
    };
  };
  // The answer to another agent's command may meanwhile cover this one, too.
  return caller.beside ? await caller.beside.ask(settle) : await settle();
}
