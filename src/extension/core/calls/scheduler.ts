/*
 * The calls of one model answer. Order of work:
 *
 *   1. calls marked `first` (the chapter heading) before all others
 *   2. then in the model's order, readers that stand side by side together, everything else alone
 *
 * Within a group all are prepared together, the person is asked one at a time, and what is allowed runs
 * together. A writer is prepared only when its turn has come, so that it sees what those before it wrote; among
 * agents that work side by side, too.
 * Results come back in the model's order, exactly one for each call.
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
  for (const group of groupsOf(runs)) {
    const work = async () => {
      await Promise.all(group.map(run => run.prepare(stepId)));
      for (const run of group) await run.admit();
      await Promise.all(group.map(async run => results.set(run, await run.execute())));
    };
    await (around.beside && group.some(acts) ? around.beside.write(work) : work());
  }
  return runs.map(run => results.get(run)!);
}

function groupsOf(runs: readonly CallRun[]): readonly (readonly CallRun[])[] {
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

function isReader(run: CallRun): boolean {
  return run.tool?.effect === 'read';
}
