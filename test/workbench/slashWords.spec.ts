import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { text } from '../support/geminiAnswers.ts';
import { ask, expectPlayed, reported, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

const inList = '.quick-input-list [role="option"]';

test('a conversation is kept under a name, continued with, copied and gone back in', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  await makeWorkspace({ 'notes.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const panel = await window.openPanel();
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  gemini.script([text('Two sheep.')]);
  await ask(panel, 'How many sheep?');
  await panel.getByText('Two sheep.').waitFor();

  await ask(panel, '/copy');
  await reported(window, 'The newest answer is on the clipboard.');
  await field.focus();
  await page.keyboard.press('Control+V');
  await until('the answer is pasted', async () => (await field.inputValue()).trim() === 'Two sheep.');
  await field.fill('');

  await ask(panel, '/chat save Flock of May');
  await reported(window, 'A copy is kept as “Flock of May”.');
  gemini.script([text('Three cows.')]);
  await ask(panel, 'How many cows?');
  await panel.getByText('Three cows.').waitFor();
  await ask(panel, '/chat list');
  await expectTab(window, 'Saved conversations.md', 'Flock of May');
  await window.screenshot('chat-list');

  await ask(panel, '/chat resum Flock of May');
  await panel.getByText('Did you mean /chat resume', { exact: false }).waitFor();
  await window.screenshot('chat-nearest');
  await ask(panel, '/chat resume Flock');
  await panel.getByText('Did you mean “Flock of May”?', { exact: false }).waitFor();
  await ask(panel, '/chat resume Flock of May');
  await panel.getByText('Three cows.').waitFor({ state: 'detached' });
  await panel.getByText('Two sheep.').waitFor();
  await window.screenshot('chat-resumed');

  await ask(panel, '/restore');
  await expectTab(window, 'Points to go back to.md', 'How many sheep?');
  await window.screenshot('restore-points');
  await ask(panel, '/restore 1');
  await page.locator(inList).filter({ hasText: 'Conversation' }).first().waitFor();
  await window.screenshot('restore-choice');
  await page
    .locator(inList)
    .filter({ hasText: /^Conversation/ })
    .click();
  await until('the prompt is in the composer again', async () =>
    (await field.inputValue()).includes('How many sheep?'),
  );
  expectPlayed(gemini);
});

test('words behind a slash open what they name, and a subagent is made from answers', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'GEMINI.md': 'Never feed the gulls.\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  const { page } = window;
  const panel = await window.openPanel();

  await ask(panel, '/memory list');
  await expectTab(window, 'Memory files.md', join(folder, 'GEMINI.md'));
  await window.screenshot('memory-files');
  await ask(panel, '/memory show');
  await expectTab(window, 'Memory.md', 'Never feed the gulls.');
  await ask(panel, '/tools desc');
  await expectTab(window, 'Tools.md', 'read_file');
  await window.screenshot('tools-described');
  await ask(panel, '/about');
  await expectTab(window, 'About Folio.md', 'Sandbox');
  await window.screenshot('about');
  const step = page.locator('.quick-input-widget');
  const enter = async (prompt: string, typed: string) => {
    await step.getByText(prompt, { exact: false }).waitFor();
    await step.locator('input').fill(typed);
    await step.locator('input').press('Enter');
  };
  await ask(panel, '/agents create');
  await step.getByText('Name: lowercase letters', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await panel.getByText('Nothing was written.').waitFor();
  await ask(panel, '/agents create');
  await enter('Name: lowercase letters', 'Sheep Dog');
  await step.getByText('“Sheep Dog” is not a valid name', { exact: false }).waitFor();
  await window.screenshot('agent-name');
  await step.locator('input').fill('herder');
  await step.getByText('Name: lowercase letters', { exact: false }).waitFor();
  await step.locator('input').press('Enter');
  await enter('When to use it', 'Brings sheep home');
  await enter('The tools that it may use', 'read_file, shear');
  await step.getByText('There is no tool shear.', { exact: false }).waitFor();
  await window.screenshot('agent-tools');
  await step.locator('input').fill('read_file, glob');
  await step.getByText('The tools that it may use', { exact: false }).waitFor();
  await step.locator('input').press('Enter');
  await page.locator(inList).filter({ hasText: 'For this workspace' }).waitFor();
  await window.screenshot('agent-place');
  await page.locator(inList).filter({ hasText: 'For this workspace' }).click();
  await page.getByRole('tab', { name: /herder\.md/ }).waitFor();
  await reported(window, 'The subagent herder is created.');
  await window.screenshot('agent-made');
  const made = await readFile(join(folder, '.gemini', 'agents', 'herder.md'), 'utf8');
  expect(made).toContain('description: "Brings sheep home"\ntools:\n  - "read_file"\n  - "glob"\n');

  await ask(panel, '/settings');
  const settings = page.locator('.settings-editor');
  await settings.locator('.setting-item', { hasText: 'Folio' }).first().waitFor();
  await settings.getByText(/^\d+ Settings Found$/).waitFor();
  await window.screenshot('settings');
  // Its heading comes and goes while VS Code sorts what it has found.
  await until('only settings of Folio are left', async () => {
    const groups = await settings.locator('.settings-toc-entry').allInnerTexts();
    const others = ['Text Editor', 'Workbench', 'Features', 'Application'];
    return groups.includes('Folio') && !others.some(other => groups.includes(other));
  });
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
});

/** A text that was opened for reading. */
async function expectTab({ page }: Workbench, title: string, words: string): Promise<void> {
  await page.getByRole('tab', { name: title, exact: false }).waitFor();
  await until(`${title} shows ${words}`, async () => {
    const lines = await page.locator('.editor-instance .view-line').allInnerTexts();
    // Blanks that VS Code draws are others than those of the text.
    return lines
      .join('\n')
      .replace(/\u00a0/g, ' ')
      .includes(words);
  });
}
