import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { notebookSamples } from '../support/notebookSamples.ts';
import { schemaFaults } from '../support/notebookSchema.ts';
import { ask, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const { text: sample } = notebookSamples.find(({ name }) => name === '4.5 with ids')!;

test('a notebook that is open is edited in its editor, and its cells are decided on in the panel', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'tides.ipynb': sample });
  const path = join(folder, 'tides.ipynb');
  const gemini = await startGemini();
  const edit = (...operations: readonly object[]) =>
    call('edit_notebook', { file_path: 'tides.ipynb', operations });
  gemini.script(
    [call('read_file', { file_path: 'tides.ipynb' })],
    [
      edit(
        { op: 'edit', cell: 2, old_string: 'tides.read()', new_string: 'tides.load()' },
        { op: 'delete', cell: 6 },
      ),
    ],
    [text('The first is done.')],
    [edit({ op: 'edit', cell: 4, new_string: 'theirs' })],
    [text('The second is done.')],
  );
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  await window.evaluate('openNotebook', path);
  const read = () => window.evaluate('readNotebook', path);
  const panel = await window.openPanel();
  await ask(panel, 'Load them.');
  await panel.getByText('The first is done.').waitFor();

  // In the editor and on the disk, with the outputs of the changed cell.
  const changed = await read();
  expect(changed.isDirty).toBe(false);
  expect(changed.cells).toHaveLength(5);
  expect(changed.cells[1]).toEqual({ source: 'import tides\nsea = tides.load()\nsea.plot()', outputs: 2 });
  const written = await readFile(path, 'utf8');
  expect(schemaFaults(written)).toEqual([]);
  expect(JSON.parse(written).cells).toHaveLength(5);

  // The changed line is highlighted.
  await window.page.locator('.cell .view-overlays .cdr[class*="ced-"]').first().waitFor();

  // Below the changed cell stands what decides on it; cells without a change have nothing.
  await window.page.locator('.cell-status-item', { hasText: 'Accept' }).first().waitFor();
  expect(await window.page.locator('.cell-status-item', { hasText: 'Accept' }).count()).toBe(1);

  expect(await panel.locator('.review .strip').innerText()).toMatch(/2 cells changed/);

  // A cell that was deleted comes back with its outputs.
  await panel.locator('.review .strip-toggle').click();
  const removed = panel.getByRole('group', { name: /tides.ipynb, Cell 6, python, removed, pending/ });
  await removed.getByRole('button', { name: 'Reject' }).click();
  await until('the cell is there again', async () => (await read()).cells.length === 6);
  expect((await read()).cells[5]).toMatchObject({ outputs: 1 });

  // What the user typed and has not saved stays, whatever the agent does elsewhere.
  await window.evaluate('typeInCell', path, 0, 'Mine. ');
  await ask(panel, 'And the other.');
  await panel.getByText('The second is done.').waitFor();
  const both = (await read()).cells.map(({ source }) => source);
  expect(both[0]).toMatch(/^Mine\. /);
  expect(both[3]).toBe('theirs');

  // In the notebook editor the keys are about the selected cell: the next change from there, which goes.
  for (const command of ['workbench.action.focusActiveEditorGroup', 'notebook.focusTop'])
    await window.evaluate('executeCommand', command);
  await window.evaluate('executeCommand', 'folio.review.nextHunk');
  await window.page.keyboard.press('Alt+X');
  await until('the key has rejected', async () => (await read()).cells[1]!.source.includes('tides.read()'));
  const rejected = panel.getByRole('group', { name: /tides.ipynb, Cell 2, python, rejected/ });
  await rejected.getByRole('button', { name: 'Bring back' }).click();
  await until('the change is back', async () => (await read()).cells[1]!.source.includes('tides.load()'));

  // All that is seen to wait goes, and the user's words stay.
  await panel.getByRole('group', { name: /tides.ipynb, Cell 2, python, pending/ }).waitFor();
  await panel.getByRole('button', { name: 'Reject all changes' }).click();
  await until(
    'nothing waits any more',
    async () => (await panel.locator('.review-hunk.pending').count()) === 0,
  );
  await until('the source is back', async () => (await read()).cells[1]!.source.includes('tides.read()'));
  const last = JSON.parse(await readFile(path, 'utf8'));
  expect(schemaFaults(JSON.stringify(last))).toEqual([]);
  expect(last.cells[0].source[0]).toMatch(/^Mine\. /);
  expect(last.cells[3].source).not.toContain('theirs');
});
