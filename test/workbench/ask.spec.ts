import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const rules = `[[rule]]
toolName = "run_shell_command"
commandPrefix = "git push"
decision = "deny"
priority = 100
denyMessage = "Only people push."
`;

test('the card lists what a line would run, secrets ask whoever reads them, and a rule forbids in its own words', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({
    'old/a.txt': 'alpha\n',
    '.env': 'TOKEN=1234\n',
    '.folio/policies/team.toml': rules,
  });
  const gemini = await startGemini();
  gemini.script(
    [call('run_shell_command', { command: 'echo hello && rm -rf old', description: 'Tidies up' })],
    [call('read_file', { file_path: '.env' })],
    [call('run_shell_command', { command: 'cat .env', description: 'Reads it' })],
    [call('run_shell_command', { command: 'cd old; git push origin', description: 'Pushes' })],
    [text('So I leave it.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Tidy up.');

  const commands = panel.getByRole('list', { name: 'Commands in this line' }).getByRole('listitem');
  await button(panel, 'Run anyway').waitFor();
  expect(await commands.locator('code').allTextContents()).toEqual(['echo hello', 'rm -rf old']);
  expect(await commands.locator('.verdict').allTextContents()).toEqual(['Reads', 'Dangerous']);
  // For what is dangerous nothing lasting is offered.
  expect(await panel.getByRole('button', { name: /^Always/ }).count()).toBe(0);
  await window.screenshot('ask-dangerous');
  await button(panel, 'Run anyway').click();

  await panel.getByRole('group', { name: /\.env may hold secrets/ }).waitFor();
  expect(existsSync(join(folder, 'old'))).toBe(false);
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('hello');
  await window.screenshot('ask-secret');
  await button(panel, 'Allow').click();

  await panel.getByRole('group', { name: /^Run cat \.env.*may hold secrets/ }).waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('TOKEN=1234');
  expect(await panel.getByRole('button', { name: /^Always/ }).count()).toBe(0);
  // By keyboard: R says no, and what is typed then is the reason.
  await panel.getByRole('log').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  await panel.getByRole('textbox', { name: 'Reason, optional' }).waitFor();
  await page.keyboard.type('Once is enough');
  await page.keyboard.press('Enter');

  await panel.getByText('So I leave it.').waitFor();
  const [, , , denied, forbidden] = asked(gemini).map(request => lastResults(request)[0]);
  expect(denied?.error).toContain('Once is enough');
  expect(JSON.stringify(denied)).not.toContain('1234');
  expect(forbidden?.error).toContain('Only people push. (.folio/policies/team.toml, line 1)');
  await panel.getByText('Only people push.').first().waitFor();
  await window.screenshot('ask-denied');
  expectPlayed(gemini);
});

test('the mode that allows all is confirmed once a session and stays visible until it is left', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ '.env': 'TOKEN=1234\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();
  const allowAll = async () => {
    await window.runCommand('Folio: Set Approval Mode');
    await page.locator('.quick-input-list [role="option"][aria-label^="Allow all"]').first().click();
  };
  const warning = panel.getByText('Running without approval');
  await allowAll();
  const dialog = page.getByRole('dialog').filter({ hasText: 'Run commands and edit files without asking?' });
  await dialog.waitFor();
  expect(await warning.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Allow all' }).click();
  await warning.waitFor();

  gemini.script(
    [call('run_shell_command', { command: 'touch made.txt', description: 'Makes a file' })],
    [call('write_file', { file_path: 'written.txt', content: 'x\n' })],
    [call('run_shell_command', { command: 'cat .env', description: 'Reads it' })],
    [text('All done.')],
  );
  await ask(panel, 'Do as you like.');
  // Secrets ask even so.
  await panel.getByRole('group', { name: /^Run cat \.env.*may hold secrets/ }).waitFor();
  expect(existsSync(join(folder, 'made.txt'))).toBe(true);
  expect(existsSync(join(folder, 'written.txt'))).toBe(true);
  expect(await panel.locator('[data-ask]').count()).toBe(1);
  await window.screenshot('yolo');
  await button(panel, 'Run').click();
  await panel.getByText('All done.').waitFor();

  await button(panel, 'Switch to Ask first').click();
  await warning.waitFor({ state: 'detached' });
  gemini.script(
    [call('run_shell_command', { command: 'touch later.txt', description: 'Makes a file' })],
    [text('Later done.')],
  );
  await ask(panel, 'Once more.');
  await button(panel, 'Run').waitFor();
  expect(existsSync(join(folder, 'later.txt'))).toBe(false);
  await button(panel, 'Run').click();
  await panel.getByText('Later done.').waitFor();
  // This session was confirmed already.
  await allowAll();
  await warning.waitFor();
  expect(await dialog.count()).toBe(0);
  expectPlayed(gemini);
});
