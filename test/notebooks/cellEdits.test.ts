import { expect, test } from 'vitest';
import { cellEdits, differsOutsideCells } from '../../src/extension/notebooks/cellEdits.ts';
import { type CellChange, changeCells } from '../../src/extension/notebooks/changeCells.ts';
import { joinNotebook, type NotebookParts, splitNotebook } from '../../src/extension/notebooks/notebook.ts';
import { notebookSamples } from '../support/notebookSamples.ts';

const sample = splitNotebook(notebookSamples.find(({ name }) => name === '4.5 with ids')!.text)!;

function changed(...changes: readonly CellChange[]): NotebookParts {
  const result = changeCells(sample, changes, () => 'new');
  if (!result.ok) throw new Error(result.why);
  return splitNotebook(joinNotebook(result.notebook))!;
}

const edit = (cell: number): CellChange => ({ op: 'edit', cell, source: () => ({ text: 'x' }) });

test('a cell of which only the source differs keeps the rest that its editor has', () => {
  expect(cellEdits(sample, changed(edit(2), edit(4)))).toEqual([
    { kind: 'source', cell: 1, source: 'x' },
    { kind: 'source', cell: 3, source: 'x' },
  ]);
});

test('cells that come, go or become another kind are replaced where they stand', () => {
  expect(cellEdits(sample, changed({ op: 'delete', cell: 3 }))).toEqual([
    { kind: 'cells', start: 2, count: 1, from: 2, to: 2 },
  ]);
  expect(cellEdits(sample, changed({ op: 'kind', cell: 6, kind: 'raw' }))).toEqual([
    { kind: 'cells', start: 5, count: 1, from: 5, to: 6 },
  ]);
  const grown = changed({ op: 'insert', after: 6, kind: 'raw', source: '' });
  expect(cellEdits(sample, grown)).toEqual([{ kind: 'cells', start: 6, count: 0, from: 6, to: 7 }]);
});

test('another writing of the same notebook is no edit, another kernel is one around the cells', () => {
  const rewritten = splitNotebook(JSON.stringify(JSON.parse(joinNotebook(sample)), null, 4))!;
  expect(cellEdits(sample, rewritten)).toEqual([]);
  expect(differsOutsideCells(sample, rewritten)).toBe(false);
  const renamed = splitNotebook(joinNotebook(sample).replace('Python 3', 'Another'))!;
  expect(differsOutsideCells(sample, renamed)).toBe(true);
});
