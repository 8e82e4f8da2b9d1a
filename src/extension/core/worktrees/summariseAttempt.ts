import { sumCounts } from '../../../protocol/changes.ts';
import { uncountedWorkStart } from '../../../protocol/fold/activity.ts';
import { addFileCounts } from '../../../protocol/fold/fileCounts.ts';
import { iterate } from '../../../protocol/pagedList.ts';
import type { AttemptFacts, TestsOfAttempt } from '../../../protocol/panel/comparison.ts';
import { openStatusOf } from '../../../protocol/panel/sessions.ts';
import type { CallItem, SessionState } from '../../../protocol/state.ts';
import type { FileCounts } from '../../../protocol/values.ts';
import type { AnyTool } from '../tool.ts';

/** Tool whose latest outcome is shown. */
const testsTool = 'run_tests';
/** Name of the user's call that takes an attempt home. */
const takingTool = 'bring_home';

export function summariseAttempt(state: SessionState): AttemptFacts {
  const { chapters, activity, newestWait, cost, unpriced, worktree } = state;
  const touched = chapters.flatMap(each => each.files).filter(file => !isAtHome(file, worktree));
  const files = touched.reduce(addFileCounts, [] as readonly FileCounts[]);
  const calls = callsOf(state);
  return {
    status: openStatusOf(state),
    since:
      activity.status === 'resting'
        ? undefined
        : uncountedWorkStart(activity.since, chapters.at(-1)!.startedAt, newestWait),
    activeMs: chapters.reduce((sum, each) => sum + each.activeMs, 0),
    cost,
    unpriced,
    files: files.length,
    counts: sumCounts(files),
    chapters: chapters.flatMap(({ title }) => (title === '' ? [] : [title])),
    tests: describeTests(calls),
    worktree: worktree?.name,
    taken: isTaken(calls, worktree),
  };
}

/** Files written while taking the attempt are not part of its work. */
function isAtHome({ path }: FileCounts, worktree: SessionState['worktree']): boolean {
  return worktree !== undefined && path.startsWith(worktree.home) && !path.startsWith(worktree.path);
}

function callsOf({ chapters }: SessionState): readonly CallItem[] {
  return chapters.flatMap(({ items }) => [...iterate(items)].filter(item => item.type === 'call'));
}

/** Returns the latest test run, and whether files changed since. */
function describeTests(calls: readonly CallItem[]): TestsOfAttempt | undefined {
  const at = calls.findLastIndex(({ tool, args }) => tool === testsTool && args.list !== true);
  const run = calls[at];
  if (!run) return undefined;
  const { status } = run;
  if (status.kind !== 'ended') return { summary: '' };
  const { detail, summary } = status.display;
  const passed = detail?.kind === 'command' ? status.outcome === 'ok' && detail.exitCode === 0 : undefined;
  return { summary, passed, outdated: calls.slice(at + 1).some(hasEdited) };
}

/** A conflict leaves changes to bring home. If that is unknown, the calls tell whether it was taken. */
function isTaken(calls: readonly CallItem[], worktree: SessionState['worktree']): boolean {
  const at = calls.findLastIndex(
    ({ tool, status }) => tool === takingTool && status.kind === 'ended' && status.outcome === 'ok',
  );
  if (at < 0) return false;
  return worktree?.settled ? worktree.settled.left === 0 : !calls.slice(at + 1).some(hasEdited);
}

function hasEdited({ tool, status }: CallItem): boolean {
  if (tool === takingTool || status.kind !== 'ended' || status.outcome !== 'ok') return false;
  return status.display.detail?.kind === 'diff' || (status.display.touched?.length ?? 0) > 0;
}

/** Returns the user's call that runs the project's tests; absent: unknown how to run them. */
export function findTestCall(tools: readonly AnyTool[]) {
  const tool = tools.find(({ name }) => name === testsTool);
  return tool && { tool, deed: 'they ran the tests', args: {} };
}
