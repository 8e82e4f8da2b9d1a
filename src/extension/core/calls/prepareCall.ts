/* Announces a call and computes its effect. */

import { inEnglish, t } from '../../../protocol/language.ts';
import { abortable } from '../../base/abort.ts';
import { type BeforeCallResult, noObjection } from '../hooks/callHooks.ts';
import {
  advanceCall,
  type CallOutcome,
  deniedOutcome,
  type EndedCall,
  endCall,
  failedOutcome,
  type PreparedCall,
  type RequestedCall,
  toolContextOf,
} from './call.ts';
import type { CallPart, CallServices, OpenCall } from './calling.ts';
import {
  callTitleLimit,
  cardLine,
  invalidArguments,
  refusedTitle,
  shortArgs,
  unknownTool,
  unreadableArguments,
  withNote,
} from './describeCall.ts';
import { readArguments } from './readArguments.ts';

export async function prepareCall(
  call: RequestedCall,
  stepId: string,
  calling: CallServices,
): Promise<PreparedCall | EndedCall> {
  const { open, tool } = call;
  const { part, signal } = open;
  const { caller, proposals } = calling;
  const end = (outcome: CallOutcome) => endCall(open, outcome, calling);
  const given = tool && readArguments(tool, part.args);
  // A hook must change a call before it is shown. Without hooks, calls are announced immediately, in order.
  const asksHooks = part.unreadable === undefined && given?.parsed.success && caller.hooks?.isAsked();
  const hooked = asksHooks ? await askHooks(open, given.args, calling) : noObjection;
  const changed = hooked.kind === 'goes' ? hooked.args : undefined;
  const read = tool && changed ? readArguments(tool, changed) : given;
  const args = read?.args ?? part.args;
  const parsed = read?.parsed;
  const describe = () => {
    if (!tool) return cardLine(part.name, callTitleLimit);
    return cardLine(parsed?.success ? tool.title(parsed.data) : refusedTitle(tool, args), callTitleLimit);
  };
  // The journal also serves resumed sessions, so its title is English in every window.
  const [title, said] = [inEnglish(describe), describe()];
  caller.emit({
    type: 'call.requested',
    callId: part.id,
    stepId,
    tool: tool ? part.name : cardLine(part.name),
    effect: tool?.effect ?? 'note',
    title,
    said: said === title ? undefined : said,
    args: shortArgs(args),
  });
  if (hooked.kind === 'denied') return end(deniedOutcome(hooked.reason, hooked.summary));
  if (part.unreadable !== undefined) {
    const why = unreadableArguments(part.name, part.unreadable);
    return end(failedOutcome(why, () => t('The model sent invalid arguments'), calling));
  }
  if (!tool)
    return end(failedOutcome(unknownTool(part.name, namesOf(calling)), () => t('No such tool'), calling));
  const { note, ask: insist } = hooked;
  if (!parsed?.success) {
    const why = withNote(invalidArguments(part.name, parsed?.error), note);
    return end(failedOutcome(why, () => t('The model sent invalid arguments'), calling));
  }
  const input = parsed.data;
  return advanceCall(open, calling, async (): Promise<PreparedCall> => {
    const prepared = await abortable(tool.prepare(input, toolContextOf(open, calling)), signal);
    if (prepared.proposal) proposals.keep(part.id, prepared.proposal);
    return { phase: 'prepared', open, tool, args, input, title, prepared, note, insist };
  });
}

async function askHooks(
  { part, signal }: OpenCall,
  args: CallPart['args'],
  { caller }: CallServices,
): Promise<BeforeCallResult> {
  try {
    const { id: callId, name: tool } = part;
    return (await caller.hooks?.before({ callId, tool, args, signal })) ?? noObjection;
  } catch (error) {
    // The call is still announced, and then ends as stopped.
    if (!signal.aborted) throw error;
    return noObjection;
  }
}

/** Names of the tools that the caller could have called. */
function namesOf({ caller, policy }: CallServices): readonly string[] {
  const { tools, mode, agent } = caller;
  const offered = [...tools.values()].filter(
    tool => (tool.isOffered?.() ?? true) && !policy.forbids(tool, mode(), agent),
  );
  return offered.map(({ name }) => name);
}
