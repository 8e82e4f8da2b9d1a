import { describe, expect, test } from 'vitest';
import { changeCells } from '../../src/extension/notebooks/changeCells.ts';
import { joinNotebook, readCell, splitNotebook } from '../../src/extension/notebooks/notebook.ts';
import { notebookAsText } from '../../src/extension/notebooks/notebookAsText.ts';
import { notebookSamples } from '../support/notebookSamples.ts';
import { schemaFaults } from '../support/notebookSchema.ts';

describe.each(notebookSamples.map(sample => [sample.name, sample.text] as const))(
  'a notebook %s',
  (_name, text) => {
    const notebook = splitNotebook(text)!;

    test('is valid to begin with, and has the same bytes when it is cut and joined', () => {
      expect(schemaFaults(text)).toEqual([]);
      expect(joinNotebook(notebook) === text).toBe(true);
    });

    test('has the same bytes when each source is written as it is', () => {
      const changes = notebook.cells.map((_, at) => ({
        op: 'edit' as const,
        cell: at + 1,
        source: (before: string) => ({ text: before }),
      }));
      const result = changeCells(notebook, changes, undefined);
      expect(result.ok && joinNotebook(result.notebook) === text).toBe(true);
    });

    test('takes a cell in, and is as it was when that cell goes', () => {
      const newId =
        text.includes('"nbformat_minor": 5') || text.includes('"nbformat_minor":5')
          ? () => 'new-1'
          : undefined;
      for (let after = 0; after <= notebook.cells.length; after++) {
        for (const kind of ['code', 'markdown', 'raw'] as const) {
          const grown = changeCells(notebook, [{ op: 'insert', after, kind, source: 'a\n"b"\n' }], newId);
          if (!grown.ok) throw new Error(grown.why);
          const inserted = joinNotebook(grown.notebook);
          expect(schemaFaults(inserted)).toEqual([]);
          expect(readCell(splitNotebook(inserted)!.cells[after]!)).toMatchObject({
            kind,
            source: 'a\n"b"\n',
          });
          const back = changeCells(splitNotebook(inserted)!, [{ op: 'delete', cell: after + 1 }], newId);
          if (!back.ok) throw new Error(back.why);
          if (notebook.cells.length > 0) expect(joinNotebook(back.notebook) === text).toBe(true);
          else expect(JSON.parse(joinNotebook(back.notebook))).toEqual(JSON.parse(text));
        }
      }
    });

    test('is valid whatever kind its cells become', () => {
      for (let cell = 1; cell <= notebook.cells.length; cell++) {
        for (const kind of ['code', 'markdown', 'raw'] as const) {
          const result = changeCells(notebook, [{ op: 'kind', cell, kind }], undefined);
          if (!result.ok) expect(result.why).toContain('already');
          else expect(schemaFaults(joinNotebook(result.notebook))).toEqual([]);
        }
      }
    });

    test('is shown with all of its cells, in little text', () => {
      const shown = notebookAsText(text)!;
      expect(shown.match(/^\[Cell \d+, /gm) ?? []).toHaveLength(notebook.cells.length);
      expect(shown.length).toBeLessThan(5_000);
    });
  },
);

describe('a new cell', () => {
  const { text } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

  test('stands in the manner of the file', () => {
    const notebook = splitNotebook(text)!;
    const result = changeCells(
      notebook,
      [{ op: 'insert', after: 1, kind: 'code', source: 'x = 1\nx' }],
      () => 'abc',
    );
    if (!result.ok) throw new Error(result.why);
    expect(joinNotebook(result.notebook)).toContain(
      '\n  {\n   "cell_type": "code",\n   "execution_count": null,\n   "id": "abc",\n   "metadata": {},\n   "outputs": [],\n   "source": [\n    "x = 1\\n",\n    "x"\n   ]\n  },\n',
    );
  });

  test('keeps the manner of a list without cells', () => {
    const empty = splitNotebook(notebookSamples.find(({ name }) => name === '4.5 without cells')!.text)!;
    const result = changeCells(empty, [{ op: 'insert', after: 0, kind: 'raw', source: 'x' }], () => 'abc');
    if (!result.ok) throw new Error(result.why);
    const whole = joinNotebook(result.notebook);
    expect(`${JSON.stringify(JSON.parse(whole), null, 1)}\n`).toBe(whole);
  });
});
