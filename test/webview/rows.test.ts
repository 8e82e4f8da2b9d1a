import { expect, test } from 'vitest';
import type { OutcomeKind } from '../../src/protocol/events.ts';
import type { HookOutcome } from '../../src/protocol/hooks.ts';
import type { PanelCall, PanelItem } from '../../src/protocol/panel/panelState.ts';
import type { HookItem } from '../../src/protocol/state.ts';
import { rowsOf, summarizeReadCalls } from '../../src/webview/transcript/rows/rows.ts';

function call(id: string, tool: string, outcome: OutcomeKind | 'running' = 'ok'): PanelCall {
  return {
    type: 'call',
    id,
    stepId: 's',
    tool,
    title: tool,
    args: {},
    effect: tool === 'create_new_topic' ? 'note' : 'read',
    status:
      outcome === 'running'
        ? { kind: 'running', startedAt: 0, output: '' }
        : { kind: 'ended', outcome, display: { summary: '' }, durationMs: 1 },
  };
}

const said: PanelItem = { type: 'text', id: 'x', stepId: 's', text: 'So.' };
const kinds = (items: readonly PanelItem[]) =>
  rowsOf(items).map(row => {
    if (row.kind === 'hooks') return `${row.hooks.length} hooks`;
    return row.kind === 'readers' ? row.calls.length : row.item.type;
  });

function hook(id: string, outcome: HookOutcome, output = ''): HookItem {
  return {
    type: 'hook',
    id,
    event: 'BeforeTool',
    name: 'check',
    status: { kind: 'ended', outcome, summary: '', output, durationMs: 1 },
  };
}

test('finished readers that follow each other become one line', () => {
  expect(kinds([call('a', 'read_file'), call('b', 'glob'), said, call('c', 'read_file')])).toEqual([
    2,
    'text',
    'call',
  ]);
});

test('a reader that runs or failed is shown automatically', () => {
  expect(kinds([call('a', 'read_file', 'failed'), call('b', 'read_file', 'running')])).toEqual([
    'call',
    'call',
  ]);
});

test('a topic call shows only when it failed, and does not part a run', () => {
  const run = [call('a', 'read_file'), call('t', 'create_new_topic'), call('b', 'read_file')];
  expect(kinds(run)).toEqual([2]);
  expect(kinds([call('t', 'create_new_topic', 'failed')])).toEqual(['call']);
});

test('hooks that had nothing to say part no run and stand below the calls of their stretch', () => {
  const items = [
    hook('1', 'passed'),
    call('a', 'read_file'),
    hook('2', 'passed'),
    call('b', 'glob'),
    hook('3', 'passed'),
    call('c', 'read_file', 'failed'),
    said,
    hook('4', 'passed', ' \n'),
  ];
  expect(kinds(items)).toEqual([2, 'call', '3 hooks', 'text', '1 hooks']);
});

test('a hook that decided, failed or printed something has a row of its own', () => {
  const items = [hook('1', 'passed', 'ok'), hook('2', 'blocked'), hook('3', 'passed'), hook('4', 'timedOut')];
  expect(kinds(items)).toEqual(['hook', 'hook', 'hook', '1 hooks']);
});

test('the line says what was done how often', () => {
  const calls = ['read_file', 'read_file', 'grep_search', 'list_directory', 'mcp_lookup'].map((tool, index) =>
    call(String(index), tool),
  );
  expect(summarizeReadCalls(calls)).toBe('Read 2 files, searched once, listed 1 folder, looked up 1 thing');
});
