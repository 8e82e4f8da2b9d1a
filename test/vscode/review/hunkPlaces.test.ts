import { describe, expect, test } from 'vitest';
import { applyAgentMode } from '../../../src/extension/review/fileMode.ts';
import { applyAgentWrite, beginReview, changesTo } from '../../../src/extension/review/fileReview.ts';
import {
  adjacentHunk,
  anchorLine,
  formatCounts,
  hunkAt,
  hunksNear,
  isBelowText,
  linesOfHunk,
} from '../../../src/extension/vscode/review/hunkPlaces.ts';

function review(before: string, after: string) {
  const begun = beginReview(before);
  return applyAgentWrite(begun, changesTo(begun, after), 'c1');
}

/** Line 1 changed, lines removed before line 4, two lines added at the end. */
const mixed = review('a\nb\nc\nd\ngone\nalso\ne\n', 'a\nB\nc\nd\ne\nx\ny\n');

describe('where hunks stand in an editor', () => {
  test('a hunk is at each of its lines, and removed lines are where they were', () => {
    const at = (line: number) => {
      const hunk = hunkAt(mixed, line);
      return hunk && formatCounts(hunk);
    };
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([
      undefined,
      '−1 +1',
      undefined,
      '−2',
      '−2',
      '+2',
      '+2',
      undefined,
    ]);
  });

  test('lines removed from the end are shown at a line that there is', () => {
    const open = review('a\nb\nc', 'a\nb');
    expect(open.hunks.map(hunk => anchorLine(open, hunk))).toEqual([1]);
    const all = review('a\n', '');
    expect(anchorLine(all, all.hunks[0]!)).toBe(0);
    const ended = review('a\nb\n', 'a\n');
    expect(anchorLine(ended, ended.hunks[0]!)).toBe(1);
    expect(isBelowText(ended, ended.hunks[0]!)).toBe(false);
  });

  test('a span holds all lines of a hunk and at least one', () => {
    const spans = mixed.hunks.map(hunk => linesOfHunk(mixed, hunk));
    expect(spans).toEqual([
      { first: 1, last: 1 },
      { first: 4, last: 4 },
      { first: 5, last: 6 },
    ]);
  });
});

describe('from hunk to hunk', () => {
  const other = review('1\n2\n3\n', '1\n2\nthree\n');
  const files = [
    { path: '/a', review: mixed },
    { path: '/b', review: other },
  ];
  const step = (from: { path: string; line: number } | undefined, direction: 'next' | 'previous') => {
    const found = adjacentHunk(files, from, direction);
    return found && [found.path, anchorLine(found.review, found.hunk)];
  };

  test('goes through all files and begins again', () => {
    expect(step({ path: '/a', line: 1 }, 'next')).toEqual(['/a', 4]);
    expect(step({ path: '/a', line: 5 }, 'next')).toEqual(['/b', 2]);
    expect(step({ path: '/b', line: 2 }, 'next')).toEqual(['/a', 1]);
    expect(step({ path: '/a', line: 1 }, 'previous')).toEqual(['/b', 2]);
    expect(step({ path: '/b', line: 2 }, 'previous')).toEqual(['/a', 5]);
    expect(step({ path: '/a', line: 6 }, 'previous')).toEqual(['/a', 5]);
  });

  test('begins with the first file, or backward with the last, where the cursor is in none of them', () => {
    expect(step(undefined, 'next')).toEqual(['/a', 1]);
    expect(step({ path: '/elsewhere', line: 9 }, 'next')).toEqual(['/a', 1]);
    expect(step(undefined, 'previous')).toEqual(['/b', 2]);
  });

  test('of a single hunk leads to itself, and of none nowhere', () => {
    expect(adjacentHunk(files.slice(1), { path: '/b', line: 2 }, 'next')?.path).toBe('/b');
    expect(adjacentHunk([], undefined, 'next')).toBeUndefined();
  });
});

test('of five thousand hunks only those near the screen are painted, and of few all', () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i}`);
  const changed = lines.map((line, i) => (i % 2 === 0 ? `${line} new` : line));
  const many = review(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`);
  expect(many.hunks).toHaveLength(5000);
  const near = hunksNear(many, [{ first: 5000, last: 5040 }], 500);
  expect(near.length).toBeGreaterThan(20);
  expect(near.length).toBeLessThanOrEqual(500);
  expect(near.some(hunk => hunk.start === 5020)).toBe(true);
  expect(hunksNear(mixed, [], 500)).toHaveLength(3);
});

test('a file that became executable has that above its first line, and a key goes there too', () => {
  const review = applyAgentMode(mixed, false, true, 'c1');
  expect(hunkAt(review, 0)).toBe(review.mode);
  expect(hunkAt(review, 1)).not.toBe(review.mode);
  expect(adjacentHunk([{ path: '/a', review }], { path: '/b', line: 0 }, 'next')?.hunk).toBe(review.mode);
  const alone = applyAgentMode(beginReview('a\n'), false, true, 'c1');
  expect(adjacentHunk([{ path: '/a', review: alone }], undefined, 'next')?.hunk).toBe(alone.mode);
});
