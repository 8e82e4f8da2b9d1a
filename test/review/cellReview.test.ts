import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../src/extension/core/changes/partialProposal.ts';
import { canonicalCell } from '../../src/extension/notebooks/canonicalCell.ts';
import { type CellChange, changeCells } from '../../src/extension/notebooks/changeCells.ts';
import {
  joinNotebook,
  readCell,
  readFrame,
  requiresCellIds,
  splitNotebook,
} from '../../src/extension/notebooks/notebook.ts';
import { asLines, cellAsLines, findCellHunk, lineOfUnit } from '../../src/extension/review/asLines.ts';
import { cellDiff, hunkLocation } from '../../src/extension/review/cellDiff.ts';
import { withFormatOf } from '../../src/extension/review/cellFormat.ts';
import { fileDiff } from '../../src/extension/review/fileDiff.ts';
import {
  acceptHunks,
  applyAgentWrite,
  applyUserWrites,
  baseText,
  beginReview,
  bringBackHunk,
  changesTo,
  pendingHunks,
  presentText,
  rejectHunk,
  rejectHunks,
} from '../../src/extension/review/fileReview.ts';
import type { FileReview } from '../../src/extension/review/hunk.ts';
import { notebookSamples } from '../support/notebookSamples.ts';
import { schemaFaults } from '../support/notebookSchema.ts';
import { fc } from '../support/properties.ts';
import { chanceFrom, runSize, seed } from '../support/runSize.ts';

const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

let made = 0;
function change(text: string, ...changes: readonly CellChange[]): string {
  const notebook = splitNotebook(text)!;
  const newId = requiresCellIds(readFrame(notebook)) ? () => `new-${++made}` : undefined;
  const result = changeCells(notebook, changes, newId);
  return result.ok ? joinNotebook(result.notebook) : text;
}

function written(before: string | null, after: string): FileReview {
  const begun = beginReview(before, 'cells');
  return applyAgentWrite(begun, changesTo(begun, after), 'c1');
}

const edit = (cell: number, source: string): CellChange => ({
  op: 'edit',
  cell,
  source: () => ({ text: source }),
});

const cellsOf = (text: string) => splitNotebook(text)!.cells.map(canonicalCell);

describe('a review of a notebook', () => {
  it('has a hunk for each cell that changed, named by its number', () => {
    const after = change(
      sample,
      edit(2, 'x'),
      { op: 'delete', cell: 4 },
      { op: 'insert', after: 6, kind: 'raw', source: 'y' },
    );
    const review = written(sample, after);
    expect(review.hunks.map(hunk => hunkLocation(review, hunk))).toEqual([
      'Cell 2, python',
      'Cell 4, raw, removed',
      'Cell 6, raw, new',
    ]);
    expect(presentText(rejectHunks(review, [1, 2, 3]))).toBe(sample);
  });

  it('names cells on both sides of a hunk of several, and counts lines from each name on', () => {
    const source = readCell(splitNotebook(sample)!.cells[1]!).source;
    const after = change(sample, edit(2, `# First\n${source}`), {
      op: 'insert',
      after: 2,
      kind: 'markdown',
      source: 'A word.',
    });
    const [hunk] = cellDiff('a.ipynb', sample, after, {})!.hunks;
    expect(hunk).toMatchObject({ place: 'Cells 2–3', oldStart: 1, newStart: 1 });
    expect(hunk!.lines[0]).toEqual({ kind: 'context', text: '[code]', heading: true });
    expect(hunk!.lines[1]).toEqual({ kind: 'added', text: '# First' });
    expect(hunk!.lines.filter(({ kind }) => kind === 'removed')).toEqual([]);
    expect(hunk!.lines.slice(-2)).toEqual([
      { kind: 'added', text: '[markdown]', heading: true },
      { kind: 'added', text: 'A word.' },
    ]);
  });

  it('shows a moved cell as one change, so that no decision leaves it twice or nowhere', () => {
    const review = written(sample, change(sample, { op: 'move', cell: 2, after: 5 }));
    expect(review.hunks).toHaveLength(1);
    expect(presentText(rejectHunk(review, review.hunks[0]!.id)!)).toBe(sample);
  });

  it('decides on what stands around the cells with all of them', () => {
    const review = written(
      sample,
      change(sample, edit(1, 'x')).replace('"display_name": "Python 3"', '"display_name": "P"'),
    );
    expect(review.hunks.map(hunk => hunkLocation(review, hunk))).toEqual(['Whole notebook']);
  });

  it('stays what it is when another program writes the same notebook in its own manner', () => {
    const review = written(sample, change(sample, edit(2, 'x'), edit(4, 'y')));
    const notebook = JSON.parse(presentText(review)) as { cells: { source: string | string[] }[] };
    // A text may stand whole or as a list of lines.
    for (const cell of notebook.cells) cell.source = [cell.source].flat();
    const rewritten = JSON.stringify(notebook, null, 4);
    const followed = withFormatOf(review, rewritten);
    expect(presentText(followed)).toBe(rewritten);
    expect(followed.hunks).toMatchObject([
      { start: 2, count: 1, touched: false },
      { start: 4, count: 1, touched: false },
    ]);
    expect(cellsOf(presentText(rejectHunks(followed, [1, 2])))).toEqual(cellsOf(sample));
  });

  it('marks the lines of each cell where the file is shown as text', () => {
    const review = written(sample, change(sample, edit(2, 'x')));
    const lines = asLines(review);
    const [hunk] = lines.hunks;
    const shown = lines.present.slice(hunk!.start, hunk!.start + hunk!.count);
    expect(shown[0]).toBe('  {\n');
    expect(shown.at(-1)).toBe('  },\n');
    expect(shown.join('')).toContain('cell-2');
    expect(lines.base.slice(hunk!.baseStart, hunk!.baseStart + hunk!.baseCount).join('')).toContain(
      'tides.read()',
    );
  });

  it('marks the changed lines of a cell where the cell has an editor of its own', () => {
    const after = change(sample, edit(2, 'import tides\nsea = tides.load()\nsea.plot()'), {
      op: 'insert',
      after: 6,
      kind: 'code',
      source: 'a\nb',
    });
    const review = written(sample, after);
    const marks = (unit: number) =>
      cellAsLines(review, unit)?.hunks.map(({ id, start, count }) => ({ id, start, count }));
    const idAt = (unit: number) => findCellHunk(review, unit)!.id;
    expect(marks(2)).toEqual([{ id: idAt(2), start: 1, count: 1 }]);
    expect(marks(7)).toEqual([{ id: idAt(7), start: 0, count: 2 }]);
    expect([0, 1, 3, 8].map(marks)).toEqual([undefined, undefined, undefined, undefined]);
    expect(asLines(review).present[lineOfUnit(review, 7)]).toBe('  {\n');
  });

  it('is a proposal by cell before it is written, of which some can be taken', () => {
    const after = change(sample, edit(1, 'one'), edit(4, 'four'));
    const diff = fileDiff('a.ipynb', sample, after);
    expect(diff.hunks.map(({ place }) => place)).toEqual(['Cell 1, markdown', 'Cell 4, raw']);
    expect(diff.hunks[0]!.lines).toContainEqual({ kind: 'added', text: 'one' });
    expect(applyHunks(sample, after, diff, [1])).toBe(change(sample, edit(4, 'four')));
  });
});

/** Draws an edit of any kind, of any cell. */
function randomChange(chance: () => number, count: number): CellChange {
  const cell = 1 + Math.floor(chance() * Math.max(1, count));
  const kinds = ['code', 'markdown', 'raw'] as const;
  const kind = kinds[Math.floor(chance() * 3)]!;
  const source = Array.from(
    { length: Math.floor(chance() * 4) },
    () => words[Math.floor(chance() * words.length)],
  ).join('');
  const changes: readonly CellChange[] = [
    edit(cell, source),
    { op: 'insert', after: Math.floor(chance() * (count + 1)), kind, source },
    { op: 'delete', cell },
    { op: 'move', cell, after: Math.floor(chance() * (count + 1)) },
    { op: 'kind', cell, kind },
  ];
  return changes[Math.floor(chance() * changes.length)]!;
}

const words = ['x = 1\n', '"}],{["', '\\', '\t', 'é 🌊', '\r\n', '# Tides\n', '\u2028'];

/** Whole notebooks are written too, with another frame and other cells. */
function randomText(chance: () => number, text: string): string {
  const count = splitNotebook(text)!.cells.length;
  if (chance() < 0.05)
    return text
      .replace('"metadata": {', '"metadata": { "seen": true, ')
      .replace('"seen": true, }', '"seen": true }');
  const changes = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => randomChange(chance, count));
  return changes.reduce((each, one) => change(each, one), text);
}

const small = notebookSamples.filter(({ text }) => text.length < 100_000).map(({ text }) => text);

function expectValid(text: string, when: string): void {
  expect(schemaFaults(text), when).toEqual([]);
}

describe('whatever the agent writes into a notebook and in whatever order a user decides', () => {
  const check = (how: 'agent alone' | 'user too') => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom(...small), (start, first) => {
        const chance = chanceFrom(start ^ seed);
        let review = beginReview(first, 'cells');
        for (let step = 0; step < 12; step++) {
          const what = chance();
          const pending = pendingHunks(review);
          const one = pending[Math.floor(chance() * pending.length)]?.id ?? 0;
          if (what < 0.4)
            review = applyAgentWrite(review, changesTo(review, randomText(chance, presentText(review))), 'c');
          else if (what < 0.5 && how === 'user too')
            review = applyUserWrites(review, changesTo(review, randomText(chance, presentText(review))));
          else if (what < 0.7) review = acceptHunks(review, [one]);
          else if (what < 0.9) {
            const next = rejectHunk(review, one) ?? review;
            // The ledger refuses what would leave none; where the agent alone wrote it never has to.
            const isRefused = how === 'user too' && schemaFaults(presentText(next)).length > 0;
            review = isRefused ? review : next;
          } else {
            const rejected = review.hunks.filter(({ status }) => status === 'rejected');
            const next =
              bringBackHunk(review, rejected[Math.floor(chance() * rejected.length)]?.id ?? 0) ?? review;
            review = schemaFaults(presentText(next)).length > 0 ? review : next;
          }
          expectValid(presentText(review), `step ${step} of ${start}`);
          if (how === 'user too') continue;
          expectValid(baseText(review), `base in step ${step} of ${start}`);
          const some = pendingHunks(review)
            .filter(() => chance() < 0.5)
            .map(({ id }) => id);
          expectValid(presentText(rejectHunks(review, some)), `some rejected in step ${step} of ${start}`);
        }
        const ids = pendingHunks(review).map(({ id }) => id);
        expect(presentText(rejectHunks(review, ids))).toBe(baseText(review));
      }),
      { numRuns: runSize({ test: 30, prove: 10_000 }) },
    );
  };

  it('each text is a valid notebook', () => check('agent alone'), 600_000);

  it('also with the user at work in it', () => check('user too'), 600_000);
});
