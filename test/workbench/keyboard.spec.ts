import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import { expectPlayed, until, untilHolds } from './support/panelActions.ts';
import { test } from './support/suite.ts';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const after = 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n';
const half = 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n';

test('a prompt, what it asks, its changes and its chapters are reached by keys alone, and the focus is never lost', async ({
  open,
  makeWorkspace,
  startGemini,
}) => {
  const folder = await makeWorkspace({ 'notes.txt': before, 'tests.sh': 'true\n' });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script(
    [call('create_new_topic', { title: 'Reading the notes' }), call('read_file', { file_path: 'notes.txt' })],
    [
      call('create_new_topic', { title: 'Writing the notes' }),
      call('write_file', { file_path: 'notes.txt', content: after }),
      call('run_shell_command', { command: 'sh tests.sh', description: 'Runs the tests' }),
    ],
    [text('Both are written.')],
  );
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const { keyboard } = page;
  const panel = window.panel();

  await keyboard.press("Control+'");
  await untilFocused(panel, 'textarea.prompt-field');
  await keyboard.type('Shout in the first and the last line.');
  await keyboard.press('Enter');

  // From the prompt by one key; what was pressed before the card could be seen does not count.
  await panel.locator('[data-ask]:not([aria-disabled])').waitFor();
  await window.screenshot('keyboard-ask');
  await keyboard.press('Control+Enter');
  await panel.getByText('Both are written.').waitFor();
  await untilFocused(panel, 'textarea.prompt-field');

  // The changes are decided where the code is.
  await keyboard.press('Alt+j');
  await until('the cursor is in the editor', () =>
    page
      .locator('.editor-instance .monaco-editor')
      .first()
      .evaluate(element => element.contains(document.activeElement)),
  );
  await pick(page, 'Folio: Show File Changes');
  const diff = page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first();
  await until('the cursor is in the diff', () =>
    diff.evaluate(element => element.contains(document.activeElement)),
  );
  await keyboard.press('Alt+a');
  await untilLine(page, 7);
  await keyboard.press('Alt+x');
  await untilHolds(notes, half);
  await window.screenshot('keyboard-diff');

  // Chapters: to the heading, folded, unfolded.
  await keyboard.press("Control+'");
  await untilFocused(panel, 'textarea.prompt-field');
  await pressUntilFocused(page, panel, 'Shift+Tab', '[role=log], [role=log] *');
  await keyboard.press('Alt+ArrowUp');
  await untilFocused(panel, '[data-chapter-heading]');
  await window.screenshot('keyboard-chapter');
  const expanded = () => panel.locator('[data-chapter-heading]:focus').getAttribute('aria-expanded');
  for (const state of ['false', 'true']) {
    await keyboard.press('Enter');
    await until(`the chapter's heading says ${state}`, async () => (await expanded()) === state);
  }
  expectPlayed(gemini);

  // The session as text, from the panel.
  await keyboard.press('Alt+F2');
  await until('the transcript is open as text', async () =>
    (await window.evaluate('listTabs')).some(({ label }) => label.startsWith('Shout in the first')),
  );
  await window.screenshot('keyboard-transcript');
});

test('going back and changing the session are done by keys alone, and the focus is never lost', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'notes.txt': before });
  const notes = join(folder, 'notes.txt');
  const gemini = await startGemini();
  gemini.script([...overwrite('notes.txt', after)], [text('Shouted.')], [text('Hello to you.')]);
  const window = await open({
    settings: { 'folio.baseUrl': gemini.baseUrl, 'folio.approvalMode': 'autoEdit' },
  });
  const { page } = window;
  const { keyboard } = page;
  const panel = window.panel();

  await keyboard.press("Control+'");
  await untilFocused(panel, 'textarea.prompt-field');
  await keyboard.type('Shout in two lines.');
  await keyboard.press('Enter');
  await panel.getByText('Shouted.', { exact: true }).waitFor();
  await untilHolds(notes, after);

  // Files alone go back: the third choice.
  await pressUntilFocused(page, panel, 'Shift+Tab', '[aria-label="Rewind…"]');
  await keyboard.press('Enter');
  const question = panel.getByRole('group', { name: 'Rewind to before this prompt' });
  await question.getByText('restored').waitFor();
  await pressUntilFocused(page, panel, 'Tab', '[type=radio]');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await pressUntilFocused(page, panel, 'Tab', '.rewind .buttons > :first-child');
  await window.screenshot('keyboard-rewind');
  await keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await untilHolds(notes, before);
  await expectFocus(panel);

  // From the palette, too: the next letter is typed into the prompt.
  const input = page.locator('.quick-input-widget input:visible');
  const field = panel.locator('textarea.prompt-field');
  for (const command of ['Folio: Rewind…', 'Folio: Undo Rewind', 'Folio: Add MCP Server']) {
    await page.keyboard.press("Control+'");
    await untilFocused(panel, 'textarea.prompt-field');
    await pick(page, command);
    if (command === 'Folio: Undo Rewind') await untilHolds(notes, after);
    else {
      await page.locator('.quick-input-title', { hasText: /./ }).waitFor();
      await page.keyboard.press('Escape');
      await input.waitFor({ state: 'detached' });
    }
    await untilFocused(panel, 'textarea.prompt-field');
    await keyboard.type('x');
    await until(`a letter is typed after ${command}`, async () => (await field.inputValue()) === 'x');
    await keyboard.press('Backspace');
  }

  // Another session, and back to the first through the history.
  await pick(page, 'Folio: New Session');
  await panel.getByText('Describe a task.').waitFor();
  await keyboard.press("Control+'");
  await untilFocused(panel, 'textarea.prompt-field');
  await keyboard.type('Hello.');
  await keyboard.press('Enter');
  await panel.getByText('Hello to you.').waitFor();
  await pick(page, 'Folio: Session History');
  await until('the history has the focus', () => isFocused(panel, 'input'));
  await keyboard.type('Shout');
  // The first row is the one that is looked for as soon as the others have gone.
  await panel.getByText('Hello.', { exact: true }).waitFor({ state: 'detached' });
  await panel.getByText('Shout in two lines.').first().waitFor();
  await keyboard.press('ArrowDown');
  await expectFocus(panel);
  await window.screenshot('keyboard-history');
  await keyboard.press('Enter');
  await panel.getByText('Shouted.', { exact: true }).waitFor();
  await untilFocused(panel, 'textarea.prompt-field');
  expectPlayed(gemini);
});

async function untilFocused(panel: FrameLocator, selector: string): Promise<void> {
  await until(`${selector} has the focus`, () => isFocused(panel, selector));
}

function isFocused(panel: FrameLocator, selector: string): Promise<boolean> {
  return panel
    .locator('body')
    .evaluate((_, wanted) => document.activeElement?.matches(wanted) ?? false, selector);
}

async function pressUntilFocused(
  page: Page,
  panel: FrameLocator,
  key: string,
  selector: string,
): Promise<void> {
  for (let presses = 0; presses < 25; presses++) {
    if (await isFocused(panel, selector)) return;
    await page.keyboard.press(key);
    await expectFocus(panel);
  }
  throw new Error(`${key} does not lead to ${selector}.`);
}

/** A user who uses keys is lost where nothing of the page has the focus. */
async function expectFocus(panel: FrameLocator): Promise<void> {
  expect(await isFocused(panel, 'body')).toBe(false);
}

/** A command of the palette, by keys. */
async function pick(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input');
  await page.keyboard.press('F1');
  await input.waitFor();
  await page.keyboard.type(title);
  await page.locator(`.quick-input-list [role="option"][aria-label^="${title}"]`).first().waitFor();
  await page.keyboard.press('Enter');
}

/** Waits until the status bar says that the cursor is there. */
async function untilLine(page: Page, line: number): Promise<void> {
  await page.locator('.statusbar-item', { hasText: `Ln ${line},` }).waitFor();
}
