import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, hang, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { isAlive } from '../support/isAlive.ts';
import { ask, asked, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';

test('stop ends an answer, a command and an ask, and the next prompt works', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  const ends = panel.getByRole('group', { name: 'Stopped.' });
  const idle = window.page.getByRole('button', { name: 'Folio is idle' });

  // While the answer streams, with Escape.
  gemini.script([text('It was a dark and stormy '), hang]);
  await ask(panel, 'Tell me a story.');
  await panel.getByText('It was a dark and stormy').waitFor();
  await window.page.getByRole('button', { name: 'Folio is working' }).waitFor();
  await window.screenshot('streaming');
  await panel.getByRole('textbox', { name: 'Ask Folio' }).press('Escape');
  await ends.nth(0).waitFor();
  await idle.waitFor();
  await until('the request was given up', () => lastAsked(gemini).signal.aborted);

  // While a command runs, with the button. It has a child, which must go with it.
  const command = 'sleep 1000 & echo $! > child.pid; echo started; wait';
  gemini.script([call('run_shell_command', { command, description: 'Waits' })]);
  await ask(panel, 'Run it.');
  await button(panel, 'Run').click();
  await panel.getByText('started', { exact: true }).waitFor();
  const child = Number(await readFile(join(folder, 'child.pid'), 'utf8'));
  expect(isAlive(child)).toBe(true);
  await window.screenshot('command-runs');
  await button(panel, 'Stop (Escape)').click();
  await ends.nth(1).waitFor();
  await until('the child of the command is gone', () => !isAlive(child));

  // While an ask waits, from the palette.
  gemini.script([call('write_file', { file_path: 'new.txt', content: 'new\n' })]);
  await ask(panel, 'Make a file.');
  await button(panel, 'Accept').waitFor();
  await window.page.getByRole('button', { name: 'Folio waits for you' }).waitFor();
  await window.runCommand('Folio: Stop');
  await ends.nth(2).waitFor();
  expect(await button(panel, 'Accept').count()).toBe(0);
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);

  gemini.script([call('read_file', { file_path: 'notes.txt' })], [text('The notes say one.')]);
  await ask(panel, 'What do the notes say?');
  await panel.getByText('The notes say one.').waitFor();
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('one');
  expect(JSON.stringify(asked(gemini).at(-2)?.body)).toContain('The user stopped the agent');
  await window.screenshot('stopped');
  expectPlayed(gemini);
});
