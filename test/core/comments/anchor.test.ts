import { describe, expect, test } from 'vitest';
import {
  movePlace,
  movePlaceBetween,
  placeAt,
  relocateComment,
} from '../../../src/extension/core/comments/anchor.ts';
import { fc } from '../../support/properties.ts';
import { runSize } from '../../support/runSize.ts';

const text = ['one', 'two', 'three', 'four', 'five', 'six'];

function edited(lines: readonly string[], start: number, count: number, ...by: readonly string[]) {
  return { after: lines.toSpliced(start, count, ...by), change: { start, count, lines: by } };
}

/** Moves a comment on some lines of `text` by one change, typed and found by a diff, which must agree. */
function moved(
  range: { start: number; count: number },
  ...change: Parameters<typeof edited> extends [unknown, ...infer R] ? R : never
) {
  const place = placeAt(text, range);
  const { after, change: typed } = edited(text, ...change);
  const byTyping = movePlace(place, [typed], after);
  const byDiff = movePlaceBetween(place, text, after);
  expect(byDiff).toEqual(byTyping);
  const { start, count } = byTyping.place;
  return { lines: after.slice(start, start + count), start, touched: byTyping.touched };
}

describe('a comment', () => {
  test('moves with its lines when others come or go above', () => {
    expect(moved({ start: 2, count: 2 }, 0, 0, 'zero')).toEqual({
      lines: ['three', 'four'],
      start: 3,
      touched: false,
    });
    expect(moved({ start: 2, count: 2 }, 0, 2)).toEqual({
      lines: ['three', 'four'],
      start: 0,
      touched: false,
    });
    expect(moved({ start: 2, count: 2 }, 2, 0, 'new')).toEqual({
      lines: ['three', 'four'],
      start: 3,
      touched: false,
    });
  });

  test('stays when lines come or go below', () => {
    expect(moved({ start: 2, count: 2 }, 4, 0, 'new')).toEqual({
      lines: ['three', 'four'],
      start: 2,
      touched: false,
    });
    expect(moved({ start: 2, count: 2 }, 4, 2)).toEqual({
      lines: ['three', 'four'],
      start: 2,
      touched: false,
    });
  });

  test('takes in what replaces its lines, and is touched by it', () => {
    expect(moved({ start: 2, count: 2 }, 2, 1, '3', '3b')).toEqual({
      lines: ['3', '3b', 'four'],
      start: 2,
      touched: true,
    });
    expect(moved({ start: 2, count: 1 }, 2, 1, '3')).toEqual({ lines: ['3'], start: 2, touched: true });
    expect(moved({ start: 2, count: 2 }, 3, 0, 'between')).toEqual({
      lines: ['three', 'between', 'four'],
      start: 2,
      touched: true,
    });
  });

  test('keeps the lines that are left of a change across its end', () => {
    expect(moved({ start: 2, count: 2 }, 1, 2)).toEqual({ lines: ['four'], start: 1, touched: true });
    expect(moved({ start: 2, count: 2 }, 3, 2, 'x')).toEqual({ lines: ['three'], start: 2, touched: true });
  });

  test('whose lines are gone stays at their place, and holds them again when they come back', () => {
    const place = placeAt(text, { start: 2, count: 2 });
    const cut = edited(text, 2, 2);
    const gone = movePlace(place, [cut.change], cut.after);
    expect(gone).toMatchObject({ place: { start: 2, count: 0 }, touched: true });
    const pasted = edited(cut.after, 4, 0, '  three', '  four');
    expect(movePlace(gone.place, [pasted.change], pasted.after).place).toMatchObject({ start: 4, count: 2 });
    const undone = edited(cut.after, 2, 0, 'three', 'four');
    expect(movePlace(gone.place, [undone.change], undone.after).place).toEqual(place);
  });

  test('does not jump to lines that say the same elsewhere', () => {
    const twice = ['return;', 'b', 'return;', 'd'];
    const { after, change } = edited(twice, 2, 1);
    expect(movePlace(placeAt(twice, { start: 2, count: 1 }), [change], after).place).toMatchObject({
      start: 2,
      count: 0,
    });
  });

  test('follows lines that a formatter wrote again among others', () => {
    const before = ['f(a,', 'b)', 'const x = 1;', 'g(c)'];
    const after = ['f(a, b)', '  const x = 1;', '  g(c)'];
    expect(movePlaceBetween(placeAt(before, { start: 2, count: 1 }), before, after).place).toMatchObject({
      start: 1,
      count: 1,
    });
  });

  test('is found in a text of which nothing else is known by what it and its adjacent entries say', () => {
    const lines = ['{', 'return 1;', '}', '', 'two', 'return 1;', 'end'];
    const place = placeAt(lines, { start: 5, count: 1 });
    const later = ['a', 'b', 'two', '\treturn 1;', 'end', '{', 'return 1;', '}'];
    expect(relocateComment(place, later)).toMatchObject({ start: 3, count: 1 });
    expect(relocateComment(place, ['x', 'two', 'end'])).toMatchObject({ start: 2, count: 0 });
    expect(relocateComment(place, ['x'])).toMatchObject({ start: 1, count: 0 });
  });
});

/** Each line is an object, so that one which is left can be told from one which says the same. */
interface Line {
  readonly said: string;
}

const line = fc.integer({ min: 0, max: 9 }).map(i => ({ said: `line ${i}` }));
const change = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  count: fc.nat(6),
  lines: fc.array(line, { maxLength: 6 }),
});

test('no comment is misplaced by typing, wherever it continues', () => {
  const runs = runSize({ test: 60, prove: 10_000 });
  const drawn = fc.record({
    text: fc.array(line, { minLength: 1, maxLength: 30 }),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    count: fc.integer({ min: 1, max: 5 }),
    changes: fc.array(change, { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(drawn, ({ text: first, start, count, changes }) => {
      let lines: readonly Line[] = first.map(each => ({ ...each }));
      const said = () => lines.map(each => each.said);
      let place = placeAt(said(), { start: Math.floor(start * (lines.length - 1)), count });
      for (const { from, count: taken, lines: written } of changes) {
        const at = Math.floor(from * lines.length);
        const gone = Math.min(taken, lines.length - at);
        const before = lines;
        const held = before.slice(place.start, place.start + place.count);
        const came = written.map(each => ({ ...each }));
        lines = before.toSpliced(at, gone, ...came);
        const by = { start: at, count: gone, lines: came.map(each => each.said) };
        place = movePlace(place, [by], said()).place;
        expectInPlace({
          before,
          after: lines,
          held,
          holds: lines.slice(place.start, place.start + place.count),
          start: place.start,
        });
      }
    }),
    { numRuns: runs },
  );
});

test('no comment is misplaced by what another program did, where each line is said once', () => {
  const runs = runSize({ test: 60, prove: 10_000 });
  const drawn = fc.record({
    size: fc.integer({ min: 1, max: 60 }),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    count: fc.integer({ min: 1, max: 5 }),
    changes: fc.array(change, { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(drawn, ({ size, start, count, changes }) => {
      let made = 0;
      const fresh = (): Line => ({ said: `line ${made++}` });
      const before: readonly Line[] = Array.from({ length: size }, fresh);
      let after = before;
      for (const { from, count: taken, lines } of changes) {
        after = after.toSpliced(Math.floor(from * after.length), taken, ...lines.map(fresh));
      }
      const [old, now] = [before, after].map(lines => lines.map(each => each.said)) as [string[], string[]];
      const place = placeAt(old, { start: Math.floor(start * (size - 1)), count });
      const held = before.slice(place.start, place.start + place.count);
      const next = movePlaceBetween(place, old, now).place;
      expectInPlace({
        before,
        after,
        held,
        holds: after.slice(next.start, next.start + next.count),
        start: next.start,
      });
      // After a reload only the lines themselves are known: the first of them that is left is found.
      const found = relocateComment(place, now);
      if (after.includes(held[0]!)) expect(after[found.start]).toBe(held[0]);
    }),
    { numRuns: runs },
  );
});

interface Outcome {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  readonly held: readonly Line[];
  readonly holds: readonly Line[];
  readonly start: number;
}

/** Every commented line that is left is held still, and none that was there and was not commented. */
function expectInPlace({ before, after, held, holds, start }: Outcome): void {
  const left = held.filter(each => after.includes(each));
  for (const each of left) expect(holds).toContain(each);
  const strangers = before.filter(each => !held.includes(each));
  if (left.length > 0 || holds.length > 0) for (const each of strangers) expect(holds).not.toContain(each);
  if (held.length > 0 && left.length === 0) {
    // Between the adjacent entries that are left.
    const firstHeld = before.indexOf(held[0]!);
    const above = before.slice(0, firstHeld).findLast(each => after.includes(each));
    const below = before.slice(firstHeld + held.length).find(each => after.includes(each));
    if (above) expect(start).toBeGreaterThan(after.indexOf(above));
    if (below) expect(start + holds.length).toBeLessThanOrEqual(after.indexOf(below));
  }
}
