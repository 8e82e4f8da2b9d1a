import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { initRepository } from '../support/gitRepository.ts';
import { ask, button, lens, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = `${Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
const replace = (from: string, to: string) =>
  call('replace', { file_path: 'notes.txt', instruction: 'Edit.', old_string: from, new_string: to });

test('a session works in a worktree, and its changes come home hunk by hunk', async ({
  openOwn,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({});
  await initRepository(folder, { 'notes.txt': before, 'other.txt': 'other\n' });
  const gemini = await startGemini();
  const window = await openOwn({
    folder,
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const panel = await window.openPanel();
  const notes = join(folder, 'notes.txt');
  await window.evaluate('openFile', notes);

  await window.runCommand('Folio: New Session in a Worktree');
  await panel.getByText(/^work-[0-9a-f]{6}/).waitFor();
  gemini.script([replace('line 1\n', 'first\n')], [replace('line 12\n', 'last\n')], [text('Both are done.')]);
  await ask(panel, 'Rename both ends.');
  await panel.getByText('Both are done.').waitFor();
  expect(await readFile(notes, 'utf8')).toBe(before);
  await window.savePicture('worktree');

  // Meanwhile the user changes the middle.
  const mine = before.replace('line 6\n', 'mine\n');
  await writeFile(notes, mine);
  await button(panel, 'Bring Home').click();
  await panel.getByText('1 file brought home').first().waitFor();
  await untilHolds(notes, mine.replace('line 1\n', 'first\n').replace('line 12\n', 'last\n'));
  await until('both hunks wait at home', async () => (await lens(window.page, 'Accept').count()) === 2);
  await window.savePicture('worktree-home');
  await lens(window.page, 'Reject').first().click();
  await untilHolds(notes, mine.replace('line 12\n', 'last\n'));

  // A conflict stays with the user, and the merge editor shows both sides.
  gemini.script([replace('first\n', 'FIRST\n')], [text('Again.')]);
  await ask(panel, 'Once more.');
  await panel.getByText('Again.').waitFor();
  await writeFile(notes, (await readFile(notes, 'utf8')).replace('line 1\n', 'my own\n'));
  await ask(panel, '/worktree apply');
  await window.page.getByRole('button', { name: 'Open Merge Editor' }).click();
  await window.page.locator('.merge-editor').waitFor();
  await window.savePicture('worktree-merge');

  // A result that is not saved brings nothing home; one that is does.
  await window.runCommand('View: Close Editor');
  await window.page.getByText('notes.txt was closed without a result').last().waitFor();
  await panel.getByRole('button', { name: 'Let the Agent Merge' }).waitFor();
  await ask(panel, '/worktree apply');
  await window.page.getByRole('button', { name: 'Open Merge Editor' }).last().click();
  await window.page.locator('.merge-editor').waitFor();
  await window.page.locator('.merge-editor .view-lines').last().click();
  await window.page.keyboard.type('merged ');
  await window.runCommand('File: Save');
  await panel.getByText('nothing would be lost').waitFor();
  await button(panel, 'Remove Worktree').waitFor();
});
