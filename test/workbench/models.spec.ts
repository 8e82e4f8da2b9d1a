import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const list = ({ page }: Workbench) => page.locator('.quick-input-list [role="option"]');

/** A row as it is read: label, description, detail. */
const row = (window: Workbench, words: string) => list(window).filter({ hasText: words }).first();

/** It closes where VS Code takes the focus away, as it does once more for what was just opened: then it is opened again. */
async function openPicker(window: Workbench): Promise<void> {
  const picker = window.page.locator('.quick-input-widget');
  await until('the models are listed', async () => {
    if (!(await picker.isVisible())) await window.runCommand('Folio: Select Model');
    return await list(window).first().isVisible();
  });
}

test('a model is chosen by key: Auto, one of the list, or any id', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'a.txt': 'a' });
  const gemini = await startGemini({ models: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-9-nano'] });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const picker = panel.getByRole('combobox', { name: 'Model' });
  await picker.waitFor();

  await openPicker(window);
  await row(window, 'gemini-9-nano').waitFor();
  expect(await row(window, 'gemini-2.5-flash').textContent()).toContain('$0.30 in · $2.50 out per million');
  expect(await list(window).first().textContent()).toContain('Auto');
  await window.screenshot('models-picker');
  await window.page.keyboard.type('2.5-flash');
  await row(window, "Use '2.5-flash'").waitFor();
  await until('the model is the first row', async () =>
    /Flash/.test((await window.page.locator('.quick-input-list .focused').textContent()) ?? ''),
  );
  await window.page.keyboard.press('Enter');
  await until(
    'the panel shows it',
    async () => (await picker.getAttribute('title')) === 'Model: Gemini 2.5 Flash',
  );

  await openPicker(window);
  await until('the row of the model that works is where one stands', async () =>
    /now · gemini-2\.5-flash/.test(
      (await window.page.locator('.quick-input-list .focused').textContent()) ?? '',
    ),
  );
  await window.page.keyboard.type('my-tune-7');
  await row(window, "Use 'my-tune-7'").waitFor();
  await until('it is the row that Enter takes', async () =>
    /my-tune-7/.test((await window.page.locator('.quick-input-list .focused').textContent()) ?? ''),
  );
  await window.screenshot('models-picker-typed');
  await window.page.keyboard.press('Enter');
  await until('the panel shows it', async () => (await picker.getAttribute('title')) === 'Model: my-tune-7');

  await openPicker(window);
  await window.page.keyboard.type('Auto');
  await window.page.keyboard.press('Enter');
  await until('the panel shows it', async () => (await picker.getAttribute('title')) === 'Model: Auto');
});

test('a list that cannot be had says why, and can be asked for again', { tags: ['journey'] }, async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({ 'a.txt': 'a' });
  const gemini = await startGemini({ apiKey: 'right' });
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  // Without the panel: a view that was just opened takes the focus once more, which closes the picker.
  await openPicker(window);
  // A list that is long holds the rows at its ends only while they are seen.
  const input = window.page.locator('.quick-input-widget input[type=text]');
  await input.fill('list the models');
  await row(window, 'These are known models').waitFor();
  expect(await row(window, 'These are known models').textContent()).toContain('Gemini rejected the API key.');
  await window.screenshot('models-picker-failed');
  const before = gemini.requests.length;
  await input.fill('List again');
  await row(window, 'List again').click();
  await until('the provider is asked again', () => gemini.requests.length > before);
  await input.fill('list the models');
  await row(window, 'These are known models').waitFor();
  await input.fill('Change the');
  await row(window, 'Change the provider').click();
  await window.panel().getByRole('heading', { name: 'Connect a model' }).waitFor();
});

test('the panel has the focus again when a choice or a key that it asked for is left', async ({
  makeFolder,
  openOwn,
  startGemini,
}) => {
  const gemini = await startGemini();
  const folder = await makeFolder({ 'a.txt': 'a' });
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await openOwn({ folder, settings, env: { GEMINI_API_KEY: undefined } });
  const { page } = window;
  const field = page.locator('.quick-input-widget input');
  const isInPanel = () => page.evaluate(() => document.activeElement?.classList.contains('webview') ?? false);
  const leave = async () => {
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await until('the panel has the focus', isInPanel);
  };
  await window.evaluate('openFile', join(folder, 'a.txt'));
  const panel = await window.openPanel();
  await panel.getByRole('button', { name: /^Gemini API key/ }).click();
  await leave();
  await panel.getByRole('button', { name: /^Gemini API key/ }).click();
  await field.fill('key');
  await page.keyboard.press('Enter');

  const composer = panel.getByRole('textbox', { name: 'Ask Folio' });
  for (const words of ['/model', '/mode']) {
    await until('the composer is empty', async () => (await composer.inputValue()) === '');
    await composer.fill(words);
    await composer.press('Enter');
    await leave();
  }
});
