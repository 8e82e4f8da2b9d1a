import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { overwrite, text } from '../support/geminiAnswers.ts';
import { button, completions, focusEditor, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('commands are completed, carried out and given back, and /init writes the memory file', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n', 'GEMINI.md': 'Use tabs.\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  await window.runCommand('Folio: Focus Panel');
  const panel = window.panel();
  const field = panel.locator('textarea.prompt-field');
  const focused = () => field.evaluate(it => it === document.activeElement && document.hasFocus());
  await until('the cursor is in the composer', focused);

  await page.keyboard.type('/comprss');
  await panel.getByText('Nothing found for “comprss”.').waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText('Did you mean /compress', { exact: false }).waitFor();
  await until('what was typed came back', async () => (await field.inputValue()) === '/comprss');

  await field.fill('');
  await page.keyboard.type('/m');
  await completions(panel, /memory/).waitFor();
  await window.screenshot('commands');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /Memory\.md/ }).waitFor();
  await window.screenshot('memory');

  await window.runCommand('Folio: Focus Panel');
  await until('the cursor is back in the composer', focused);
  await page.keyboard.type('see @note');
  await completions(panel, /notes\.txt/).waitFor();
  await page.keyboard.press('Tab');
  await until('the file is named', async () => (await field.inputValue()) === 'see @notes.txt ');
  await field.fill('');

  await field.fill('/help');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-list [role="option"][aria-label^="/compress"]').click();
  await until('the command stands there', async () => (await field.inputValue()) === '/compress ');
  await field.fill('');

  gemini.script([...overwrite(join(folder, 'GEMINI.md'), 'Use tabs. Run npm test.\n')], [text('Improved.')]);
  await window.runCommand('Folio: Create Memory File');
  await panel.locator('.prompt', { hasText: '/init' }).waitFor();
  await button(panel, 'Accept').click();
  await panel.getByText('Improved.').waitFor();
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toContain(
    'Improve the memory file of this project',
  );
  await window.screenshot('init');

  await field.fill('/clear');
  await page.keyboard.press('Enter');
  await panel.getByText('Describe a task.').waitFor();
});

test('a command of the workspace waits until it is let, asks once for what it runs, and is sent', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const prompt = 'Make it {{args}}. !{touch first.txt && echo made} !{touch second.txt} Look at @{notes.txt}';
  const folder = await makeWorkspace({
    'notes.txt': 'Mind the tax.\n',
    '.gemini/commands/team/make.toml': `description = "Makes files"\nprompt = "${prompt}"\n`,
  });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  const field = panel.locator('textarea.prompt-field');
  const dialog = page.locator('.monaco-dialog-box');
  const send = async (words: string) => {
    await field.fill(words);
    await field.press('Enter');
  };

  await send('/team:make new');
  await panel.getByText('you have not allowed it yet', { exact: false }).waitFor();
  await until('the command came back', async () => (await field.inputValue()) === '/team:make new');
  await window.runCommand('Folio: Show Servers, Commands, Agents and Skills');
  await page.locator('.quick-input-list [role="option"]').filter({ hasText: 'Allow 1 item' }).click();

  await until('the command is offered', async () => {
    await field.fill('');
    await field.pressSequentially('/tea');
    return (await completions(panel, /team:make/).count()) === 1;
  });
  expect(await panel.locator('.completion-source').innerText()).toBe('workspace');
  await window.screenshot('commands-own');

  await send('/team:make new');
  await dialog.getByText('/team:make runs 2 commands before it is sent.').waitFor();
  await dialog.getByText('touch second.txt', { exact: false }).waitFor();
  await window.screenshot('commands-question');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByText('you did not let its 2 commands run', { exact: false }).waitFor();
  expect(gemini.requests).toEqual([]);
  await expect(readFile(join(folder, 'first.txt'))).rejects.toMatchObject({ code: 'ENOENT' });

  gemini.script([text('Done with it.')]);
  await send('/team:make new');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await panel.getByText('Done with it.').waitFor();
  const sent = JSON.stringify(lastAsked(gemini).body.contents);
  expect(sent).toContain(
    'Make it new. <untrusted_output>\\nmade\\n</untrusted_output> (no output) Look at Content',
  );
  expect(sent).toContain('Mind the tax.');
  await panel.locator('.prompt', { hasText: '/team:make new' }).waitFor();
  expect(await readFile(join(folder, 'second.txt'), 'utf8')).toBe('');

  await send('/stats');
  await page.getByRole('tab', { name: /Statistics\.md/ }).waitFor();
  await send('/bug');
  const report = page.getByRole('tab', { name: /A problem with Folio/ });
  await report.waitFor();
  await page.getByRole('button', { name: 'Show them' }).click();
  await page.getByRole('tab', { name: /"type":"request"/ }).waitFor();
  await window.screenshot('commands-report');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await report.click();
  await focusEditor(page);
  await page.keyboard.press('Control+End');
  await page.locator('.view-lines', { hasText: '"type":"answer"' }).first().waitFor();
  await send('/mode plan');
  await panel
    .getByRole('combobox', { name: 'Approval mode' })
    .locator('button', { hasText: 'Plan' })
    .waitFor();
  await send('/team:make new');
  await panel.getByText('Plan mode is on', { exact: false }).waitFor();
});
