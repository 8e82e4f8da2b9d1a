import { join } from 'node:path';
import { call, text } from '../support/geminiAnswers.ts';
import { git, initRepository } from '../support/gitRepository.ts';
import {
  ask,
  button,
  expectPlayed,
  focusEditor,
  lens,
  until,
  untilAtLine,
  untilHolds,
} from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const command = 'sed -i -e "s/two/TWO/" -e "s/five/FIVE/" -e "s/nine/NINE/" notes.txt';

test('what a command changed names the command and is decided by mouse, by key and in Git', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({});
  await initRepository(folder, { 'notes.txt': before });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script([call('run_shell_command', { command })], [text('Shouted.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'default' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Shout.');

  // The ask says what becomes of it.
  await panel.getByText('You can review any files it changes.').waitFor();
  await window.screenshot('command-ask');
  await button(panel, 'Run').click();
  await panel.getByText('Shouted.').waitFor();

  // The command's card leads to its first change, in the editor, where the hunk names the command.
  await panel.getByRole('button', { name: /^Changed 1 file/ }).click();
  await panel.getByTitle('Review notes.txt').click();
  await lens(page, 'Accept all 3').waitFor();
  await page.locator('.codelens-decoration').getByText('sed -i').first().waitFor();
  await window.evaluate('executeCommand', 'editor.action.showHover');
  const hover = page.locator('.monaco-hover', { hasText: 'Written by:' });
  await hover.getByText('sed -i').first().waitFor();
  await page.keyboard.press('Escape');
  await panel.locator('.review .strip-toggle').click();
  await panel.getByLabel('Group changes by').selectOption('writer');
  await panel.locator('.review-group-head .writer', { hasText: 'sed -i' }).waitFor();
  await window.screenshot('command-review');

  // By mouse, by key, and in Git.
  await lens(page, 'Reject').first().click();
  const after = before.replace('five', 'FIVE').replace('nine', 'NINE');
  await untilHolds(notes, after);
  await lens(page, 'Accept all 2').waitFor();
  await page.locator('.editor-instance .view-lines').first().click();
  await focusEditor(page);
  await page.keyboard.press('Control+Home');
  await untilAtLine(page, 1);
  await page.keyboard.press('Alt+j');
  await untilAtLine(page, 5);
  await page.keyboard.press('Alt+x');
  await untilHolds(notes, after.replace('FIVE', 'five'));
  await until('one hunk is left', async () => (await lens(page, 'Accept').count()) === 1);
  await git(folder, 'add', 'notes.txt');
  await until('nothing waits in the file', async () => (await lens(page, 'Accept').count()) === 0);
  await button(panel, 'Bring back').first().waitFor();
  await window.screenshot('command-staged');
  await untilHolds(notes, before.replace('nine', 'NINE'));

  // Undone as a whole: what was accepted goes, too.
  await window.runCommand('Folio: Undo Command');
  await page.locator('.quick-input-list').getByText('sed -i').first().waitFor();
  await page.keyboard.press('Enter');
  await untilHolds(notes, before);
  expectPlayed(gemini);
});
