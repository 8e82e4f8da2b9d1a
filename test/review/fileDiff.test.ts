import { describe, expect, test } from 'vitest';
import { fileDiff } from '../../src/extension/review/fileDiff.ts';
import { lineEdits, splitLines } from '../../src/extension/review/lineEdits.ts';
import type { FileDiff } from '../../src/protocol/asks.ts';
import { fc } from '../support/properties.ts';

const someText = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', '', '  d'), fc.constantFrom('\n', '\n', '\r\n')), {
    maxLength: 40,
  })
  .chain(lines =>
    fc.constantFrom('', 'tail').map(tail => lines.map(([text, end]) => text + end).join('') + tail),
  );

test('a notebook that is new, changed or deleted is counted in cells', () => {
  const cell = (source: string) => ({ cell_type: 'raw', id: source, metadata: {}, source });
  const write = (...sources: string[]) =>
    JSON.stringify({ cells: sources.map(cell), metadata: {}, nbformat: 4, nbformat_minor: 5 });
  const counts = (before: string | null, after: string | null) => {
    const { added, removed, cells } = fileDiff('a.ipynb', before, after);
    return { added, removed, cells };
  };
  const cells = (number: number) => ({ added: 0, removed: 0, cells: number });
  expect(counts(null, write('a', 'b'))).toEqual(cells(2));
  expect(counts(write('a', 'b'), write('a', 'c'))).toEqual(cells(1));
  expect(counts(write('a', 'b', 'c'), null)).toEqual(cells(3));
});

describe('line edits', () => {
  test('splitting keeps every character', () => {
    fc.assert(
      fc.property(someText, text => {
        expect(splitLines(text).join('')).toBe(text);
      }),
    );
  });

  test('applying the edits to the old lines gives the new lines', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const [oldLines, newLines] = [splitLines(before), splitLines(after)];
        const rebuilt: string[] = [];
        let at = 0;
        for (const edit of lineEdits(oldLines, newLines)) {
          rebuilt.push(...oldLines.slice(at, edit.oldStart));
          expect(rebuilt.length).toBe(edit.newStart);
          rebuilt.push(...newLines.slice(edit.newStart, edit.newStart + edit.newCount));
          at = edit.oldStart + edit.oldCount;
        }
        rebuilt.push(...oldLines.slice(at));
        expect(rebuilt).toEqual(newLines);
      }),
    );
  });

  test('a large change with moved lines is a correct script too', () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `${i % 7 === 0 ? 'same' : i}\n`);
    const after = [
      ...lines.slice(1500, 2900),
      ...lines.slice(0, 1600).map((line, i) => (i % 3 ? line : 'x\n')),
    ];
    const edits = lineEdits(lines, after);
    expect(edits.length).toBeGreaterThan(1);
    const rebuilt = [...lines];
    for (const edit of edits.toReversed()) {
      rebuilt.splice(
        edit.oldStart,
        edit.oldCount,
        ...after.slice(edit.newStart, edit.newStart + edit.newCount),
      );
    }
    expect(rebuilt).toEqual(after);
  });
});

describe('file diff', () => {
  test('counts and hunks agree with the two texts', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        const diff = fileDiff('f', before, after);
        const [oldLines, newLines] = [splitLines(before), splitLines(after)];
        expect(diff.added - diff.removed).toBe(newLines.length - oldLines.length);
        expect(diff.hiddenLines).toBe(0);
        expect(linesOf(diff, 'added')).toHaveLength(diff.added);
        expect(linesOf(diff, 'removed')).toHaveLength(diff.removed);
        for (const hunk of diff.hunks) checkPlaces(hunk, oldLines, newLines);
        if (before === after) expect(diff.hunks).toEqual([]);
      }),
    );
  });

  test('what is shown and what is hidden make up the whole, and the limit holds', () => {
    fc.assert(
      fc.property(someText, someText, fc.nat(12), (before, after, maxLines) => {
        const whole = fileDiff('f', before, after);
        const cut = fileDiff('f', before, after, { maxLines });
        const shown = cut.hunks.flatMap(hunk => hunk.lines).length;
        expect(shown).toBeLessThanOrEqual(maxLines);
        expect(shown + cut.hiddenLines).toBe(whole.hunks.flatMap(hunk => hunk.lines).length);
        expect([cut.added, cut.removed]).toEqual([whole.added, whole.removed]);
        for (const hunk of cut.hunks) {
          expect(hunk.lines.length).toBeGreaterThan(0);
          checkPlaces(hunk, splitLines(before), splitLines(after));
        }
      }),
    );
  });

  test('a change has three lines of context on each side', () => {
    const before = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join('');
    const diff = fileDiff('f', before, before.replace('line 10\n', 'line ten\nand more\n'));
    expect(diff).toMatchObject({ change: 'modified', added: 2, removed: 1, hiddenLines: 0 });
    expect(diff.hunks).toHaveLength(1);
    expect(diff.hunks[0]).toMatchObject({ oldStart: 7, newStart: 7 });
    expect(diff.hunks[0]!.lines.map(line => `${line.kind[0]} ${line.text}`)).toEqual([
      'c line 7',
      'c line 8',
      'c line 9',
      'r line 10',
      'a line ten',
      'a and more',
      'c line 11',
      'c line 12',
      'c line 13',
    ]);
  });

  test('changes far apart are hunks of their own', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
    const diff = fileDiff('f', lines.join(''), lines.with(3, 'x\n').with(25, 'y\n').join(''));
    expect(diff.hunks.map(hunk => [hunk.oldStart, hunk.newStart])).toEqual([
      [1, 1],
      [23, 23],
    ]);
  });

  test('a file that comes or goes says so', () => {
    expect(fileDiff('f', null, 'a\nb')).toMatchObject({ change: 'created', added: 2, removed: 0 });
    expect(fileDiff('f', 'a\n', null)).toMatchObject({ change: 'deleted', added: 0, removed: 1 });
    expect(fileDiff('f', null, '')).toMatchObject({ change: 'created', hunks: [] });
  });

  test('carriage returns are not shown', () => {
    const diff = fileDiff('f', 'a\r\nb\r\n', 'a\r\nc\r\n');
    expect(diff.hunks.flatMap(hunk => hunk.lines).map(line => line.text)).toEqual(['a', 'b', 'c']);
  });

  test('a lost final newline is a change', () => {
    expect(fileDiff('f', 'a\nb\n', 'a\nb')).toMatchObject({ added: 1, removed: 1 });
  });

  test('of a large replacement both sides are shown', () => {
    const before = Array.from({ length: 900 }, (_, i) => `old ${i}\n`).join('');
    const after = Array.from({ length: 900 }, (_, i) => `new ${i}\n`).join('');
    const diff = fileDiff('f', before, after);
    expect(diff).toMatchObject({ added: 900, removed: 900, hiddenLines: 1400 });
    expect(linesOf(diff, 'removed')).toHaveLength(200);
    expect(linesOf(diff, 'added')).toHaveLength(200);
    expect(diff.hunks.map(hunk => [hunk.oldStart, hunk.newStart])).toEqual([
      [1, 1],
      [901, 1],
    ]);
  });

  test('a few, many and all changes in a file of 20,000 lines are counted exactly', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i % 50} ${i}\n`);
    const small = fileDiff('f', lines.join(''), lines.with(100, 'x\n').with(19_000, 'y\n').join(''));
    expect(small).toMatchObject({ added: 2, removed: 2 });
    const scattered = lines.map((line, i) => (i % 10 === 0 ? `> ${line}` : line)).join('');
    expect(fileDiff('f', lines.join(''), scattered)).toMatchObject({ added: 2000, removed: 2000 });
    const swapped = fileDiff(
      'f',
      lines.join(''),
      [...lines.slice(12_000), ...lines.slice(0, 12_000)].join(''),
    );
    expect(swapped).toMatchObject({ added: 8000, removed: 8000 });
    const rewrite = fileDiff('f', lines.join(''), lines.map(line => `> ${line}`).join(''));
    expect(rewrite).toMatchObject({ added: 20_000, removed: 20_000, hiddenLines: 39_600 });
  });

  test('a very long line is cut for showing', () => {
    const diff = fileDiff('f', null, 'x'.repeat(5000));
    expect(diff.hunks[0]!.lines[0]!.text).toHaveLength(1001);
  });

  test('a very long line is cut around its first change, at the same places before and after', () => {
    const line = Array.from({ length: 900 }, (_, i) => `item${i};`).join('');
    const shown = (before: string, after: string) =>
      fileDiff('f', before, after).hunks[0]!.lines.map(({ text }) => text);
    const [old, changed] = shown(line, line.replace('item700;', 'thing700;'));
    expect(old).toContain('item699;item700;item701;');
    expect(changed).toBe(old!.replace('item700', 'thing700'));
    expect(old!.length).toBeLessThanOrEqual(1002);
    const [, whole] = shown(line, line.replace('item700;', 'x'.repeat(3000)));
    expect(whole).toMatch(/^….*item699;x+…$/);
    const [shortOld, grown] = shown(line.slice(0, 990), line.slice(0, 990).replace(/;[^;]*$/, ';') + line);
    expect(shortOld!.length).toBeLessThan(200);
    expect(grown!.slice(0, 90)).toBe(shortOld!.slice(0, 90));
  });

  test('a cut around a change splits no character in two', () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3), (at, shift) => {
        const line = 'x'.repeat(shift) + '😀'.repeat(2000);
        const after = [...line].toSpliced(at % 1900, 1, 'y').join('');
        for (const { text } of fileDiff('f', line, after).hunks[0]!.lines)
          expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  test('a very long line whose break alone changed is shown from its start', () => {
    const diff = fileDiff('f', `${'x'.repeat(5000)}\n`, 'x'.repeat(5000));
    expect(linesOf(diff, 'added')).toEqual([`${'x'.repeat(1000)}…`]);
  });
});

function linesOf(diff: FileDiff, kind: 'added' | 'removed'): readonly string[] {
  return diff.hunks
    .flatMap(hunk => hunk.lines)
    .filter(line => line.kind === kind)
    .map(line => line.text);
}

/** Each line of a hunk stands where the hunk's starts say. */
function checkPlaces(
  hunk: FileDiff['hunks'][number],
  oldLines: readonly string[],
  newLines: readonly string[],
): void {
  let [oldLine, newLine] = [hunk.oldStart - 1, hunk.newStart - 1];
  for (const line of hunk.lines) {
    if (line.kind !== 'added') expect(oldLines[oldLine++]!.replace(/\r?\n$/, '')).toBe(line.text);
    if (line.kind !== 'removed') expect(newLines[newLine++]!.replace(/\r?\n$/, '')).toBe(line.text);
  }
}
