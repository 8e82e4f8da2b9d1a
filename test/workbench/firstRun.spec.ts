import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '../../scripts/run.ts';
import { text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('without a key the rehearsal can be tried, and a key is tried before it is stored', async ({
  open,
  makeFolder,
  startGemini,
}) => {
  const folder = await makeFolder({});
  await cp(join(projectRoot, 'sample'), folder, { recursive: true });
  const gemini = await startGemini({ apiKey: 'right' });
  const settings = { 'folio.baseUrl': gemini.baseUrl };
  const window = await open({ folder, settings, env: { GEMINI_API_KEY: null } });
  let panel = await window.openPanel();

  const welcome = panel.locator('.welcome');
  await welcome.getByText('Folio works with a Gemini API key of yours').waitFor();
  expect(await welcome.locator('vscode-button').allTextContents()).toEqual([
    'Set API key',
    'Try the rehearsal',
  ]);
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await window.setTheme(theme);
    await window.screenshot(`first-run-${theme}`);
  }

  // The rehearsal, all of it: nothing of it goes to the server that the settings name.
  await button(panel, 'Try the rehearsal').click();
  await panel.getByText('Rehearsal: a script answers.').waitFor();
  await ask(panel, 'Find out why a test fails and fix it');
  await button(panel, 'Run').click();
  await button(panel, 'Accept').click();
  await panel.getByRole('heading', { name: 'Checking the fix' }).waitFor();
  await button(panel, 'Run').click();
  await panel.getByText('The total is right now.').waitFor();
  await panel.getByText('6 tests passed, 0 failed').waitFor();
  expect(await readFile(join(folder, 'src/invoice.js'), 'utf8')).toContain('return net + roundCents(tax);');
  await window.screenshot('rehearsal');
  expect(gemini.requests).toEqual([]);

  // A wrong key is told in one sentence; the way to another is in the same place.
  await window.runCommand('Folio: Set API Key');
  await typeKey(window, 'wrong');
  const trouble = window.page.locator('.notification-toast', { hasText: 'Gemini rejected this API key.' });
  await trouble.waitFor();
  await window.screenshot('wrong-key');
  await panel.getByText('Rehearsal: a script answers.').waitFor();
  await trouble.getByRole('button', { name: 'Try another key' }).click();
  await typeKey(window, 'right');
  await window.page.getByText('The API key works and is stored.').first().waitFor();
  await panel.getByText('Rehearsal: a script answers.').waitFor({ state: 'detached' });

  // Stored, not just remembered: an extension host that starts afresh has it. (VS Code itself keeps secrets of this
  // browser workbench for as long as its page lives, so a reload would show nothing about Folio.)
  await window.crashHost();
  panel = await window.openPanel();
  gemini.script([text('Hello from the server.')]);
  await ask(panel, 'Say hello.');
  await panel.getByText('Hello from the server.').waitFor();
  expect(lastAsked(gemini).headers['x-goog-api-key']).toBe('right');
  expectPlayed(gemini);

  await window.runCommand('Folio: Clear API Key');
  await panel.getByText('No API key is set.').waitFor();
});

async function typeKey({ page }: Workbench, key: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="password"]');
  await input.fill(key);
  await input.press('Enter');
}
