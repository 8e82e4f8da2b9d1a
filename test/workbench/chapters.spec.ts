import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { call, overwrite, text } from '../support/geminiAnswers.ts';
import type { GeminiServer } from '../support/geminiServer.ts';
import { ask, button, expectPlayed, until } from './support/panelActions.ts';
import { test } from './support/suite.ts';
import type { Workbench } from './support/workbench.ts';

test('chapters fold, are jumped to, renamed, copied, exported and pinned, and a reload keeps it all', {
  tags: ['journey'],
}, async ({ open, makeWorkspace, startGemini }) => {
  const folder = await makeWorkspace({ 'sheep.txt': 'one\n', 'cows.txt': 'one\n' });
  const gemini = await startGemini();
  const window = await open({ settings: { 'folio.baseUrl': gemini.baseUrl } });
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  let panel = await window.openPanel();
  await work(panel, gemini);

  await fold(window, panel);
  await readAlong(window, panel);
  await jump(window, panel);
  await showMeter(window, panel);
  await rename(window, panel);
  await copy(window, panel);
  await exportOne(window, panel, folder);

  await panel.getByRole('button', { name: 'Pin prompt' }).first().press('Enter');
  await panel.getByRole('button', { name: 'Unpin prompt' }).waitFor();
  await window.reload();
  panel = await window.openPanel();
  await panel.getByRole('button', { name: 'Unpin prompt' }).waitFor();
  await heading(panel, 'Sheep in the north').waitFor();
  expect(await panel.locator('.prompt-text').first().textContent()).toMatch(/^You, pinned: Count the sheep/);
  await window.screenshot('chapters-reloaded');
  expectPlayed(gemini);
});

/** Two chapters with an edit each, of which the second is longer than the window. */
async function work(panel: FrameLocator, gemini: GeminiServer): Promise<void> {
  gemini.script(
    [call('create_new_topic', { title: 'Counting sheep' }), ...overwrite('sheep.txt', 'one\ntwo\n')],
    [text('Two sheep stand on the meadow.')],
    [
      call('create_new_topic', { title: 'Counting cows', summary: 'There are two sheep.' }),
      ...overwrite('cows.txt', 'three\n'),
    ],
    [text(cows)],
  );
  await ask(panel, 'Count the sheep.');
  await button(panel, 'Accept').click();
  await panel.getByText('Two sheep stand on the meadow.').waitFor();
  await ask(panel, 'Now the cows.');
  await button(panel, 'Accept').click();
  await panel.getByText('The last cow.').waitFor();
}

const cows = `${Array.from({ length: 60 }, (_, index) => `Cow ${index + 1} stands by the brook.`).join('\n\n')}\n\nThe last cow.`;

/** The setting decides until the user does. */
async function fold(window: Workbench, panel: FrameLocator): Promise<void> {
  const expanded = () =>
    panel.locator('[data-chapter-heading]').evaluateAll(all => all.map(each => each.ariaExpanded));
  await until('the finished chapter is folded', async () => (await expanded()).join() === 'false,true');
  expect(await panel.locator('.chapter-folded').textContent()).toContain('There are two sheep.');
  await heading(panel, 'Counting sheep').scrollIntoViewIfNeeded();
  await window.screenshot('chapters-folded');
  await window.evaluate('writeSetting', 'folio.foldFinishedChapters', false);
  await until('it is open', async () => (await expanded()).join() === 'true,true');
  await window.evaluate('writeSetting', 'folio.foldFinishedChapters', true);
  await until('it is folded again', async () => (await expanded()).join() === 'false,true');
}

async function readAlong(window: Workbench, panel: FrameLocator): Promise<void> {
  await panel.getByText('Cow 40 stands').scrollIntoViewIfNeeded();
  const sticky = panel.locator('.sticky-heading', { hasText: 'Counting cows' });
  await sticky.waitFor();
  await window.screenshot('chapters-sticky');
}

async function jump(window: Workbench, panel: FrameLocator): Promise<void> {
  await window.runCommand('Folio: Outline');
  const outline = panel.getByRole('navigation', { name: 'Outline' });
  await outline.getByText('Counting cows').waitFor();
  await window.screenshot('chapters-outline');
  await outline.getByRole('button', { name: /Counting sheep/ }).click();
  await outline.waitFor({ state: 'detached' });
  await until('the chapter has the focus and is open', () =>
    heading(panel, 'Counting sheep').evaluate(
      each => each.ariaExpanded === 'true' && each === document.activeElement,
    ),
  );
}

async function showMeter(window: Workbench, panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: /^Context: .* tokens/ }).click();
  const parts = panel.getByRole('list', { name: 'What fills the context' });
  await parts.getByRole('listitem').filter({ hasText: 'Counting sheep' }).waitFor();
  await window.screenshot('chapters-meter');
  await panel.getByRole('dialog', { name: 'Tokens' }).press('Escape');
}

async function rename(window: Workbench, panel: FrameLocator): Promise<void> {
  await heading(panel, 'Counting sheep').press('F2');
  const field = panel.getByRole('textbox', { name: 'Title of chapter 1' });
  await field.waitFor();
  await window.screenshot('chapters-renaming');
  await field.fill('Sheep in the north');
  await field.press('Enter');
  await heading(panel, 'Sheep in the north').waitFor();
}

/** Pasted as a user would. */
async function copy(window: Workbench, panel: FrameLocator): Promise<void> {
  await chooseOfChapter(panel, 1, 'Copy as Markdown');
  await window.page.locator('.statusbar').getByText('The chapter is on the clipboard').waitFor();
  const field = panel.getByRole('textbox', { name: 'Ask Folio' });
  await field.focus();
  await window.page.keyboard.press('Control+V');
  await until('the chapter is pasted', async () => (await field.inputValue()).includes('Sheep in the north'));
  const pasted = await field.inputValue();
  expect(pasted).toMatch(/^#+ (1\. )?Sheep in the north\n/);
  expect(pasted).toContain('Two sheep stand on the meadow.');
  expect(pasted).toContain('+two');
  expect(pasted).not.toContain('Cow 1 stands');
  await field.fill('');
}

async function exportOne(window: Workbench, panel: FrameLocator, folder: string): Promise<void> {
  await chooseOfChapter(panel, 2, 'Export…');
  const input = window.page.locator('.quick-input-widget input').first();
  const path = join(folder, 'counting-cows.md');
  await until('a name is proposed', async () => (await input.inputValue()) === path);
  await window.page.keyboard.press('Enter');
  await until('the document is open', async () => {
    const editors = await window.evaluate('listEditors');
    return editors.some(({ uri }) => uri.endsWith('counting-cows.md'));
  });
  const document = await readFile(path, 'utf8');
  expect(document).toContain('Cow 60 stands by the brook.');
  expect(document).not.toContain('Two sheep stand');
  await window.screenshot('chapters-exported');
}

async function chooseOfChapter(panel: FrameLocator, number: number, action: string): Promise<void> {
  const more = panel.getByRole('button', { name: `More actions of chapter ${number}` });
  await more.focus();
  await more.press('Enter');
  await panel.getByRole('menuitem', { name: action }).click();
}

function heading(panel: FrameLocator, title: string) {
  return panel.locator('[data-chapter-heading]', { hasText: title });
}
