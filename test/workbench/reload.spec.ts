import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, text } from '../support/geminiAnswers.ts';
import { ask, button, expectPlayed, lastAsked } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import { limit } from './support/workbench.ts';

test('a reload in the middle of an ask and after rest brings the session back, and it continues', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const edit = { file_path: 'notes.txt', instruction: 'Count.', old_string: 'one', new_string: '1' };
  gemini.script(
    [call('create_new_topic', { title: 'Reading the notes' }), call('read_file', { file_path: 'notes.txt' })],
    [call('create_new_topic', { title: 'Changing the notes' }), call('replace', edit)],
  );
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  let panel = await window.openPanel();
  await ask(panel, 'Write the number as a digit.');
  await button(panel, 'Open diff').click();
  await window.page.locator('.monaco-diff-editor').waitFor();

  await window.reload();
  panel = await window.openPanel();
  await panel.getByRole('heading', { name: 'Reading the notes' }).waitFor();
  await panel.getByRole('heading', { name: 'Changing the notes' }).waitFor();
  // Closed in good order or not: the call has ended, and nothing was done.
  await panel.getByRole('group', { name: /notes\.txt, (Stopped|Interrupted)/ }).waitFor();
  expect(await button(panel, 'Accept').count()).toBe(0);
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('one\n');
  const isOpen = async () => (await window.evaluate('listTabs')).some(({ label }) => label.includes('notes'));
  await expect.poll(isOpen).toBe(false);
  await window.screenshot('restored');

  gemini.script([call('replace', edit)], [text('Now it is a digit.')]);
  await button(panel, 'Continue').click();
  await button(panel, 'Accept').click();
  await panel.getByText('Now it is a digit.').waitFor();
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('1\n');

  await window.reload();
  panel = await window.openPanel();
  await panel.getByText('Now it is a digit.').waitFor();
  expect(await panel.locator('[data-chapter-heading] .chapter-title').allTextContents()).toEqual([
    'Reading the notes',
    'Changing the notes',
  ]);
  gemini.script([text('You are welcome.')]);
  await ask(panel, 'Thank you.');
  await panel.getByText('You are welcome.').waitFor();
  const reported = JSON.stringify(lastAsked(gemini).body.contents);
  for (const said of [
    'Topic changed to: \\"Changing the notes\\"',
    'Write the number as a digit.',
    'before this call finished',
    'Now it is a digit.',
    'Thank you.',
  ])
    expect(reported).toContain(said);
  expectPlayed(gemini);
});

// On a computer under load a page may go before its last message has left it, so this is tried with the end-to-end tests.
test('a draft that was typed right before a reload is there afterwards, and one that was sent is not', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({});
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const field = async () => (await window.openPanel()).getByRole('textbox', { name: 'Ask Folio' });
  await (await window.openPanel()).getByText('Describe a task.').waitFor();
  await (await field()).fill('Say hello.');
  await window.reload();
  await expect.poll(async () => (await field()).inputValue(), { timeout: limit }).toBe('Say hello.');

  gemini.script([text('Hello.')]);
  const panel = await window.openPanel();
  await ask(panel, 'Say hello.');
  await panel.getByText('Hello.', { exact: true }).waitFor();
  await (await field()).fill('And goodbye.');
  await window.reload();
  await (await window.openPanel()).getByText('Hello.', { exact: true }).waitFor();
  await expect.poll(async () => (await field()).inputValue(), { timeout: limit }).toBe('And goodbye.');
  expectPlayed(gemini);
});
