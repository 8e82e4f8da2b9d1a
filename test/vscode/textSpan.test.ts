import { describe, expect, test } from 'vitest';
import { findOffsetEdits } from '../../src/extension/vscode/offsetEdits.ts';
import { findOffsetEdit, lineEndingOf } from '../../src/extension/vscode/textSpan.ts';
import { fc } from '../support/properties.ts';
import { runSize } from '../support/runSize.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '😁'), { maxLength: 12 })
  .map(parts => parts.join(''));

describe('the stretch in which two texts differ', () => {
  test('put in place it gives the new text, and it cuts neither line ending nor surrogate pair', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const span = findOffsetEdit(before, after);
        if (!span) {
          expect(before).toBe(after);
          return;
        }
        const { start, end, text: middle } = span;
        expect(before.slice(0, start) + middle + before.slice(end)).toBe(after);
        expect(end).toBeGreaterThanOrEqual(start);
        for (const offset of [start, end]) {
          const around = before.slice(offset - 1, offset + 1);
          if (offset > 0 && offset < before.length)
            expect(around).not.toMatch(/^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
        }
      }),
      { numRuns: runSize({ test: 500, prove: 100_000 }) },
    );
  });

  test('is no longer than it must be', () => {
    expect(findOffsetEdit('one two three', 'one 2 three')).toEqual({ start: 4, end: 7, text: '2' });
    expect(findOffsetEdit('aaa', 'aaaa')).toEqual({ start: 3, end: 3, text: 'a' });
  });
});

describe('the stretches in which two texts differ', () => {
  test('put in place from the end they give the new text, in order and apart', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = findOffsetEdits(before, after);
        const put = edits.reduceRight(
          (whole, { start, end, text: middle }) => whole.slice(0, start) + middle + whole.slice(end),
          before,
        );
        expect(put).toBe(after);
        for (const [index, { start }] of edits.entries())
          if (index > 0) expect(start).toBeGreaterThan(edits[index - 1]!.end);
      }),
      { numRuns: runSize({ test: 500, prove: 100_000 }) },
    );
  });

  test('leave out the lines between them', () => {
    expect(findOffsetEdits('one\ntwo\nthree\nfour\n', '1ne\ntwo\nthree\nfour!\n')).toEqual([
      { start: 0, end: 1, text: '1' },
      { start: 18, end: 18, text: '!' },
    ]);
  });
});

test.each([
  ['', 'none'],
  ['a', 'none'],
  ['a\nb\n', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['a\nb\r\n', 'mixed'],
  ['a\rb', 'mixed'],
  ['a\r\r\n', 'mixed'],
])('line endings of %j are %s', (text, ending) => {
  expect(lineEndingOf(text)).toBe(ending);
});
