import { expect, test } from 'vitest';
import type { ReviewedFile, ReviewedHunk } from '../../src/protocol/changes.ts';
import { chaptersWithPending, groupReviews, totalPending } from '../../src/webview/panel/pending.ts';
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

test('a chapter of which everything was rejected does not wait', () => {
  const reviews = [file('a', hunk(1), hunk(2, { status: 'rejected', chapterIds: ['c2'] }))];
  expect([...chaptersWithPending(reviews)]).toEqual(['c1']);
  expect(groupReviews(reviews, ['c1', 'c2'])).toEqual([{ files: reviews }]);
});

test('groups follow the order of the chapters, and what two chapters wrote stands in both', () => {
  const shared = hunk(2, { chapterIds: ['c1', 'c2'] });
  const reviews = [file('a', hunk(1, { chapterIds: ['c2'] }), shared), file('b', hunk(1))];
  const groups = groupReviews(reviews, ['c1', 'c2']).map(({ chapterId, files }) => [
    chapterId,
    ...files.map(each => `${each.path} ${each.hunks.map(({ id }) => id).join()}`),
  ]);
  expect(groups).toEqual([
    ['c1', 'a 2', 'b 1'],
    ['c2', 'a 1,2'],
  ]);
});

test('what a rewind did is said in numbers, what it left apart', () => {
  const result = (kind: 'restored' | 'conflict' | 'lost') => ({
    path: kind,
    result: kind,
    added: 0,
    removed: 0,
  });
  expect(describeRestored([])).toBe('');
  expect(describeRestored([result('restored')])).toBe('1 file put back');
  expect(describeRestored([result('restored'), result('conflict'), result('lost')])).toBe(
    '1 file put back, 2 files left as they are',
  );
});
