import { expect, test } from 'vitest';
import { cutDisplay, cutItem } from '../../src/extension/vscode/panel/cutItem.ts';
import { Excerpt } from '../../src/extension/vscode/panel/excerpt.ts';
import type { DiffLine, DisplayDetail, FileDiff } from '../../src/protocol/asks.ts';
import { pagedListOf } from '../../src/protocol/pagedList.ts';
import type { PanelDetail } from '../../src/protocol/panel/panelState.ts';
import { type CallItem, type CallStatus, emptySession, type PromptItem } from '../../src/protocol/state.ts';

function shown(detail: DisplayDetail): PanelDetail | undefined {
  return cutDisplay({ summary: 'done', detail }).detail;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

test('of a long output the page gets its first and last lines and how many are missing', () => {
  const detail = shown({ kind: 'command', exitCode: 1, output: numbered(5000) });
  expect(detail).toMatchObject({ exitCode: 1, cutLines: 4970 });
  const lines = detail?.kind === 'command' ? detail.output.split('\n') : [];
  expect([lines[0], lines[9], lines[10], lines.at(-1)]).toEqual([
    'line 1',
    'line 10',
    'line 4981',
    'line 5000',
  ]);
});

test('a short output is as it is', () => {
  const detail = { kind: 'text', text: numbered(300), outputPath: '/outputs/a' } as const;
  expect(shown(detail)).toEqual(detail);
});

test('a report is whole, however long', () => {
  const detail = { kind: 'report', report: { result: numbered(5000) } } as const;
  expect(shown(detail)).toEqual(detail);
});

test('lines that are long are cut, and of one that was written over the last state stays', () => {
  const progress = `${Array.from({ length: 2000 }, (_, index) => `${index}%`).join('\r')}\r`;
  const detail = shown({ kind: 'text', text: `${'x'.repeat(9000)}\n${progress}` });
  expect(detail).toEqual({ kind: 'text', text: `${'x'.repeat(300)}…\n1999%\r`, cutLines: 0 });
});

test('of a diff the page gets the first lines; the others are counted', () => {
  const line = (index: number): DiffLine => ({ kind: 'added', text: `${index}` });
  const hunk = (start: number) => ({
    oldStart: start,
    newStart: start,
    lines: Array.from({ length: 20 }, (_, index) => line(index)),
  });
  const diff: FileDiff = {
    path: 'a.ts',
    change: 'modified',
    added: 60,
    removed: 0,
    hiddenLines: 7,
    hunks: [hunk(1), hunk(40), hunk(90)],
  };
  const detail = shown({ kind: 'diff', diff });
  expect(detail).toMatchObject({ diff: { added: 60, hiddenLines: 43 } });
  expect(detail?.kind === 'diff' && detail.diff.hunks.map(({ lines }) => lines.length)).toEqual([20, 4]);
});

test('a prompt keeps its beginning, and of what was attached the names', () => {
  const prompt: PromptItem = {
    type: 'prompt',
    id: 't',
    at: 1,
    text: 'a'.repeat(50_000),
    attachments: [
      { kind: 'image', name: 'a.png', blob: { mimeType: 'image/png', data: 'AAEC' } },
      { kind: 'selection', path: 'a.ts', startLine: 1, endLine: 2, text: 'const a = 1;' },
    ],
  };
  const item = cutItem(prompt);
  expect(item).toMatchObject({
    text: 'a'.repeat(20_000),
    cut: true,
    attachments: [
      { name: 'a.png', blob: { data: '' } },
      { path: 'a.ts', text: '' },
    ],
  });
  expect(cutItem({ ...prompt, text: 'short' })).not.toHaveProperty('cut');
});

test('what a call asks or still prints stays whole, since a user decides on it', () => {
  const call = (status: CallStatus): CallItem => ({
    type: 'call',
    id: 'c',
    stepId: 's',
    tool: 'replace',
    effect: 'edit',
    title: 'Edit',
    args: {},
    status,
  });
  const running = call({ kind: 'running', startedAt: 1, output: numbered(5000) });
  expect(cutItem(running)).toEqual(running);
  const detail = numbered(5000);
  const asking = call({
    kind: 'asking',
    ask: { reason: '', subject: { kind: 'other', detail }, always: [] },
  });
  expect(cutItem(asking)).toEqual(asking);
});

test('the work of a subagent is cut like any other', () => {
  const detail = { kind: 'text', text: numbered(5000) } as const;
  const inner: CallItem = {
    type: 'call',
    id: 'i',
    stepId: 's',
    tool: 'grep_search',
    effect: 'read',
    title: 'Search',
    args: {},
    status: { kind: 'ended', outcome: 'ok', display: { summary: 'done', detail }, durationMs: 1 },
  };
  const opening = emptySession.chapters[0]!;
  const session = { ...emptySession, chapters: [{ ...opening, items: pagedListOf([inner]) }] };
  const call: CallItem = { ...inner, id: 'o', agent: { name: 'scout', session } };
  const state = { ...emptySession, chapters: [{ ...opening, items: pagedListOf([call]) }] };
  const excerpt = new Excerpt(state);
  excerpt.open('o');
  const item = excerpt.of(state).chapters[0]!.items.pages[0]![0]!;
  const agent = item.type === 'call' ? item.agent : undefined;
  expect(agent?.session.chapters[0]?.items.pages[0]?.[0]).toMatchObject({
    status: { display: { detail: { cutLines: 4970 } } },
  });
});

test('a call has one title on the page, in the language of the user', () => {
  const call: CallItem = {
    type: 'call',
    id: 'call1',
    stepId: 'step1',
    tool: 'read_file',
    effect: 'read',
    title: 'Read a.txt',
    args: {},
    status: { kind: 'validating' },
  };
  expect(cutItem(call)).toEqual(call);
  expect(cutItem({ ...call, said: 'a.txt lesen' })).toEqual({ ...call, title: 'a.txt lesen' });
});
