import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a password is typed in the terminal that the card leads to, and nobody else reads it', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  const command = 'tty; read -s -p "Password: " word; echo; echo "${#word} letters"';
  gemini.script(
    [call('run_shell_command', { command, description: 'Asks', interactive: true })],
    [text('It has taken the password.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Ask me for it.');
  await button(panel, 'Run').click();
  await panel.getByRole('alert').getByText('Waits for you').waitFor();
  await window.screenshot('command-waits');

  await panel.getByRole('button', { name: /^Answer in the terminal: / }).focus();
  await window.page.keyboard.press('Enter');
  const rows = window.page.locator('.xterm-rows');
  await rows.getByText('Password:').first().waitFor();
  await window.page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await window.page.keyboard.type('planted-word');
  await window.screenshot('password-typed');
  await window.page.keyboard.press('Enter');

  await panel.getByText('It has taken the password.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toMatch(/^Exit code: 0[\s\S]*\/dev\/[\s\S]*12 letters/);
  expect(JSON.stringify(gemini.requests)).not.toContain('planted-word');
  expect(await panel.locator('body').textContent()).not.toContain('planted-word');
  expect(await rows.textContent()).not.toContain('planted-word');
  expectPlayed(gemini);
});
