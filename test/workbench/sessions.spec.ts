import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a session continues waiting while another is shown, and one that was deleted comes back with Undo', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const edit = { file_path: 'notes.txt', instruction: 'Count.', old_string: 'one', new_string: '1' };
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  gemini.script([call('replace', edit)]);
  await ask(panel, 'Write the number as a digit.');
  await button(panel, 'Accept').waitFor();
  await window.runCommand('Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  expect(await button(panel, 'Accept').count()).toBe(0);

  gemini.script([text('Hello to you.')]);
  await ask(panel, 'Hello.');
  await panel.getByText('Hello to you.').waitFor();
  await window.runCommand('Folio: Delete Session');
  const notice = window.page.locator('.notification-toast').filter({ hasText: '“Hello.” was deleted.' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await panel.getByText('Hello to you.').waitFor();

  await window.runCommand('Folio: Session History');
  await panel.getByText('Write the number as a digit.').first().click();
  gemini.script([text('Now it is a digit.')]);
  await button(panel, 'Accept').click();
  await until(
    'the file is written',
    async () => (await readFile(join(folder, 'notes.txt'), 'utf8')) === '1\n',
  );
  await panel.getByText('Now it is a digit.').waitFor();
});

test('of two sessions that wait one is answered from the history, and it alone runs its command', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  for (const name of ['first', 'second']) {
    await window.runCommand('Folio: New Session');
    await panel.getByText('Describe a task.').waitFor();
    gemini.script([call('run_shell_command', { command: `touch ${name}.txt` })]);
    await ask(panel, `Make the ${name} file.`);
    await button(panel, 'Run').waitFor();
  }
  await window.runCommand('Folio: Session History');
  const row = (name: string) => panel.locator('[data-session]', { hasText: `Make the ${name} file.` });
  await panel.locator('.session-buttons').nth(1).waitFor();
  gemini.script([text('The file is there.')]);
  // The second one is the session that is shown.
  await row('first').getByRole('button', { name: /^Run/ }).click();
  await until('the file is made', async () => (await readdir(folder)).includes('first.txt'));
  await until('one waits', async () => (await panel.locator('.session-buttons').count()) === 1);
  expect(await readdir(folder)).not.toContain('second.txt');
  await row('second').getByRole('button', { name: /^Run/ }).waitFor();

  gemini.script([text('It stays away.')]);
  await row('second').getByRole('button', { name: /^Deny/ }).click();
  await until('none waits', async () => (await panel.locator('.session-buttons').count()) === 0);
  expect(await readdir(folder)).not.toContain('second.txt');
  await row('first').locator('.session').press('Control+Enter');
  await window.page.getByRole('tab', { name: /Make the first file/ }).waitFor();
});

test('notifications come while nobody looks at the window, also about the shown session, and not else', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const edit = { file_path: 'notes.txt', instruction: 'Count.', old_string: 'one', new_string: '1' };
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const news = () => window.page.locator('.notification-toast', { hasText: '“Count' });
  gemini.script([call('replace', edit)]);
  await ask(panel, 'Count with digits.');
  await button(panel, 'Accept').waitFor();
  await window.runCommand('Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  // The session that waits is not shown, and the window has the focus.
  expect(await news().count()).toBe(0);

  await lookAway(window.page, true);
  gemini.script([text('Counted.')]);
  await ask(panel, 'Count to three.');
  await panel.getByText('1 step').waitFor();
  await news().filter({ hasText: '“Count to three.” is done.' }).waitFor();
  await lookAway(window.page, false);
  await news().getByRole('button', { name: 'Show' }).click();
  await panel.getByText('Counted.').waitFor();

  // One that waited on would have to be confirmed when the next test deletes it.
  await window.runCommand('Folio: Session History');
  await panel.getByText('Count with digits.').first().click();
  gemini.script([text('Now it is a digit.')]);
  await button(panel, 'Accept').click();
  await panel.getByText('Now it is a digit.').waitFor();
});

/** VS Code asks its page whether it has the focus when that may have changed. */
async function lookAway(page: Page, isAway: boolean): Promise<void> {
  await page.evaluate(away => {
    document.hasFocus = () => !away;
    document.dispatchEvent(new Event('visibilitychange'));
  }, isAway);
}
