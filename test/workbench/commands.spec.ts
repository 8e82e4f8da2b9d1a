import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, hang, overwrite, text } from '../support/geminiAnswers.ts';
import { ask, button, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('every command of the palette does what it says, and the status bar tells the state', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\ntwo\nthree\n' });
  const gemini = await startGemini({ models: ['gemini-2.5-pro', 'gemini-2.5-flash'] });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;

  // Without the view having been opened: the command brings it, with the cursor in the composer.
  await window.runCommand('Folio: Focus Panel');
  const panel = window.panel();
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await until('the cursor is in the composer', () => field.evaluate(it => it === document.activeElement));
  await state(window, 'Folio is idle').waitFor();

  await window.runCommand('Folio: Compress Context');
  await notice(window, 'There is nothing to compress yet.').waitFor();
  await window.runCommand('Folio: Open Changes');
  await notice(window, 'Folio has changed no files in this session.').waitFor();
  await window.runCommand('Folio: Outline');
  await panel.getByText('No chapters yet.').waitFor();
  await page.keyboard.press('Escape');

  await window.runCommand('Folio: Select Model');
  await pick(window, 'Gemini 2.5 Flash');
  await chosen(panel, 'Model', 'gemini-2.5-flash');
  await chooseMode(window, panel);

  await window.evaluate('selectLines', join(folder, 'notes.txt'), 2, 3);
  await window.runCommand('Add Selection to Folio Prompt');
  await button(panel, 'Remove notes.txt:2–3').waitFor();
  await window.screenshot('selection');

  gemini.script(
    [call('create_new_topic', { title: 'Counting' }), ...overwrite('notes.txt', '1\n')],
    [text('Counted.')],
  );
  await ask(panel, 'Count these.');
  await state(window, 'Folio waits for you').waitFor();
  expect(lastAsked(gemini).model).toBe('gemini-2.5-flash');
  expect(JSON.stringify(lastAsked(gemini).body.contents)).toMatch(/notes\.txt.*two\\\\?nthree/);
  await button(panel, 'Accept').click();
  await panel.getByText('Counted.').waitFor();
  await state(window, 'Folio is idle').waitFor();

  await window.runCommand('Folio: Open Changes');
  await page.locator('.multiDiffEditor, .multi-diff-root-item-editor').first().waitFor();
  await window.screenshot('open-changes');
  await window.runCommand('Folio: Outline');
  await panel
    .getByRole('navigation', { name: 'Outline' })
    .getByRole('button', { name: /Counting/ })
    .waitFor();
  await window.screenshot('outline');
  await page.keyboard.press('Escape');

  await leaveAndReturn(window, panel, () => gemini.script([text('I continue and '), hang]));
  await window.runCommand('Folio: Open Log');
  const channel = page.locator('.part.panel select').first();
  await until('the log is shown', async () => (await channel.inputValue()) === 'Folio');
});

/** The mode that never asks is confirmed first; another is not. */
async function chooseMode(window: Workbench, panel: FrameLocator): Promise<void> {
  await window.runCommand('Folio: Set Approval Mode');
  await pick(window, 'Plan');
  await chosen(panel, 'Approval mode', 'plan');
  await window.runCommand('Folio: Set Approval Mode');
  await pick(window, 'Allow all');
  const dialog = window.page.getByRole('dialog');
  await dialog.getByText('Run commands and edit files without asking?').waitFor();
  await window.screenshot('never-ask');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await chosen(panel, 'Approval mode', 'plan');
  await window.runCommand('Folio: Set Approval Mode');
  await pick(window, 'Ask first');
  await chosen(panel, 'Approval mode', 'default');
}

/** The old session continues while a new one is begun; the history leads back to it. */
async function leaveAndReturn(window: Workbench, panel: FrameLocator, play: () => void): Promise<void> {
  play();
  await ask(panel, 'Continue.');
  await panel.getByText('I continue and').waitFor();
  await state(window, 'Folio is working').waitFor();
  await window.runCommand('Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  await state(window, 'Folio is idle').waitFor();
  await window.runCommand('Folio: Session History');
  const entry = panel.getByRole('button', { name: /Count these\..*Counting/ });
  await entry.waitFor();
  await window.screenshot('history');
  await entry.click();
  await panel.getByText('I continue and').waitFor();
  await panel.getByRole('heading', { name: 'Counting' }).waitFor();
}

async function chosen(panel: FrameLocator, picker: string, value: string): Promise<void> {
  const box = panel.getByRole('combobox', { name: picker });
  await until(
    `${picker} is ${value}`,
    async () => (await box.evaluate(it => 'value' in it && it.value)) === value,
  );
}

function state({ page }: Workbench, name: string) {
  return page.locator('.statusbar').getByRole('button', { name });
}

function notice({ page }: Workbench, sentence: string) {
  return page.locator('.notification-toast', { hasText: sentence });
}

/** By key: rows of a list that is still being read move away from under a pointer. */
async function pick({ page }: Workbench, label: string): Promise<void> {
  const rows = page.locator('.quick-input-list [role="option"]');
  await rows.filter({ hasText: label }).first().waitFor();
  await page.keyboard.type(label);
  const focused = page.locator('.quick-input-list .focused');
  await until(`${label} is the row`, async () => (await focused.textContent())?.includes(label) ?? false);
  await page.keyboard.press('Enter');
}
