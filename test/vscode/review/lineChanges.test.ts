import { describe, expect, test } from 'vitest';
import { splitLines } from '../../../src/extension/review/lineEdits.ts';
import { type TextChange, toLineChanges } from '../../../src/extension/vscode/review/lineChanges.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '\n', '\r\n'), { maxLength: 20 })
  .map(parts => parts.join(''));

const fraction = fc.double({ min: 0, max: 0.999, noNaN: true });
const typing = fc.array(fc.tuple(fraction, fraction, text), { minLength: 1, maxLength: 6 });

/** Where an offset stands, as an editor says it; never between the two characters of a break. */
function placeOf(whole: string, offset: number) {
  const lines = whole.slice(0, offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

function offsetIn(whole: string, at: number): number {
  const offset = Math.floor(at * (whole.length + 1));
  return whole.slice(offset - 1, offset + 1) === '\r\n' ? offset + 1 : offset;
}

/** Types into a text; the changes are told as an editor tells them. */
function type(whole: string, script: readonly (readonly [number, number, string])[]) {
  let present = whole;
  const changes: TextChange[] = [];
  for (const [a, b, typed] of script) {
    const [start, end] = [offsetIn(present, a), offsetIn(present, b)].toSorted((x, y) => x - y) as [
      number,
      number,
    ];
    const rest = present.slice(end);
    // An editor would never leave half of a break standing.
    if (present[start - 1] === '\r' || (typed.endsWith('\r') && rest.startsWith('\n'))) continue;
    changes.push({ start: placeOf(present, start), end: placeOf(present, end), text: typed });
    present = present.slice(0, start) + typed + rest;
  }
  return { present, changes };
}

function apply(lines: readonly string[], changes: NonNullable<ReturnType<typeof toLineChanges>>) {
  return changes.reduce(
    (each, { start, count, lines: added }) => each.toSpliced(start, count, ...added),
    lines,
  );
}

describe('typing, told in lines', () => {
  test('gives the lines of the text that it leaves, whatever breaks the text has', () => {
    fc.assert(
      fc.property(text, typing, (before, script) => {
        const { present, changes } = type(before, script);
        const lines = splitLines(before);
        expect(apply(lines, toLineChanges(lines, changes)!)).toEqual(splitLines(present));
      }),
      { numRuns: runSize({ test: 300, prove: 50_000 }) },
    );
  });

  test('touches no line that stays as it was', () => {
    const lines = ['one\n', 'two\n', 'three\n'];
    const at = (line: number, character: number) => ({ line, character });
    const insert = (place: { line: number; character: number }, typed: string) =>
      toLineChanges(lines, [{ start: place, end: place, text: typed }]);
    expect(insert(at(0, 3), '\nnew')).toEqual([{ start: 1, count: 0, lines: ['new\n'] }]);
    expect(insert(at(1, 0), 'new\n')).toEqual([{ start: 1, count: 0, lines: ['new\n'] }]);
    expect(insert(at(3, 0), 'end')).toEqual([{ start: 3, count: 0, lines: ['end'] }]);
    expect(insert(at(1, 3), '!')).toEqual([{ start: 1, count: 1, lines: ['two!\n'] }]);
    expect(toLineChanges(lines, [{ start: at(1, 0), end: at(2, 0), text: '' }])).toEqual([
      { start: 1, count: 1, lines: [] },
    ]);
  });

  test('with a cursor in every line of a long file is left to a diff', () => {
    const lines = Array.from({ length: 1000 }, () => 'x\n');
    const change = (line: number) => ({
      start: { line, character: 0 },
      end: { line, character: 0 },
      text: 'y',
    });
    expect(
      toLineChanges(
        lines,
        lines.map((_, line) => change(line)),
      ),
    ).toBeUndefined();
  });
});
