import { expect, test } from 'vitest';
import { summariseAttempt } from '../../src/extension/core/worktrees/summariseAttempt.ts';
import type { TestsOfAttempt } from '../../src/protocol/panel/comparison.ts';
import type { CallItem, Chapter } from '../../src/protocol/state.ts';
import { emptySession, type SessionState } from '../../src/protocol/state.ts';

const worktree = { name: 'work-1', path: '/home/me/wt/work-1', home: '/home/me/app', base: 'abc' };

function call(tool: string, display: object, outcome = 'ok'): CallItem {
  return {
    type: 'call',
    tool,
    args: {},
    status: { kind: 'ended', outcome, display: { summary: '', ...display } },
  } as unknown as CallItem;
}

const tests = (exitCode: number | null, summary: string) =>
  call('run_tests', { summary, detail: { kind: 'command', exitCode, output: '' } });
const edit = call('replace', { detail: { kind: 'diff' } });
const command = call('run_shell_command', { touched: [{ path: 'a.ts', added: 1, removed: 0 }] });
const taking = call('bring_home', { touched: [{ path: '/home/me/app/a.ts', added: 1, removed: 0 }] });

function state(calls: readonly CallItem[], more: Partial<Chapter> = {}): SessionState {
  const [opening] = emptySession.chapters;
  const chapter = { ...opening!, id: 'c1', title: 'Work', items: { pages: [calls] }, ...more };
  return {
    ...emptySession,
    chapters: [opening!, chapter as unknown as Chapter],
    worktree: { ...worktree, workspace: [] },
  };
}

test.each<[string, readonly CallItem[], TestsOfAttempt | undefined]>([
  ['no run of tests', [edit], undefined],
  ['a run that passed', [edit, tests(0, '3 passed')], { summary: '3 passed', passed: true }],
  ['a run that failed', [edit, tests(1, '1 failed')], { summary: '1 failed', passed: false }],
  ['a run that was ended by a signal', [tests(null, 'Stopped')], { summary: 'Stopped', passed: false }],
  [
    'the newest of several runs',
    [tests(1, '1 failed'), tests(0, '3 passed')],
    { summary: '3 passed', passed: true },
  ],
  [
    'a run before an edit',
    [tests(0, '3 passed'), edit],
    { summary: '3 passed', passed: true, outdated: true },
  ],
  [
    'a run before a command that changed a file',
    [tests(0, '3 passed'), command],
    { summary: '3 passed', passed: true, outdated: true },
  ],
  [
    'a run before the attempt was taken',
    [tests(0, '3 passed'), taking],
    { summary: '3 passed', passed: true },
  ],
  ["a run in the editor's own runner", [call('run_tests', { summary: '3 passed' })], { summary: '3 passed' }],
  ['a list of tests', [{ ...tests(0, '9 listed'), args: { list: true } }], undefined],
])('%s is what the attempt says of its tests', (_, calls, expected) => {
  expect(summariseAttempt(state(calls)).tests).toEqual(expected && { outdated: false, ...expected });
});

test('files that were written at home as the attempt was taken are not counted twice', () => {
  const files = [
    { path: 'a.ts', added: 4, removed: 1 },
    { path: '/home/me/app/a.ts', added: 4, removed: 1 },
    { path: '/home/me/wt/work-1/b.ts', added: 1, removed: 0 },
  ];
  const { files: count, counts } = summariseAttempt(state([edit, taking], { files }));
  expect([count, counts.added, counts.removed]).toEqual([2, 5, 1]);
});

test('an attempt is taken until it edits again', () => {
  expect(summariseAttempt(state([edit, taking])).taken).toBe(true);
  expect(summariseAttempt(state([edit, taking, edit])).taken).toBe(false);
  expect(summariseAttempt(state([edit, call('bring_home', {}, 'failed')])).taken).toBe(false);
});

test('an attempt of which a conflict was left is not taken', () => {
  const left = (left: number) => ({
    ...state([edit, taking]),
    worktree: { ...worktree, workspace: [], settled: { left, conflicts: left } },
  });
  expect(summariseAttempt(left(1)).taken).toBe(false);
  expect(summariseAttempt(left(0)).taken).toBe(true);
});

test('work since the newest wait is not in the sum yet', () => {
  const working = { status: 'working', turnId: 't', since: 1_000 } as const;
  const at = (more: Partial<SessionState>) => summariseAttempt({ ...state([]), activity: working, ...more });
  expect(at({}).since).toBe(1_000);
  expect(at({ newestWait: { from: 2_000, until: 5_000 } }).since).toBe(5_000);
  expect(summariseAttempt(state([])).since).toBeUndefined();
});
