import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const bom = '\ufeff';

test('what is denied leaves every byte as it was, does not run, and the model reads the reason', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': `${bom}one\r\ntwo\r\nthree`, 'list.txt': 'a\nb\n' });
  const hash = () => hashOf(join(folder, 'notes.txt'), join(folder, 'list.txt'));
  const before = await hash();
  const gemini = await startGemini();
  gemini.script(
    [call('replace', { file_path: 'notes.txt', instruction: 'Count.', old_string: 'two', new_string: '2' })],
    [...overwrite('list.txt', 'nothing\n')],
    [call('run_shell_command', { command: 'touch ran.txt', description: 'Makes a file' })],
    [text('Then I leave it.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Change the notes.');

  // By keyboard: J goes to the card, R asks for the reason.
  await button(panel, 'Accept').waitFor();
  await panel.getByRole('log').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await panel.getByRole('textbox', { name: 'Reason, optional' }).waitFor();
  await page.keyboard.type('Keep the numbers as words.');
  await window.screenshot('deny-with-a-reason');
  await page.keyboard.press('Enter');

  // In the diff editor, after something was typed into it.
  await panel.getByRole('group', { name: /list\.txt.*pending/ }).waitFor();
  await button(panel, 'Open diff').click();
  const right = page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first();
  await right.locator('.view-line').first().waitFor();
  await until('the cursor is in the diff', () =>
    right.evaluate(element => element.contains(document.activeElement)),
  );
  await page.keyboard.type('typed ');
  await right.getByText('typed').waitFor();
  await page.locator('.editor-actions [aria-label^="Reject Proposed Change"]').click();

  // By mouse, without a reason.
  await button(panel, 'Run').waitFor();
  await button(panel, 'Deny…').click();
  await button(panel, 'Deny').click();
  await panel.getByText('Then I leave it.').waitFor();

  const [edit, write, run] = asked(gemini)
    .slice(1)
    .map(request => lastResults(request).at(-1));
  expect(edit?.error).toMatch(/denied.*Keep the numbers as words\./s);
  expect(write?.error).toMatch(/denied/);
  expect(run?.error).toMatch(/denied/);
  expect(await hash()).toBe(before);
  expect(existsSync(join(folder, 'ran.txt'))).toBe(false);
  expect((await window.evaluate('listTabs')).map(({ label }) => label)).toEqual([]);
  await panel.getByText('Denied: Keep the numbers as words.').waitFor();
  await window.screenshot('denied');
  expectPlayed(gemini);
});

async function hashOf(...paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(await readFile(path));
  return hash.digest('hex');
}
