import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { lastResults } from '../support/geminiServer.ts';
import { ask, asked, button, expectPlayed, lastAsked, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

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

test('a long prompt is whole on the card and in a terminal that was never shown', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  const prompt = 'Password for deploy@example.com, of the second stage: ';
  const command = `stty size; read -s -p "${prompt}" word; echo`;
  gemini.script(
    [call('run_shell_command', { command, description: 'Asks', interactive: true })],
    [text('It has taken the password.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Ask me for it.');
  await button(panel, 'Run').click();
  await panel.getByRole('alert').getByText('Waits for you').waitFor();
  await panel.locator('pre.output', { hasText: prompt.trim() }).waitFor();
  await window.screenshot('long-prompt');

  await panel.getByRole('button', { name: /^Answer in the terminal: / }).click();
  const rows = window.page.locator('.xterm-rows');
  await until('the prompt is whole in the terminal', async () =>
    ((await rows.textContent()) ?? '').replace(/\s/g, '').includes(prompt.replace(/\s/g, '')),
  );
  await window.page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await window.page.keyboard.press('Enter');
  await panel.getByText('It has taken the password.').waitFor();
  const [, columns] = /^(?:\d+) (\d+)$/m.exec(String(lastResults(lastAsked(gemini))[0]?.output)) ?? [];
  expect(Number(columns)).toBeGreaterThanOrEqual(40);
});

test('a user who chooses to answer a command types into its terminal what it asks', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const command = 'read -p "Colour? " colour; echo "$colour" > colour.txt';
  gemini.script(
    [call('run_shell_command', { command, description: 'Asks' })],
    [text('It knows the colour.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const panel = await window.openPanel();
  await ask(panel, 'Choose one.');
  await button(panel, 'Run in terminal').waitFor();
  await window.screenshot('answer-it');
  await button(panel, 'Run in terminal').click();
  await window.page.locator('.xterm-rows').getByText('Colour?').first().waitFor();
  expect(await window.page.locator('.xterm-helper-textarea:focus').count()).toBe(0);
  await panel.getByRole('alert').getByText('Waits for you').waitFor();
  await typeFrom(window, panel, /^Answer in the terminal: /, 'blue');
  await panel.getByText('It knows the colour.').waitFor();
  expect(await readFile(join(folder, 'colour.txt'), 'utf8')).toBe('blue\n');
  expect(lastResults(lastAsked(gemini))[0]?.output).toContain('they answer what it asks');
  expectPlayed(gemini);
});

test('of two commands that came back as waiting each card leads to its own terminal, and the palette lets one be picked', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const asking = (what: string) => [
    call('run_shell_command', {
      command: `read -p "${what}? " word; echo "$word" > ${what}.txt`,
      description: 'Asks',
      interactive: true,
    }),
  ];
  gemini.script(asking('first'), asking('second'), [text('Both wait.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const panel = await window.openPanel();
  await ask(panel, 'Ask me both.');
  await button(panel, 'Run').click();
  await panel.getByRole('alert').getByText('Waits for you').waitFor();
  await button(panel, 'Run').click();
  await panel.getByText('Both wait.').waitFor();
  const waiting = panel.getByRole('alert').filter({ hasText: 'Waits for you' });
  expect(await waiting.count()).toBe(2);
  await window.screenshot('two-wait');

  await window.runCommand('Folio: Answer the Waiting Command');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await until('both are listed', async () => (await rows.count()) === 2);
  await window.screenshot('two-wait-pick');
  await page.keyboard.press('Escape');

  await typeFrom(window, panel, /^Answer in the terminal: .*second/, 'two');
  await until('one card is left', async () => (await waiting.count()) === 1);
  expect(await readFile(join(folder, 'second.txt'), 'utf8')).toBe('two\n');
  await typeFrom(window, panel, /^Answer in the terminal: .*first/, 'one');
  await until('no card is left', async () => (await waiting.count()) === 0);
  expect(await readFile(join(folder, 'first.txt'), 'utf8')).toBe('one\n');
  expectPlayed(gemini);
});

test('a small model lets one command run and leaves another to the user, with reasons on the cards', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({});
  const gemini = await startGemini();
  const says = (answer: string, why: string) => [text(JSON.stringify({ why, answer }))];
  gemini.script(
    [call('run_shell_command', { command: 'mkdir made', description: 'Makes' })],
    says('allow', 'It makes the folder that was asked for.'),
    [call('run_shell_command', { command: 'mkdir other', description: 'Makes' })],
    says('ask', 'Nobody asked for this folder.'),
    [text('One was made.')],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.judge': true } });
  const panel = await window.openPanel();
  await ask(panel, 'Make the folder "made".');
  await panel.getByText('Nobody asked for this folder.', { exact: false }).waitFor();
  await panel.getByText('It makes the folder that was asked for.', { exact: false }).waitFor();
  expect(await readdir(folder)).toEqual(['made']);
  await window.screenshot('judged');
  await button(panel, 'Deny…').click();
  await button(panel, 'Deny').click();
  await panel.getByText('One was made.').waitFor();
  expect(await readdir(folder)).toEqual(['made']);
  const [, classifying] = asked(gemini);
  const question = JSON.stringify(classifying?.body);
  expect(question).toContain('mkdir made');
  expect(question).toContain('Make the folder');
  expectPlayed(gemini);
});

/** Presses the button of a card, types and presses Enter where that leads. */
async function typeFrom(window: Workbench, panel: FrameLocator, name: RegExp, words: string): Promise<void> {
  await panel.getByRole('button', { name }).focus();
  await window.page.keyboard.press('Enter');
  await window.page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' });
  await window.page.keyboard.type(words);
  await window.page.keyboard.press('Enter');
}
