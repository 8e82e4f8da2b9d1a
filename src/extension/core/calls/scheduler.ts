/*
 * Runs the calls of one model answer, in this order:
 *
 *   1. calls marked `first` (the chapter heading) before all others
 *   2. then in the model's order: adjacent readers together, all others one by one; a command known to be read-only
 *      counts as a reader
 *
 * Calls of a group are prepared together, ask the user one at a time, and run together once allowed. A writer is
 * prepared only when its turn has come, so that it sees earlier writes, also those of concurrent agents. Returns
 * exactly one result per call, in the model's order. A hook may request another call after one: it is announced,
 * classified and run like any other, and its result replaces the first.
 */

import { admitCall } from './admission.ts';
import { type AdmittedCall, createCall, type EndedCall, type RequestedCall } from './call.ts';
import type { CallPart, CallServices, ResultPart, RunToolCall } from './calling.ts';
import { executeCall } from './executeCall.ts';
import { prepareCall } from './prepareCall.ts';
import { readArguments } from './readArguments.ts';

/** Never rejects: an abort ends the open calls as cancelled. */
export async function runCalls(
  parts: readonly CallPart[],
  stepId: string,
  calling: CallServices,
  signal: AbortSignal,
): Promise<readonly ResultPart[]> {
  const calls = parts.map(part => createCall(part, calling, signal));
  const results = new Map<RequestedCall, ResultPart>();
  const mayReadTogether = calls.length > 1 && calls.some(({ tool }) => tool?.commandLine);
  const readingCommands = mayReadTogether ? await findReadingCommands(calls, calling) : noCommands;
  for (const group of groupsOf(calls, readingCommands)) {
    const ended = await runGroup(group, stepId, calling);
    for (const [at, call] of group.entries())
      results.set(call, await followTail(ended[at]!, stepId, calling, signal));
  }
  return calls.map(call => results.get(call)!);
}

/** Only calls that write or run wait for those of other agents. */
async function runGroup(
  group: readonly RequestedCall[],
  stepId: string,
  calling: CallServices,
): Promise<readonly EndedCall[]> {
  const { beside } = calling.caller;
  const make = callMaker(stepId, calling);
  let ended: readonly EndedCall[] = [];
  const work = async () => {
    const reached = await Promise.all(group.map(call => prepareCall(call, stepId, calling)));
    const decided: (AdmittedCall | EndedCall)[] = [];
    for (const call of reached)
      decided.push(call.phase === 'prepared' ? await admitCall(call, calling) : call);
    ended = await Promise.all(
      decided.map(call => (call.phase === 'admitted' ? executeCall(call, calling, make) : call)),
    );
  };
  await (beside && group.some(acts) ? beside.write(work) : work());
  return ended;
}

/** Characters of a result that a script gets uncut; scripts can read more than models. */
const scriptLimit = 4_000_000;

function callMaker(stepId: string, calling: CallServices): RunToolCall {
  const { save, keep } = calling.outputs;
  const outputs = { save, keep: keep.bind(calling.outputs), limit: scriptLimit };
  return async (part, caller, signal) => {
    const [result] = await runCalls([part], stepId, { ...calling, caller, outputs }, signal);
    return result!;
  };
}

/** Calls in a row that hooks may add before the last result counts. */
const maxTailCalls = 5;

/** Runs calls that hooks requested after a call. Returns the last result as that of the first call. */
async function followTail(
  first: EndedCall,
  stepId: string,
  calling: CallServices,
  signal: AbortSignal,
): Promise<ResultPart> {
  let newest = first;
  for (let count = 0; count < maxTailCalls && newest.tailCall && !signal.aborted; count++) {
    const { name, args } = newest.tailCall;
    const call = createCall({ kind: 'call', id: calling.clock.newId(), name, args }, calling, signal);
    const [ended] = await runGroup([call], stepId, calling);
    newest = ended!;
  }
  const { result } = first;
  if (newest === first) return result;
  const { name, text, ok, blobs } = newest.result;
  const lead = `A hook had ${name} run after this call. In place of this call's result stands that of ${name}:`;
  return { ...result, ok, blobs, text: `${lead}\n\n${text}` };
}

const noCommands: ReadonlySet<RequestedCall> = new Set();

/** Finds commands known to be read-only. A single call need not be analysed. */
async function findReadingCommands(
  calls: readonly RequestedCall[],
  calling: CallServices,
): Promise<ReadonlySet<RequestedCall>> {
  const reads = await Promise.all(calls.map(call => runsReadingCommand(call, calling)));
  return new Set(calls.filter((_call, at) => reads[at]));
}

/** True if the call runs a read-only command, as far as known before it is prepared. */
async function runsReadingCommand(
  { tool, open: { part } }: RequestedCall,
  { caller, policy }: CallServices,
): Promise<boolean> {
  // A hook may replace the command.
  if (!tool?.commandLine || caller.hooks?.isAsked()) return false;
  const { parsed } = readArguments(tool, part.args);
  const line = parsed.success ? tool.commandLine(parsed.data) : undefined;
  return line !== undefined && (await policy.onlyReads(line));
}

function groupsOf(
  calls: readonly RequestedCall[],
  readingCommands: ReadonlySet<RequestedCall>,
): readonly (readonly RequestedCall[])[] {
  const isReader = (call: RequestedCall) => call.tool?.effect === 'read' || readingCommands.has(call);
  const ordered = [...calls.filter(call => call.tool?.first), ...calls.filter(call => !call.tool?.first)];
  const groups: RequestedCall[][] = [];
  for (const call of ordered) {
    const last = groups.at(-1);
    if (last && isReader(call) && last.every(isReader)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

function acts({ tool }: RequestedCall): boolean {
  return tool?.effect === 'edit' || tool?.effect === 'run';
}
