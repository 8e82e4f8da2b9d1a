import { expect, test } from 'vitest';
import type { ReviewedFile, ReviewedHunk } from '../../src/protocol/changes.ts';
import { totalPending } from '../../src/protocol/pending.ts';
import type { Writer } from '../../src/protocol/values.ts';
import {
  chaptersWithPending,
  type Grouping,
  groupingOf,
  groupReviews,
  shownFilesAt,
} from '../../src/webview/panel/pending.ts';
import { describeRestored } from '../../src/webview/rewind/rewinding.ts';

function hunk(id: number, more: Partial<ReviewedHunk> = {}): ReviewedHunk {
  return {
    id,
    status: 'pending',
    touched: false,
    chapterIds: ['c1'],
    lines: [],
    hiddenLines: 0,
    baseStart: 0,
    baseCount: 1,
    start: 0,
    count: 2,
    ...more,
  };
}

function file(path: string, ...hunks: readonly ReviewedHunk[]): ReviewedFile {
  return { path, shown: path, change: 'modified', base: 'a', present: 'b', hunks };
}

test('only pending hunks count, and only files that have some', () => {
  const reviews = [
    file('a', hunk(1), hunk(2, { status: 'rejected' })),
    file('b', hunk(1, { status: 'rejected' })),
    file('c', hunk(1)),
  ];
  expect(totalPending(reviews)).toEqual({ files: 2, added: 4, removed: 2, rejected: 2 });
});

test('a notebook is counted in cells, without what stands around them', () => {
  const notebook: ReviewedFile = { ...file('a.ipynb', hunk(1, { start: 3, count: 1 })), by: 'cells' };
  const removed = hunk(2, { start: 5, baseStart: 5, count: 0 });
  const both = { ...notebook, hunks: [...notebook.hunks, removed] };
  expect(totalPending([both])).toMatchObject({ added: 0, removed: 0, cells: 2 });
  const whole = { ...notebook, hunks: [hunk(1, { start: 0, baseCount: 4, count: 5 })] };
  expect(totalPending([whole, file('b', hunk(1))])).toMatchObject({ added: 2, removed: 1, cells: 3 });
});

test('a chapter of which everything was rejected does not wait', () => {
  const reviews = [file('a', hunk(1), hunk(2, { status: 'rejected', chapterIds: ['c2'] }))];
  expect([...chaptersWithPending(reviews)]).toEqual(['c1']);
  expect(groupingOf(reviews, undefined)).toBe('file');
  expect(groupingOf(reviews, 'writer')).toBe('writer');
  expect(groupReviews(reviews, 'file', chapters)).toEqual([{ place: {}, files: reviews }]);
});

test('groups follow the order of the chapters, and what two chapters wrote stands in both', () => {
  const shared = hunk(2, { chapterIds: ['c1', 'c2'] });
  const reviews = [file('a', hunk(1, { chapterIds: ['c2'] }), shared), file('b', hunk(1))];
  expect(groupingOf(reviews, undefined)).toBe('chapter');
  expect(groupsOf(reviews, 'chapter')).toEqual([
    [{ chapterId: 'c1' }, 'Opening', 'a 2', 'b 1'],
    [{ chapterId: 'c2' }, 'Second', 'a 1,2'],
  ]);
});

test('groups of writers name commands and calls, and what names nobody is decided on by change', () => {
  const command: Writer = { kind: 'command', callId: 'x', line: 'sed -i s/a/b/ a' };
  const edit: Writer = { kind: 'call', callId: 'y', words: 'Edit a' };
  const reviews = [
    file('a', hunk(1, { writers: [command, edit] }), hunk(2, { writers: [edit] })),
    file('b', hunk(1), hunk(2, { writers: [{ ...command, callId: 'z' }] })),
  ];
  expect(groupsOf(reviews, 'writer')).toEqual([
    [{ writer: 'sed -i s/a/b/ a' }, 'sed -i s/a/b/ a', 'a 1', 'b 2'],
    [{ writer: 'Edit a' }, 'Edit a', 'a 1,2'],
    [{}, 'Unknown author', 'b 1'],
  ]);
  const shown = shownFilesAt(reviews, { writer: 'Edit a' });
  expect(shown.map(({ path }) => path)).toEqual(['a']);
});

const chapters = [
  { id: 'c1', title: '' },
  { id: 'c2', title: 'Second' },
];

function groupsOf(reviews: readonly ReviewedFile[], grouping: Grouping) {
  return groupReviews(reviews, grouping, chapters).map(({ place, title, files }) => [
    place,
    title,
    ...files.map(each => `${each.path} ${each.hunks.map(({ id }) => id).join()}`),
  ]);
}

test('what a rewind did is said in numbers, what it left apart', () => {
  const result = (kind: 'restored' | 'conflict' | 'lost') => ({
    path: kind,
    result: kind,
    added: 0,
    removed: 0,
  });
  expect(describeRestored([])).toBe('');
  expect(describeRestored([result('restored')])).toBe('1 file restored');
  expect(describeRestored([result('restored'), result('conflict'), result('lost')])).toBe(
    '1 file restored, 2 files not changed',
  );
});
