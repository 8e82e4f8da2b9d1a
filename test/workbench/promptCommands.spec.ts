import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { button, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('commands are completed, carried out and given back, and /init writes the memory file', async ({
  open,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({ 'notes.txt': 'one\n', 'GEMINI.md': 'Use tabs.\n' });
  const gemini = await startGemini();
  const window = await open({ folder, settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  await window.runCommand('Folio: Focus Panel');
  const panel = window.panel();
  const field = panel.locator('textarea.prompt-field');
  const focused = () => field.evaluate(it => it === document.activeElement && document.hasFocus());
  await until('the cursor is in the composer', focused);

  await page.keyboard.type('/comprss');
  await panel.getByText('Nothing found for “comprss”.').waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText('The nearest is /compress', { exact: false }).waitFor();
  expect(await field.inputValue()).toBe('/comprss');

  await field.fill('');
  await page.keyboard.type('/m');
  await panel.getByRole('option', { name: /memory/ }).waitFor();
  await window.screenshot('commands');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: /Memory\.md/ }).waitFor();
  await window.screenshot('memory');

  await window.runCommand('Folio: Focus Panel');
  await until('the cursor is back in the composer', focused);
  await page.keyboard.type('see @note');
  await panel.getByRole('option', { name: /notes\.txt/ }).waitFor();
  await page.keyboard.press('Tab');
  await until('the file is named', async () => (await field.inputValue()) === 'see @notes.txt ');
  await field.fill('');

  await field.fill('/help');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-list [role="option"][aria-label^="/compress"]').click();
  await until('the command stands there', async () => (await field.inputValue()) === '/compress ');
  await field.fill('');

  gemini.script(
    [call('write_file', { file_path: join(folder, 'GEMINI.md'), content: 'Use tabs. Run npm test.\n' })],
    [text('Improved.')],
  );
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
