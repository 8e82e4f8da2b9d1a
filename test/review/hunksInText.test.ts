import { expect, test } from 'vitest';
import { applyAgentMode } from '../../src/extension/review/fileMode.ts';
import { applyAgentWrite, beginReview, changesTo } from '../../src/extension/review/fileReview.ts';
import { changesInGit, hunksInText } from '../../src/extension/review/hunksInText.ts';
import { newWholeFileReview, type WholeFile, writeUnit } from '../../src/extension/review/wholeFile.ts';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\n';
/** Three hunks: a line changed, one removed, one added. */
const present = 'one\nTWO\nthree\nfive\nsix\nseven\n';

function reviewed(before: string | null, after: string) {
  const review = beginReview(before);
  return applyAgentWrite(review, changesTo(review, after), 'c1');
}

function staged(before: string | null, now: string, review = reviewed(base, present)): readonly number[] {
  const already = hunksInText(review, before);
  return hunksInText(review, now)
    .filter(hunk => !already.includes(hunk))
    .map(({ start }) => start);
}

test('all hunks of a staged file are staged', () => {
  expect(staged(base, present)).toEqual([1, 3, 5]);
});

test('of a hunk that is staged alone the others are not', () => {
  expect(staged(base, 'one\nTWO\nthree\nfour\nfive\nsix\n')).toEqual([1]);
  expect(staged(base, 'one\ntwo\nthree\nfive\nsix\n')).toEqual([3]);
  expect(staged(base, `${base}seven\n`)).toEqual([5]);
});

test('nothing is staged by an index that stays, and half of a hunk is none', () => {
  expect(staged(base, base)).toEqual([]);
  expect(staged(present, present)).toEqual([]);
  const two = reviewed('a\n', 'a\nb\nc\n');
  expect(staged('a\n', 'a\nb\n', two)).toEqual([]);
});

test('a new file is staged as a whole, whatever its line breaks in the index', () => {
  const created = reviewed(null, 'a\r\nb\r\n');
  expect(staged(null, 'a\nb\n', created)).toEqual([0]);
});

test('typing of the user beside a staged hunk does not hide it', () => {
  const typed = reviewed('one\ntwo\nthree\n', 'one\nTWO\nthree\n');
  const index = 'one\nTWO\n';
  expect(staged('one\ntwo\n', index, typed)).toEqual([1]);
});

test('a mode is staged apart from the text beside it', () => {
  const review = applyAgentMode(reviewed(base, present), false, true, 'c1');
  const staged = (text: string, mode: string) =>
    changesInGit(review, { text, mode, blob: '1' }).map(({ id }) => id);
  expect(staged(base, '100644')).toEqual([]);
  expect(staged(base, '100755')).toEqual([review.mode?.id]);
  expect(staged(present, '100644')).toEqual(review.hunks.map(({ id }) => id));
  expect(staged(present, '100755')).toEqual([review.mode?.id, ...review.hunks.map(({ id }) => id)]);
});

test('a link, a deletion and a text that replaces a link are staged as wholes', () => {
  const text = { text: 'a\n', format: { encoding: 'utf8', bom: false } } as const;
  const isStaged = (
    before: WholeFile | null,
    after: WholeFile | null,
    index: string | null,
    mode: string,
  ) => {
    const begun = newWholeFileReview(before);
    const review = applyAgentWrite(begun, changesTo(begun, writeUnit(after)), 'c1');
    return changesInGit(review, index === null ? null : { text: index, mode, blob: '1' }).length > 0;
  };
  expect(isStaged(text, { link: 'b' }, 'a\n', '100644')).toBe(false);
  expect(isStaged(text, { link: 'b' }, 'b', '120000')).toBe(true);
  expect(isStaged(text, { link: 'b' }, 'b', '100644')).toBe(false);
  expect(isStaged(text, null, 'a\n', '100644')).toBe(false);
  expect(isStaged(text, null, null, '')).toBe(true);
  expect(isStaged({ link: 'b' }, text, 'b', '120000')).toBe(false);
  expect(isStaged({ link: 'b' }, text, 'a\r\n', '100644')).toBe(true);
});

test('a file that is no text is staged where the index has its content by name, and its mode', () => {
  const begun = newWholeFileReview({ blob: 'a'.repeat(64), size: 3 });
  const present = { blob: 'b'.repeat(64), size: 4, executable: true } as const;
  const review = applyAgentWrite(begun, changesTo(begun, writeUnit(present)), 'c1');
  const isStaged = (blob: string, mode: string, own?: string) =>
    changesInGit(review, { text: undefined, blob, mode }, own).length > 0;
  expect(isStaged('1234', '100755', '1234')).toBe(true);
  expect(isStaged('1234', '100644', '1234')).toBe(false);
  expect(isStaged('5678', '100755', '1234')).toBe(false);
  // Nobody could say what Git would call it.
  expect(isStaged('1234', '100755')).toBe(false);
});
