import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { isAlive } from '../support/isAlive.ts';
import { ask, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('a terminal tab mirrors what a command prints, and closing it stops the command', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const command = 'sleep 1000 & echo $! > child.pid; printf "first\\nsecond \\033[32mgreen\\033[0m\\n"; wait';
  gemini.script(
    [call('run_shell_command', { command, description: 'Waits' })],
    [text('You have closed it.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Start it.');
  // By keyboard: J goes to the card, A lets it run.
  await button(panel, 'Run').waitFor();
  await panel.getByRole('log').focus();
  await window.page.keyboard.press('j');
  await panel.locator('[data-ask]:not([aria-disabled])').waitFor();
  await window.page.keyboard.press('a');
  await panel.getByText('second green').waitFor();
  const child = Number(await readFile(join(folder, 'child.pid'), 'utf8'));

  await window.evaluate('executeCommand', 'workbench.action.terminal.focus');
  const rows = window.page.locator('.xterm-rows');
  await rows.getByText('second').first().waitFor();
  expect(await rows.textContent()).toContain('first');
  await window.screenshot('terminal');
  expect(isAlive(child)).toBe(true);
  await window.evaluate('executeCommand', 'workbench.action.terminal.kill');

  await panel.getByText('You have closed it.').waitFor();
  await until('the child of the command is gone', () => !isAlive(child));
  expect(lastResults(lastAsked(gemini))[0]?.output).toMatch(
    /^Exit code: (none|\d+)[\s\S]*first\nsecond green/,
  );
  expect(await window.evaluate('listTerminals')).toEqual([]);
  expectPlayed(gemini);
});
