/*
 * The calls of one model answer. Order of work:
 *
 *   1. calls marked `first` (the chapter heading) before all others
 *   2. then in the model's order, readers that stand side by side together, everything else alone; a command that is
 *      known to only read is a reader, too
 *
 * Within a group all are prepared together, the person is asked one at a time, and what is allowed runs
 * together. A writer is prepared only when its turn has come, so that it sees what those before it wrote; among
 * agents that work side by side, too.
 * Results come back in the model's order, exactly one for each call. A hook may have another call run behind one: it
 * is announced, judged and run like any, and its result stands in place of the first.
 */

import { CallRun } from './callRun.ts';
import type { CallPart, CallSurroundings, ResultPart } from './surroundings.ts';

/** Never rejects: an abort ends the open calls as cancelled. */
export async function runCalls(
  calls: readonly CallPart[],
  stepId: string,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<readonly ResultPart[]> {
  const runs = calls.map(call => new CallRun(call, around, signal));
  const results = new Map<CallRun, ResultPart>();
  const mayReadTogether = runs.length > 1 && runs.some(({ tool }) => tool?.commandLine);
  const readingCommands = mayReadTogether ? await findReadingCommands(runs) : noCommands;
  for (const group of groupsOf(runs, readingCommands)) {
    const work = async () => {
      await Promise.all(group.map(run => run.prepare(stepId)));
      for (const run of group) await run.admit();
      await Promise.all(group.map(async run => results.set(run, await run.execute())));
    };
    await inLane(group, work, around);
    for (const run of group)
      results.set(run, await followTail(run, results.get(run)!, stepId, around, signal));
  }
  return runs.map(run => results.get(run)!);
}

/** So many calls may follow each other because of hooks, before the last result counts. */
const mostTailCalls = 5;

/** Runs what hooks want to run behind a call. The result is the model's for the call that it made. */
async function followTail(
  first: CallRun,
  result: ResultPart,
  stepId: string,
  around: CallSurroundings,
  signal: AbortSignal,
): Promise<ResultPart> {
  let newest = { run: first, result };
  for (let count = 0; count < mostTailCalls && newest.run.tailCall && !signal.aborted; count++) {
    const { name, args } = newest.run.tailCall;
    const run = new CallRun({ kind: 'call', id: around.clock.newId(), name, args }, around, signal);
    const work = async () => {
      await run.prepare(stepId);
      await run.admit();
      newest = { run, result: await run.execute() };
    };
    await inLane([run], work, around);
  }
  if (newest.run === first) return result;
  const { name, text, ok, blobs } = newest.result;
  const lead = `A hook had ${name} run after this call. In place of this call's result stands that of ${name}:`;
  return { ...result, ok, blobs, text: `${lead}\n\n${text}` };
}

/** Only calls that write or run wait for those of other agents. */
async function inLane(
  group: readonly CallRun[],
  work: () => Promise<void>,
  { caller: { beside } }: CallSurroundings,
): Promise<void> {
  await (beside && group.some(acts) ? beside.write(work) : work());
}

const noCommands: ReadonlySet<CallRun> = new Set();

/** Commands that are known to only read. A call that is alone needs no look at its command. */
async function findReadingCommands(runs: readonly CallRun[]): Promise<ReadonlySet<CallRun>> {
  const reads = await Promise.all(runs.map(run => run.commandReads()));
  return new Set(runs.filter((_run, at) => reads[at]));
}

function groupsOf(
  runs: readonly CallRun[],
  readingCommands: ReadonlySet<CallRun>,
): readonly (readonly CallRun[])[] {
  const isReader = (run: CallRun) => run.tool?.effect === 'read' || readingCommands.has(run);
  const ordered = [...runs.filter(run => run.tool?.first), ...runs.filter(run => !run.tool?.first)];
  const groups: CallRun[][] = [];
  for (const run of ordered) {
    const last = groups.at(-1);
    if (last && isReader(run) && last.every(isReader)) last.push(run);
    else groups.push([run]);
  }
  return groups;
}

function acts(run: CallRun): boolean {
  return run.tool?.effect === 'edit' || run.tool?.effect === 'run';
}
