import { describe, expect, test } from 'vitest';
import { WorkspacePaths } from '../../src/extension/core/paths.ts';
import { editNotebookTool } from '../../src/extension/tools/editNotebook.ts';
import { readFileTool } from '../../src/extension/tools/readFile.ts';
import { replaceTool } from '../../src/extension/tools/replace.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryFileSystem } from '../support/memoryFileSystem.ts';
import { notebookSamples } from '../support/notebookSamples.ts';
import { schemaFaults } from '../support/notebookSchema.ts';
import { useTool, writingTo } from '../support/useTool.ts';

const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

function make(text = sample) {
  const files = new MemoryFileSystem({ '/w/a.ipynb': text, '/w/a.py': 'x = 1\n' });
  const ports = {
    files,
    paths: new WorkspacePaths(files, ['/w']),
    clock: new ManualClock(),
    notebooks: { isThere: true, saw: () => {} },
    heedsGeminiIgnore: () => true,
  };
  const tool = writingTo(files, editNotebookTool(ports));
  return {
    files,
    ports,
    edit: (operations: readonly object[], file_path = 'a.ipynb') => useTool(tool, { file_path, operations }),
    read: (asked: object = {}) => useTool(readFileTool(ports), { file_path: 'a.ipynb', ...asked }),
    cells: async () => {
      const { text: now } = await files.readText('/w/a.ipynb');
      expect(schemaFaults(now)).toEqual([]);
      return (JSON.parse(now) as { cells: { cell_type: string; id: string; source: string | string[] }[] })
        .cells;
    },
  };
}

const ids = (cells: readonly { id: string }[]) => cells.map(({ id }) => id);

describe('a notebook that is read', () => {
  test('comes as its cells, with short outputs', async () => {
    expect((await make().read()).text).toMatchInlineSnapshot(`
      "Notebook with 6 cells, format 4.5, python.
      [Cell 1, markdown, id cell-1]
      # Tides

      Of the *harbour*.
      [Cell 2, code, id cell-2]
      import tides
      sea = tides.read()
      sea.plot()
      [Output: stdout]
      low 0.4
      high 3.1
      [Output: text/plain]
      <Figure size 640x480>
      [Output: image/png, 72 bytes]
      [Cell 3, code, id cell-3]
      1 / 0
      [Output: error] ZeroDivisionError: division by zero
      [Cell 4, raw, id cell-4]
      .. note:: as it is
      [Cell 5, markdown, id cell-5]
      ![harbour](attachment:harbour.png)
      [Attachment harbour.png: image/png, 72 bytes]
      [Cell 6, code, id cell-6]
      sea.head()
      [Output: text/plain]
         tide
      0   0.4
      [Output: text/html, 21 bytes]"
    `);
  });

  test('comes in windows over what is shown, and says where they stand', async () => {
    const { text } = await make().read({ start_line: 3, end_line: 5, line_numbers: true });
    expect(text).toMatch(/^\[Lines 3-5 of \d+: 2 above/);
    expect(text).toContain('3: # Tides');
  });

  test('comes as text, with a sentence, when it is none', async () => {
    const { text } = await make('{ "cells": [ }').read();
    expect(text).toMatch(/^\[Shown as text, since its cells cannot be read: it is not JSON/);
    expect(text).toContain('{ "cells": [ }');
    expect(
      (await make('{"worksheets":[],"metadata":{},"nbformat":3,"nbformat_minor":0}').read()).text,
    ).toContain('its format is older than 4');
  });
});

describe('an edit by cell', () => {
  test('replaces text in a cell and leaves every other byte', async () => {
    const { files, edit } = make();
    const { text } = await edit([
      { op: 'edit', cell: 2, old_string: 'tides.read()', new_string: 'tides.load("a")' },
    ]);
    expect((await files.readText('/w/a.ipynb')).text).toBe(
      sample.replace('sea = tides.read()', 'sea = tides.load(\\"a\\")'),
    );
    expect(text).toContain('Outputs of cell 2 are kept: they come from the source before.');
  });

  test('does several things in their order, by the numbers that were read', async () => {
    const { edit, cells } = make();
    const { text } = await edit([
      { op: 'delete', cell: 1 },
      { op: 'insert', after: 2, kind: 'markdown', new_string: 'first' },
      { op: 'insert', after: 2, kind: 'code', new_string: 'second' },
      { op: 'move', cell: 6, after: 0 },
      { op: 'kind', cell: 3, kind: 'raw' },
      { op: 'edit', cell: 4, new_string: 'all new\n' },
    ]);
    const now = await cells();
    expect(ids(now)).toEqual(['cell-6', 'cell-2', now[2]!.id, now[3]!.id, 'cell-3', 'cell-4', 'cell-5']);
    expect(now[2]).toMatchObject({ cell_type: 'markdown', source: ['first'] });
    expect(now[3]).toMatchObject({ cell_type: 'code', source: ['second'], outputs: [] });
    expect(now[4]).toMatchObject({ cell_type: 'raw' });
    expect(now[5]).toMatchObject({ source: 'all new\n' });
    expect(text).toContain('Cell 1 is deleted.');
    expect(text).toContain('Cell 6 is cell 1 now (code).');
    expect(text).toContain('Outputs of cell 5 went with the kind of the cell.');
  });

  test.each([
    ['a cell that is not there', [{ op: 'delete', cell: 9 }], 'There is no cell 9: the notebook has 6'],
    [
      'text that is not in the cell',
      [{ op: 'edit', cell: 1, old_string: 'nowhere', new_string: 'x' }],
      'Cell 1: ',
    ],
    [
      'a cell that is deleted',
      [
        { op: 'delete', cell: 1 },
        { op: 'edit', cell: 1, new_string: 'x' },
      ],
      'deleted by',
    ],
    ['a kind that it has', [{ op: 'kind', cell: 1, kind: 'markdown' }], 'of kind markdown already'],
    ['a place behind no cell', [{ op: 'move', cell: 1, after: -1 }], 'There is no cell -1'],
    ['an operation without its cell', [{ op: 'delete' }], 'needs "cell"'],
    ['left-out code', [{ op: 'edit', cell: 2, new_string: '# ... rest of the code ...' }], 'leaves code out'],
    ['nothing', [], 'operations is empty'],
  ])('of %s does nothing at all', async (_what, operations, why) => {
    const { files, edit } = make();
    const before = [{ op: 'insert', after: 0, kind: 'raw', new_string: 'x' }];
    await expect(edit(operations)).rejects.toThrow(why);
    if (operations.length > 0) await expect(edit([...before, ...operations])).rejects.toThrow(why);
    expect(files.changes).toEqual([]);
  });

  test('is no way into files that are no notebooks', async () => {
    const { edit } = make();
    await expect(edit([{ op: 'delete', cell: 1 }], 'a.py')).rejects.toThrow('a.py is not a notebook');
    await expect(edit([{ op: 'delete', cell: 1 }], '../a.ipynb')).rejects.toThrow('outside the workspace');
    await expect(make('{}').edit([{ op: 'delete', cell: 1 }])).rejects.toThrow(
      'has no cells that can be changed',
    );
  });

  test('says so when the file holds something else afterwards', async () => {
    const { files, ports } = make();
    const meddled = Object.create(files) as MemoryFileSystem;
    meddled.writeText = (path, text, format) => files.writeText(path, text.replace('mine', 'theirs'), format);
    const tool = writingTo(meddled, editNotebookTool(ports));
    const operations = [{ op: 'edit', cell: 1, new_string: 'mine' }];
    await expect(useTool(tool, { file_path: 'a.ipynb', operations })).rejects.toThrow('holds other cells');
  });

  test.each(notebookSamples.map(each => [each.name, each] as const))(
    'of a notebook %s changes the bytes of that cell alone',
    async (_name, { text, format }) => {
      const { files, edit } = make(text);
      await files.writeText('/w/a.ipynb', text, format);
      await edit([{ op: 'insert', after: 0, kind: 'markdown', new_string: 'mine' }]);
      await edit([{ op: 'edit', cell: 1, old_string: 'mine', new_string: 'theirs' }]);
      await edit([{ op: 'delete', cell: 1 }]);
      const bytes = await files.readBytes('/w/a.ipynb');
      const isEmpty = (JSON.parse(text) as { cells: unknown[] }).cells.length === 0;
      if (!isEmpty) expect(Buffer.compare(bytes, await files.encode('', text, format))).toBe(0);
    },
  );

  test('is what a failed replace is told of', async () => {
    const { files, ports } = make();
    const edit = { file_path: 'a.ipynb', instruction: 'x', old_string: 'import tides\nsea', new_string: 'x' };
    await expect(useTool(writingTo(files, replaceTool(ports)), edit)).rejects.toThrow('edit_notebook');
  });
});
